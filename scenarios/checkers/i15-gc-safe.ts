/**
 * I15: nothing is removed that anybody still needs.
 *
 * The core never deletes an object. What it removes is the copy of a finished turn in the identity; after that the
 * two history objects are all that tells its outcome, its receipt and its message id (B11, B31, B47, B51). So they
 * have to be there at every later moment, until the end of the run.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I15-gc-safe";

export const gcSafe: Checker<Facts> = {
  name: NAME,
  statement:
    "no object is ever deleted; from the moment on in which an identity drops a turn, its history object with its receipt and its entry in the message-ID index are there for good",
  blind: "retention and deletion on purpose, which the core does not have yet",
  check(history, facts) {
    const report = new Report(NAME);
    for (const [key, chain] of history.chains) {
      report.examine();
      for (const version of chain)
        if (version.body === null) report.at(version, `${key} was deleted by ${version.operation.process}`);
    }
    for (const operation of history.operations)
      if (operation.kind === "delete")
        report.add(
          `${operation.process} asked to delete ${operation.key}`,
          operation.key,
          operation.sentAtMs,
        );
    for (const [id, changes] of facts.changes)
      for (const change of changes) {
        if (change.kind !== "moved") continue;
        report.examine();
        const { number, message_id, last_attempt } = change.turn;
        const kept = facts.records.turns.get(facts.decoder.turnKey(id, number))?.at(-1);
        const where = `${id}: turn ${number} was dropped and`;
        if (kept === undefined)
          report.at(change.at.version, `${where} its history object is not there at the end`);
        else if (kept.content.turn.last_attempt?.token !== last_attempt?.token)
          report.at(kept.version, `${where} its history object does not know the attempt that ended it`);
        if (facts.records.messages.get(facts.decoder.messageKey(id, message_id)) === undefined)
          report.at(change.at.version, `${where} its message ${message_id} is not in the message-ID index`);
      }
    return report.finding();
  },
};
