/**
 * I04: one holder at a time, as the stored versions show it. Clocks are left to `i22-lease-honoured.ts`: who holds a
 * turn is a matter of tokens alone.
 */
import type { Checker } from "../../sim/index.ts";
import type { Turn } from "../../src/index.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I04-single-holder";

/** The changes with which an attempt lets go. */
const ENDS: { readonly [kind: string]: boolean } = {
  completed: true,
  failed: true,
  expired: true,
  suspended: true,
  deferred: true,
};

/** Whether the next claim goes on with the attempt before. */
function goesOn({ holder, last_attempt }: Turn): boolean {
  return holder === null && (last_attempt?.end === "suspended" || last_attempt?.end === "deferred");
}

export const singleHolder: Checker<Facts> = {
  name: NAME,
  statement:
    "an attempt lets go of its turn under its own token, and each claim begins one more attempt under a token of its own, or goes on with the one that was suspended or deferred, whose number stays",
  blind: "who asked for a change, which I04-no-foreign-write holds",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [id, changes] of facts.changes)
      for (const change of changes) {
        if (!("holder" in change)) continue;
        report.examine();
        const { turn, was, holder, at } = change;
        const where = `${id}: turn ${turn.number}`;
        if (change.kind === "claimed") {
          if (turn.attempt !== was.attempt + (goesOn(was) ? 0 : 1))
            report.at(
              at.version,
              `${where} was claimed and went from attempt ${was.attempt} to ${turn.attempt}`,
            );
        } else if (turn.attempt !== was.attempt && turn.holder?.token === holder.token)
          report.at(at.version, `${where} counted an attempt without a claim`);
        if (ENDS[change.kind] === true && turn.last_attempt?.token !== holder.token)
          report.at(
            at.version,
            `${where} ${change.kind} under the token ${turn.last_attempt?.token} while ${holder.token} of ${holder.worker} held it`,
          );
      }
    return report.finding();
  },
};
