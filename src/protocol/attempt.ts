/**
 * An attempt's time: when it ends by itself, and what becomes of its turn then.
 *
 *   P22  an attempt ends with its lease, with its operation's execution limit or with the operation's limit on
 *        progress, whichever comes first. A renewed lease extends neither limit.
 *   P23  an attempt that was suspended or deferred goes on with the next claim: its number does not change.
 *   P24  out of attempts, a turn fails: it blocks the inbox, or is skipped when its instance says so.
 *
 * Source: seed 000 "LLM runs, signals and progress" (limits of a step), "Safe writes, waits and failing instances".
 */
import { present } from "../std/assert.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { DEFAULTS } from "../vocabulary/limits.ts";
import type { AttemptEnd, EndedAttempt, Turn } from "../vocabulary/turn.ts";
import type { Moment } from "./decision.ts";

export type TimeLimit = "lease" | "operation" | "progress";

/** When the attempt that holds the turn ends by itself, wall milliseconds, and by which limit; null: nobody holds it. */
export function attemptLimit(turn: Turn): { readonly at_ms: number; readonly limit: TimeLimit } | null {
  const { holder, operation } = turn;
  if (holder === null) return null;
  let at_ms = holder.deadline_ms;
  let limit: TimeLimit = "lease";
  if (operation === null || operation.token !== holder.token) return { at_ms, limit };
  if (operation.deadline_ms < at_ms) {
    at_ms = operation.deadline_ms;
    limit = "operation";
  }
  if (operation.heartbeat_timeout_ms === null) return { at_ms, limit };
  const silentAtMs = operation.last_heartbeat_ms + operation.heartbeat_timeout_ms;
  return silentAtMs < at_ms ? { at_ms: silentAtMs, limit: "progress" } : { at_ms, limit };
}

/** P23. */
export function continuesAttempt(turn: Turn): boolean {
  const end = turn.last_attempt?.end;
  return turn.holder === null && (end === "suspended" || end === "deferred");
}

/** Whether the turn has no attempt left after the present one. */
export function isExhausted(turn: Turn, instance: Instance): boolean {
  return countedAttempts(turn) >= instance.max_attempts;
}

/** The holder as the attempt that ended so. */
export function endedAttempt(turn: Turn, end: AttemptEnd): EndedAttempt | null {
  return turn.holder && { worker: turn.holder.worker, token: turn.holder.token, end };
}

/** P24: the turn as it is when it has failed for good. */
export function failedTurn(turn: Turn, instance: Instance, moment: Moment): Turn {
  return {
    ...turn,
    status: "failed",
    waiting_for: null,
    holder: null,
    skipped: instance.on_exhausted === "skip",
    finished_at_ms: moment.now_ms,
  };
}

/**
 * The turn as the next claim will find it: without an attempt that has run out of time, failed when that was its last.
 * A person sees it so and acts on it so, although nobody may come to claim it.
 */
export function settledTurn(turn: Turn, instance: Instance, moment: Moment): Turn {
  const end = attemptLimit(turn);
  if (end === null || end.at_ms > moment.now_ms) return turn;
  const ended = endAttempt(turn, moment);
  return isExhausted(ended, instance) ? failedTurn(ended, instance, moment) : ended;
}

/** The turn without its attempt, which has run out of time. */
export function endAttempt(turn: Turn, moment: Moment): Turn {
  const { limit } = present(attemptLimit(turn), "the limit of a held turn");
  const worker = turn.holder?.worker;
  return {
    ...turn,
    status: "queued",
    holder: null,
    last_attempt: endedAttempt(turn, "expired"),
    ready_at_ms: limit === "lease" ? turn.ready_at_ms : moment.now_ms + backoffMs(countedAttempts(turn)),
    error: `attempt ${turn.attempt} of worker ${worker} ended: ${ENDED_BY[limit]}`,
  };
}

const ENDED_BY: { readonly [limit in TimeLimit]: string } = {
  lease: "its lease ran out",
  operation: "its operation ran longer than its limit",
  progress: "its operation reported no progress in time",
};

/** Attempts that count. What a person forgave neither fails the turn nor lengthens its back-off. */
export function countedAttempts(turn: Turn): number {
  return turn.attempt - turn.forgiven_attempts;
}

/** The wait after so many counted attempts failed, milliseconds. */
export function backoffMs(failures: number): number {
  return Math.min(DEFAULTS.backoffCapMs, DEFAULTS.backoffFirstMs * 2 ** (failures - 1));
}
