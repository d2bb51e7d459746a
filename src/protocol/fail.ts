/**
 * Fail an attempt: another one after a back-off, or the turn fails for good; or a wait that counts no attempt.
 *
 *   P19  a failure changes neither the saved state nor the saved steps.
 *   P20  an exact repeat (the same error, and again with or without a time) by the attempt that failed or was deferred
 *        last is accepted and writes nothing. What else that attempt says is fenced: it has ended.
 *   P40  with a time to retry at, the turn waits until then and its attempt goes on with the next claim (P23); a
 *        person ends the wait sooner (`wake`, `resume`).
 *
 * Source: seed 000 "Message API" (three attempts, back-off one second doubling to 60 seconds), "Safe writes, waits
 * and failing instances".
 */
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { RETRY_AHEAD_MS } from "../vocabulary/limits.ts";
import type { FailRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { backoffMs, countedAttempts, endedAttempt, failedTurn, isExhausted } from "./attempt.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { writeTurn } from "./turn-write.ts";

export function fail(instance: Instance, request: FailRequest, moment: Moment): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const retryAtMs = request.retry_at_ms ?? null;
  const end = retryAtMs === null ? "failed" : "deferred";
  const { last_attempt: last } = turn;
  if (last?.token === request.token && last.end === end && turn.error === request.error) return answer(turn);
  const fenced = fenceFailure(turn, request, moment);
  if (fenced !== null) return refuse(fenced);
  if (retryAtMs !== null && retryAtMs < moment.now_ms + RETRY_AHEAD_MS) {
    const message = `retry_at_ms must be at least ${RETRY_AHEAD_MS} ms ahead of the node's time, ${moment.now_ms}`;
    return refuse(failure("invalid", "retry_too_soon", message, "retry_at_ms"));
  }
  const next =
    retryAtMs === null ? failing(turn, instance, request, moment) : deferring(turn, retryAtMs, request);
  return writeTurn(instance, next, moment);
}

function failing(turn: Turn, instance: Instance, request: FailRequest, moment: Moment): Turn {
  const ended: Turn = {
    ...turn,
    status: "queued",
    holder: null,
    last_attempt: endedAttempt(turn, "failed"),
    error: request.error,
  };
  if (request.non_retryable === true || isExhausted(turn, instance))
    return failedTurn(ended, instance, moment);
  return { ...ended, ready_at_ms: moment.now_ms + backoffMs(countedAttempts(turn)) };
}

/** P40. */
function deferring(turn: Turn, retryAtMs: number, request: FailRequest): Turn {
  return {
    ...turn,
    status: "waiting",
    waiting_for: request.reason === "capacity" ? "capacity" : "retry",
    holder: null,
    last_attempt: endedAttempt(turn, "deferred"),
    ready_at_ms: retryAtMs,
    error: request.error,
  };
}
