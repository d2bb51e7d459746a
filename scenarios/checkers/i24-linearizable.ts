/**
 * I24: what the callers of each instance saw is one order of calls to a plain model of the engine.
 *
 * The other checkers look at what is stored; this one looks only at calls and answers, and shares no idea of how
 * things are stored with anybody. The model and its freedom in time are in `scenarios/oracle`.
 *
 * An instance that the search could not decide within its bound is counted as `undecided`, not as examined.
 */
import type { Checker } from "../../sim/index.ts";
import { judgeInstances } from "../oracle/linearizable.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I24-linearizable";

export const linearizable: Checker<Facts> = {
  name: NAME,
  statement:
    "for each instance there is one order of its calls, consistent with when they were sent and answered, in which a sequential model gives every answer that was given; calls of unknown outcome may count or not",
  blind:
    "times, apart from those that are fixed once; lists of instances; a command's answer beyond what never changes of its turn; refusals for time, for size or for want of the store",
  check(history, facts) {
    const report = new Report(NAME);
    for (const { id, operations, kind, stuck } of judgeInstances(history)) {
      if (kind === "undecided") report.undecided();
      else report.examine(operations);
      if (kind !== "not-linearizable") continue;
      const [first] = stuck;
      const calls = stuck.map(({ call }) => `call ${call.record.id} (${call.record.operation})`).join(", ");
      report.add(
        `${id}: no order of its ${operations} calls explains all answers; after every order that fits so far, none of these can come next: ${calls}`,
        facts.decoder.identityKey(id),
        first?.call.record.answeredAtMs ?? null,
      );
    }
    return report.finding();
  },
};
