/**
 * Fail an attempt: another one after a back-off, or the turn fails for good and blocks the inbox.
 *
 *   P19  a failure changes neither the saved state nor the saved steps.
 *   P20  an exact repeat by the attempt that failed last is accepted and writes nothing.
 *
 * Source: seed 000 "Message API" (three attempts, back-off one second doubling to 60 seconds).
 */
import type { Instance } from "../vocabulary/instance.ts";
import { DEFAULTS } from "../vocabulary/limits.ts";
import type { FailRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered, withTurn } from "./inbox.ts";

export function fail(instance: Instance, request: FailRequest, moment: Moment): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  if (turn.last_attempt?.token === request.token && turn.last_attempt.end === "failed") return answer(turn);
  const fenced = fenceFailure(turn, request, moment);
  if (fenced !== null) return refuse(fenced);
  const final = request.non_retryable === true || turn.attempt >= instance.max_attempts;
  const next: Turn = {
    ...turn,
    status: final ? "failed" : "queued",
    holder: null,
    last_attempt: turn.holder && { worker: turn.holder.worker, token: turn.holder.token, end: "failed" },
    ready_at_ms: final ? turn.ready_at_ms : moment.now_ms + backoffMs(turn.attempt),
    error: request.error,
    finished_at_ms: final ? moment.now_ms : null,
    updated_at_ms: moment.now_ms,
    sequence: moment.sequence,
  };
  return write({ ...instance, turns: withTurn(instance, next), updated_at_ms: moment.now_ms }, next);
}

/** The wait after the given attempt failed, milliseconds. */
export function backoffMs(attempt: number): number {
  return Math.min(DEFAULTS.backoffCapMs, DEFAULTS.backoffFirstMs * 2 ** (attempt - 1));
}
