/**
 * I09: a turn ends once, and everybody is told of the same end.
 *
 * A turn ends when it completes or fails for good. Two attempts that were both told that they ended it would make
 * their callers act on two outcomes (B58, B67). The core has no command that revives a failed turn, so that end is
 * final too.
 */
import type { Checker } from "../../sim/index.ts";
import type { Call } from "./calls.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I09-terminal-once";

type Ended = { readonly as: "completed" | "failed"; readonly token: string };

export const terminalOnce: Checker<Facts> = {
  name: NAME,
  statement:
    "each turn completes or fails for good at most once, nothing happens to it afterwards, and of all attempts only the one that ended it was told so",
  blind:
    "ends that nobody was told of and that a later version hides; retries by a person, which the core does not have",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [id, changes] of facts.changes) {
      const ends = new Map<number, Ended>();
      for (const change of changes) if ("holder" in change) event(id, change, ends, report);
      for (const calls of facts.calls.attempts.values())
        for (const call of calls.completes) told(id, call, ends, facts, report);
    }
    return report.finding();
  },
};

function event(
  id: string,
  change: Change & { readonly holder: { readonly token: string } },
  ends: Map<number, Ended>,
  report: Report,
): void {
  if (!("turn" in change)) return;
  const { turn, holder, at } = change;
  const before = ends.get(turn.number);
  if (before !== undefined)
    report.at(at.version, `${id}: turn ${turn.number} had ${before.as} and then ${change.kind}`);
  if (turn.status !== "completed" && turn.status !== "failed") return;
  report.examine();
  ends.set(turn.number, { as: turn.status, token: holder.token });
}

/** An accepted completion names the end of its turn. */
function told(
  id: string,
  call: Call<{ readonly workflow_id: string; readonly turn: number; readonly token: string }>,
  ends: ReadonlyMap<number, Ended>,
  facts: Facts,
  report: Report,
): void {
  const { request, answer, record } = call;
  if (request.workflow_id !== id || answer.kind !== "ok") return;
  report.examine();
  const end = ends.get(request.turn);
  if (end?.as === "completed" && end.token === request.token) return;
  const how = end === undefined ? "never ended" : `${end.as} by the attempt ${end.token}`;
  report.add(
    `${id}: turn ${request.turn} was told to be completed by ${request.token} (call ${record.id}) and ${how}`,
    facts.decoder.identityKey(id),
    record.answeredAtMs,
  );
}
