/**
 * I09: what a person does holds, happens as often as it was asked for, and never to another turn.
 *
 *   C1  a paused instance is not claimed.
 *   C2  an acknowledged cancellation or skip is stored when it is acknowledged and at the end; an acknowledged pause,
 *       resume or retry is stored at some moment until then.
 *   C3  one call has one effect: a turn is retried, and an instance paused, at most as often as that was delivered. So a
 *       repeat that acts on what came after the first shows, when it came only once.
 *   C4  a retry is of a turn that failed for good and forgives all attempts so far; a skip is of such a turn, too.
 *
 * That each control was asked for, and for just this turn, is held by `i04-no-foreign-write.ts`; that a cancelled turn
 * leaves the state and never changes again by `i05-no-lost-update.ts` (B67).
 */
import type { Checker } from "../../sim/index.ts";
import type { ControlAction, ControlRequest } from "../../src/index.ts";
import type { Call } from "./calls.ts";
import type { ChangeOf } from "./changes.ts";
import { type Facts, momentAt } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I09-controls";

export const controls: Checker<Facts> = {
  name: NAME,
  statement:
    "a paused instance is not claimed; an acknowledged cancellation, skip, retry, pause or resume is stored; a call has one effect; a retry forgives all attempts of a turn that failed for good",
  blind: "a wake, which may find nothing to end; which of several equal calls acted",
  check(history, facts) {
    const report = new Report(NAME);
    for (const [id, changes] of facts.changes) {
      const counts = new Map<string, number>();
      for (const change of changes) {
        if (change.kind === "claimed") claimed(change, report);
        if (change.kind === "retried") retried(change, report);
        const name = change.kind === "retried" ? `retry ${change.turn.number}` : change.kind;
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      once(id, "pause", null, counts.get("paused") ?? 0, facts, report);
      for (const number of facts.timelines.get(id)?.keys() ?? [])
        once(id, "retry", number, counts.get(`retry ${number}`) ?? 0, facts, report);
    }
    for (const call of facts.calls.controls) acknowledged(call, history.endedAtMs, facts, report);
    return report.finding();
  },
};

/** C1. */
function claimed({ at, before, turn }: ChangeOf<"claimed">, report: Report): void {
  report.examine();
  if (before?.value.paused === true)
    report.at(at.version, `${at.value.id}: turn ${turn.number} was claimed while the instance was paused`);
}

/** C4. */
function retried({ at, was, turn }: ChangeOf<"retried">, report: Report): void {
  report.examine();
  if (turn.forgiven_attempts !== turn.attempt || was.skipped)
    report.at(
      at.version,
      `${at.value.id}: turn ${turn.number} was retried after ${turn.attempt} attempts and ${turn.forgiven_attempts} are forgiven`,
    );
}

/** C3. */
function once(
  id: string,
  action: ControlAction,
  turn: number | null,
  changes: number,
  facts: Facts,
  report: Report,
): void {
  if (changes === 0) return;
  report.examine();
  let delivered = 0;
  for (const { request, record } of facts.calls.controls) {
    if (request.workflow_id !== id || request.action !== action) continue;
    if (turn !== null && request.turn !== turn) continue;
    delivered += record.faults.includes("D01-duplicate-request") ? 2 : 1;
  }
  if (changes > delivered)
    report.add(
      `${id}: ${action}${turn === null ? "" : ` of turn ${turn}`} took effect ${changes} times and was asked for ${delivered} times`,
      facts.decoder.identityKey(id),
      null,
    );
}

/** C2. */
function acknowledged(call: Call<ControlRequest>, endedAtMs: number, facts: Facts, report: Report): void {
  const { request, answer, record } = call;
  const { answeredAtMs } = record;
  if (answer.kind !== "ok" || answeredAtMs === null) return;
  report.examine();
  if (holds(request, answeredAtMs, endedAtMs, facts)) return;
  const what = request.turn == null ? "" : ` of turn ${request.turn}`;
  report.add(
    `${request.workflow_id}: ${request.action}${what} was acknowledged (call ${record.id}) and is not stored`,
    facts.decoder.identityKey(request.workflow_id),
    answeredAtMs,
  );
}

function holds(request: ControlRequest, answeredAtMs: number, endedAtMs: number, facts: Facts): boolean {
  const { workflow_id: id, action, turn } = request;
  const moments = facts.turn(id, turn ?? 0);
  const both = [answeredAtMs, endedAtMs].map((atMs) => momentAt(moments, atMs)?.turn);
  switch (action) {
    case "cancel_turn":
      return both.every((one) => one?.status === "cancelled");
    case "skip":
      return both.every((one) => one?.skipped === true);
    case "retry":
      return moments.some(
        ({ version, turn: one }) => version.atMs <= answeredAtMs && one.forgiven_attempts > 0,
      );
    case "pause":
    case "resume": {
      const paused = action === "pause";
      const chain = facts.records.identities.get(id) ?? [];
      return chain.some(({ version, value }) => version.atMs <= answeredAtMs && value.paused === paused);
    }
    case "wake":
      return true;
  }
}
