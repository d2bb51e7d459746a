/**
 * I03: a token is the fence of one attempt, and an incarnation that of one life of an id.
 *
 * Held against all instances of the run together: a token that two attempts share lets the first write into the
 * second one's turn, whoever holds it (B06, B07, B32, B47). Tokens are also compared as they were handed out, since
 * two workers with one token are wrong even when only one of the claims was stored.
 */
import type { Checker } from "../../sim/index.ts";
import { type NextRequest, taskIn } from "./calls.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I03-tokens-unique";

export const tokensUnique: Checker<Facts> = {
  name: NAME,
  statement:
    "no token is stored for two attempts or handed out by two claims, a completion and its repeats hand out one, and no incarnation is shared",
  blind: "tokens that were made and never stored or handed out",
  check(_history, facts) {
    const report = new Report(NAME);
    const attempts = new Map<string, string>();
    const incarnations = new Map<string, string>();
    for (const [id, changes] of facts.changes)
      for (const change of changes) {
        const { version } = change.at;
        if (change.kind === "created") {
          report.examine();
          const other = incarnations.get(change.at.value.incarnation);
          if (other !== undefined) report.at(version, `${id} has the incarnation of ${other}`);
          incarnations.set(change.at.value.incarnation, id);
        }
        if (change.kind !== "claimed") continue;
        report.examine();
        const { token } = change.holder;
        const attempt = `attempt ${change.turn.attempt} of turn ${change.turn.number} of ${id}`;
        const other = attempts.get(token);
        if (other !== undefined) report.at(version, `${attempt} has the token of ${other}`);
        attempts.set(token, attempt);
      }
    handedOut(facts, report);
    return report.finding();
  },
};

/** Repeats of one completion hand out one token; every other call hands out one of its own. */
function handedOut(facts: Facts, report: Report): void {
  const { claims, nexts } = facts.calls;
  const sources = new Map<unknown, string>();
  const tokens = new Map<string, unknown>();
  for (const call of [...claims, ...nexts]) {
    const { record } = call;
    const task = taskIn(call);
    if (task === null) continue;
    report.examine();
    const { token } = task;
    const source = "next" in call.request ? completionOf(call.request) : `claim ${record.id}`;
    const bad = (what: string) => report.add(`call ${record.id} ${what}`, null, record.answeredAtMs);
    if ((sources.get(token) ?? source) !== source)
      bad("handed out a token that another claim had handed out");
    if ((tokens.get(source) ?? token) !== token) bad(`handed out a second token for the ${source}`);
    sources.set(token, source);
    tokens.set(source, token);
  }
}

function completionOf({ workflow_id, turn, token }: NextRequest): string {
  return `completion of turn ${turn} of ${workflow_id} by ${token}`;
}
