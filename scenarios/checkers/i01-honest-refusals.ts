/**
 * I01: a refusal is a promise.
 *
 * Reasons only about what can be proved. Every change of an identity has the calls that can have caused it
 * (`explain.ts`). When each of them was answered "this had no effect", one of them was lied to: no matter which.
 * Calls without an answer stay possible causes for good, since a write may land long after its sender gave up.
 *
 * Sees, among others: an own 412 taken for somebody else's (B01, B03), a late write after a refusal (B11, B12), a
 * throttled write that was applied (B07), a claim that took a turn and answered "no work" (B06).
 */
import type { Checker } from "../../sim/index.ts";
import type { Call } from "./calls.ts";
import type { Change } from "./changes.ts";
import { askedFor, promisedNothing } from "./explain.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I01-honest-refusals";

export const honestRefusals: Checker<Facts> = {
  name: NAME,
  statement:
    "a call that was answered invalid, not-found, conflict, fenced, over-limit or unavailable never has an effect, and a claim that answered no work or another turn took nothing",
  blind:
    "a refused call whose exact repeat was answered otherwise; a call that a hop delivered twice; refusals of reads",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) {
        const calls = change.kind === "expired" ? null : askedFor(change, facts);
        if (calls === null || calls.length === 0) continue;
        report.examine();
        if (calls.every((call) => promisedNothing(call, change)))
          report.at(change.at.version, describe(change, calls));
      }
    return report.finding();
  },
};

function describe(change: Change, calls: readonly Call<unknown>[]): string {
  const { id } = change.at.value;
  const turn = "turn" in change ? ` of turn ${change.turn.number}` : "";
  const answers = calls.map((call) => `call ${call.record.id} (${call.record.operation}): ${told(call)}`);
  return `${id}: sequence ${change.at.stamp.sequence} made the change "${change.kind}"${turn}, but every call that asked for it was told that it had no effect: ${answers.join(", ")}`;
}

function told(call: Call<unknown>): string {
  if (call.answer.kind === "refused") return call.answer.code;
  return call.answer.kind === "ok" && isObject(call.answer.value) ? "another turn" : "no work";
}
