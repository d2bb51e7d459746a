/**
 * I03: a token is the fence of one attempt, and an incarnation that of one life of an id.
 *
 * Held against all instances of the run together: a token that two attempts share lets the first write into the
 * second one's turn, whoever holds it (B06, B07, B32, B47). Tokens are also compared as they were handed out, since
 * two workers with one token are wrong even when only one of the claims was stored.
 */
import type { Checker } from "../../sim/index.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I03-tokens-unique";

export const tokensUnique: Checker<Facts> = {
  name: NAME,
  statement: "no token is stored for two attempts or handed out by two claims, and no incarnation is shared",
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
    const handedOut = new Set<string>();
    for (const { answer, record } of facts.calls.claims) {
      if (answer.kind !== "ok" || !isObject(answer.value)) continue;
      report.examine();
      const token = String(answer.value.token);
      if (handedOut.has(token))
        report.add(
          `call ${record.id} handed out a token that another claim had handed out`,
          null,
          record.answeredAtMs,
        );
      handedOut.add(token);
    }
    return report.finding();
  },
};
