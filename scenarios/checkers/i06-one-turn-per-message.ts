/**
 * I06: a message id has one turn over the life of the instance, also when it is sent again after the turn moved.
 *
 * Read from all turns that ever were, so a second turn shows whether or not the first is still in the identity
 * (B69, B70, B73). A turn that retention pruned is the exception that was promised: its id counts as new, so it may have
 * another turn from then on. Acknowledgements are held against it: a repeat that is told another turn number would make
 * its sender wait for the wrong reply.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { prunedAt } from "./lifelines.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I06-one-turn-per-message";

export const oneTurnPerMessage: Checker<Facts> = {
  name: NAME,
  statement:
    "each message id of an instance has exactly one turn that retention keeps, and every acknowledgement of it names such a turn",
  blind: "messages that were never acknowledged and never admitted",
  check(_history, facts) {
    const report = new Report(NAME);
    const turnsOf = new Map<string, number[]>();
    for (const [id, timeline] of facts.timelines) {
      const chain = facts.records.identities.get(id) ?? [];
      for (const [number, moments] of timeline) {
        const first = moments[0];
        if (first === undefined) continue;
        report.examine();
        const name = `${id} ${first.turn.message_id}`;
        const numbers = turnsOf.get(name) ?? [];
        const other = numbers.at(-1);
        const prunedAtMs = other === undefined ? null : prunedAt(chain, other);
        if (other !== undefined && (prunedAtMs === null || prunedAtMs > first.version.atMs))
          report.at(
            first.version,
            `${id}: message ${first.turn.message_id} has turn ${number} and had turn ${other}`,
          );
        turnsOf.set(name, [...numbers, number]);
      }
    }
    for (const { request, answer, record } of facts.calls.sends) {
      if (answer.kind !== "ok" || !isObject(answer.value)) continue;
      report.examine();
      const numbers = turnsOf.get(`${request.workflow_id} ${request.id}`) ?? [];
      if (!numbers.includes(Number(answer.value.number)))
        report.add(
          `${request.workflow_id}: message ${request.id} was acknowledged as turn ${answer.value.number} (call ${record.id}) and has turn ${numbers.join(", ") || "none"}`,
          facts.decoder.identityKey(request.workflow_id),
          record.answeredAtMs,
        );
    }
    return report.finding();
  },
};
