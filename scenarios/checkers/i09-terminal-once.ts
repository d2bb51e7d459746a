/**
 * I09: a turn ends once, and everybody is told of the same end.
 *
 * A turn ends when it completes, fails for good, is skipped or is cancelled. Two attempts that were both told that they ended it would make
 * their callers act on two outcomes (B58, B67). A turn that failed for good stays the head until a person retries,
 * skips or cancels it; every other end is final.
 */
import type { Checker } from "../../sim/index.ts";
import type { Turn } from "../../src/index.ts";
import type { Call } from "./calls.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I09-terminal-once";

type Ended = { readonly as: "completed" | "failed" | "skipped" | "cancelled"; readonly token: string | null };

export const terminalOnce: Checker<Facts> = {
  name: NAME,
  statement:
    "each turn completes, fails for good, is skipped or is cancelled, and nothing happens to it afterwards, unless a person retries, skips or cancels a failed one; of all attempts only the one that completed it was told so",
  blind: "ends that nobody was told of and that a later version hides",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [id, changes] of facts.changes) {
      const ends = new Map<number, Ended>();
      for (const change of changes)
        if ("turn" in change && change.kind !== "moved" && change.kind !== "admitted")
          event(id, change, ends, report);
      for (const calls of facts.calls.attempts.values())
        for (const call of calls.completes) told(id, call, ends, facts, report);
    }
    return report.finding();
  },
};

type TurnChange = Extract<Change, { readonly was: Turn }>;

function event(id: string, change: TurnChange, ends: Map<number, Ended>, report: Report): void {
  const { kind, turn, at } = change;
  const before = ends.get(turn.number);
  const acted = kind === "retried" || kind === "skipped" || kind === "cancelled";
  // A failed turn is still the head of its inbox: it may be signalled, and a person may act on it.
  const open = before?.as === "failed" && (acted || kind === "signalled");
  if (before !== undefined && !open)
    report.at(at.version, `${id}: turn ${turn.number} had ${before.as} and then ${kind}`);
  if (kind === "retried") ends.delete(turn.number);
  // A step that the completion itself saved: the end is its next change.
  if (kind === "saved") return;
  if (turn.status !== "completed" && turn.status !== "failed" && turn.status !== "cancelled") return;
  report.examine();
  const as = turn.status === "failed" && turn.skipped ? "skipped" : turn.status;
  const token = "holder" in change ? change.holder.token : (before?.token ?? null);
  ends.set(turn.number, { as, token });
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
