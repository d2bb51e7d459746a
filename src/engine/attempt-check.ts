/**
 * What a worker's call on its turn must be before it reaches the protocol (Q1 to Q3 of `request-check.ts`).
 *
 * Whether the token is the holder's, and whether a step may stand where it is sent, is the protocol's to say. What a turn
 * asks about other work is in `family-check.ts`.
 *
 * Fields that go together are checked together: a sleep has a length and no output, a step an output and no length, a
 * final failure no time to retry at. What is left out where the contract has a default is checked as that default.
 *
 * Does not own what the document decides: whether the time to retry at is far enough ahead of the node's clock, whether
 * a sequence rises, whether there is room in the turn.
 *
 * Source: contract sections 3, 3.1, 6; seed 000 "LLM runs, signals and progress", "Progress convention".
 */

import { characters } from "../std/characters.ts";
import { failure } from "../vocabulary/errors.ts";
import { DEFAULTS, LIMITS, OPERATION_MS, SLEEP_MS, WAIT_MS } from "../vocabulary/limits.ts";
import { progressFault } from "../vocabulary/progress.ts";
import type {
  CheckpointRequest,
  CompleteRequest,
  FailRequest,
  LeaseRequest,
  NextClaim,
  OperationRequest,
  ProgressRequest,
  WaitSignalRequest,
} from "../vocabulary/requests.ts";
import {
  type Check,
  checkBoolean,
  checkInteger,
  checkName,
  checkOneOf,
  checkUnreserved,
  checkValue,
} from "./field-check.ts";
import { checkClaim } from "./request-check.ts";

export function checkLease(request: LeaseRequest): Check {
  const named = checkName(request.workflow_id, "workflow_id");
  if (named !== null) return named;
  if (typeof request.token !== "string" || request.token === "" || request.token.length > LIMITS.idChars)
    return failure("invalid", "invalid_token", "token must be the token of a claimed task", "token");
  return checkInteger(request.turn, "turn", 1, Number.MAX_SAFE_INTEGER);
}

export function checkCheckpoint(request: CheckpointRequest): Check {
  return (
    checkLease(request) ??
    checkInteger(request.position, "position", 0, Number.MAX_SAFE_INTEGER) ??
    checkName(request.key, "key") ??
    checkOneOf(request.kind, "kind", "invalid_kind", ["step", "sleep"]) ??
    (request.kind === "sleep" ? checkSleep(request) : checkStep(request))
  );
}

/** The published client sends `output: null` with a sleep; both that and none are taken. */
function checkSleep(request: CheckpointRequest): Check {
  if ((request.output ?? null) !== null)
    return failure(
      "invalid",
      "sleep_with_output",
      "a sleep has no output: leave it out or send null",
      "output",
    );
  return checkInteger(request.delay_ms, "delay_ms", SLEEP_MS.min, SLEEP_MS.max);
}

function checkStep(request: CheckpointRequest): Check {
  if ((request.delay_ms ?? null) !== null)
    return failure("invalid", "step_with_delay", "only a sleep has a delay_ms: leave it out", "delay_ms");
  return checkValue(request.output, "output", LIMITS.outputBytes);
}

export function checkWaitSignal(request: WaitSignalRequest): Check {
  return (
    checkLease(request) ??
    checkInteger(request.position, "position", 0, Number.MAX_SAFE_INTEGER) ??
    checkName(request.key, "key") ??
    checkName(request.name, "name") ??
    checkUnreserved(request.name, "name") ??
    checkInteger(request.timeout_ms, "timeout_ms", WAIT_MS.min, WAIT_MS.max)
  );
}

export function checkOperation(request: OperationRequest): Check {
  const timeoutMs = request.timeout_ms ?? DEFAULTS.operationMs;
  const { min, max } = OPERATION_MS;
  return (
    checkLease(request) ??
    checkInteger(request.position, "position", 0, Number.MAX_SAFE_INTEGER) ??
    checkName(request.key, "key") ??
    checkOneOf(request.kind, "kind", "invalid_kind", ["step", "model", "tool"]) ??
    checkInteger(timeoutMs, "timeout_ms", min, max) ??
    checkInteger(request.heartbeat_timeout_ms ?? min, "heartbeat_timeout_ms", min, timeoutMs)
  );
}

/** Details with a phase follow the convention, all others are free. */
export function checkProgress(request: ProgressRequest): Check {
  const wrong =
    checkLease(request) ??
    checkName(request.key, "key") ??
    checkInteger(request.sequence, "sequence", 1, Number.MAX_SAFE_INTEGER) ??
    checkValue(request.details, "details", LIMITS.detailsBytes) ??
    checkValue(request.checkpoint, "checkpoint", LIMITS.resumeBytes);
  if (wrong !== null) return wrong;
  const fault = progressFault(request.details);
  if (fault === null) return null;
  const message = `details with a phase follow the progress convention: ${fault}`;
  return failure("invalid", "invalid_progress", message, "details");
}

export function checkComplete(request: CompleteRequest): Check {
  const continuation = request.continuation ?? null;
  return (
    checkLease(request) ??
    checkValue(request.state, "state", LIMITS.stateBytes) ??
    checkValue(request.result ?? null, "result", LIMITS.resultBytes) ??
    (continuation === null ? null : checkValue(continuation.message, "continuation", LIMITS.messageBytes)) ??
    checkFolded(request.steps) ??
    (request.next === undefined ? null : checkNext(request.next))
  );
}

/** Absent is fine. Each is checked as a checkpoint of its own would be. */
function checkFolded(steps: unknown): Check {
  if (steps === undefined) return null;
  if (!Array.isArray(steps) || steps.length > LIMITS.stepsPerTurn) {
    const message = `steps must be a list of at most ${LIMITS.stepsPerTurn} steps`;
    return failure("invalid", "invalid_steps", message, "steps");
  }
  for (const step of steps) {
    const wrong =
      checkInteger(step?.position, "position", 0, Number.MAX_SAFE_INTEGER) ??
      checkName(step?.key, "key") ??
      checkValue(step?.output, "output", LIMITS.outputBytes);
    if (wrong !== null) return wrong;
  }
  return null;
}

function checkNext(next: NextClaim | null): Check {
  if (next !== null && typeof next === "object") return checkClaim(next);
  return failure("invalid", "invalid_next", "next must name a worker and its workflows", "next");
}

export function checkFail(request: FailRequest): Check {
  const wrong = checkLease(request) ?? checkBoolean(request.non_retryable ?? false, "non_retryable");
  if (wrong !== null) return wrong;
  if (typeof request.error !== "string")
    return failure("invalid", "invalid_error", "error must be text", "error");
  const chars = characters(request.error);
  if (chars > LIMITS.errorChars) {
    const message = `error has ${chars} characters, the limit is ${LIMITS.errorChars}; shorten it`;
    return failure("over-limit", "error_too_long", message, "error");
  }
  const retryAtMs = request.retry_at_ms ?? null;
  if (retryAtMs !== null && request.non_retryable === true)
    return failure("invalid", "retry_of_final", "a failure that is final has no retry_at_ms", "retry_at_ms");
  if (request.reason != null && retryAtMs === null)
    return failure("invalid", "reason_without_wait", "reason goes with retry_at_ms", "reason");
  return (
    (retryAtMs === null ? null : checkInteger(retryAtMs, "retry_at_ms", 0, Number.MAX_SAFE_INTEGER)) ??
    (request.reason == null ? null : checkOneOf(request.reason, "reason", "invalid_reason", ["capacity"]))
  );
}
