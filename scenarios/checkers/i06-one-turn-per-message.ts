/**
 * I06: a message id has one turn over the life of the instance, also when it is sent again after the turn moved.
 *
 * Read from all turns that ever were, so a second turn shows whether or not the first is still in the identity
 * (B69, B70, B73). Acknowledgements are held against it: a repeat that is told another turn number would make its
 * sender wait for the wrong reply.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I06-one-turn-per-message";

export const oneTurnPerMessage: Checker<Facts> = {
  name: NAME,
  statement:
    "each message id of an instance has exactly one turn, and every acknowledgement of it names that turn",
  blind: "messages that were never acknowledged and never admitted",
  check(_history, facts) {
    const report = new Report(NAME);
    const turnOf = new Map<string, Map<string, number>>();
    for (const [id, timeline] of facts.timelines) {
      const numbers = new Map<string, number>();
      turnOf.set(id, numbers);
      for (const [number, moments] of timeline) {
        const first = moments[0];
        if (first === undefined) continue;
        report.examine();
        const other = numbers.get(first.turn.message_id);
        if (other !== undefined)
          report.at(
            first.version,
            `${id}: message ${first.turn.message_id} has turn ${number} and had turn ${other}`,
          );
        else numbers.set(first.turn.message_id, number);
      }
    }
    for (const { request, answer, record } of facts.calls.sends) {
      if (answer.kind !== "ok" || !isObject(answer.value)) continue;
      report.examine();
      const number = turnOf.get(request.workflow_id)?.get(request.id);
      if (number !== answer.value.number)
        report.add(
          `${request.workflow_id}: message ${request.id} was acknowledged as turn ${answer.value.number} (call ${record.id}) and has turn ${number ?? "none"}`,
          facts.decoder.identityKey(request.workflow_id),
          record.answeredAtMs,
        );
    }
    return report.finding();
  },
};
