/**
 * What a request of a caller must be before it reaches the protocol: names, ranges, sizes. Nothing is read or written
 * yet. A worker's calls on its turn are in `attempt-check.ts`.
 *
 *   Q1  the first thing wrong is named, with its field.
 *   Q2  a field of a wrong type is `invalid`, never an exception: requests come from outside the type checker.
 *   Q3  a value over its limit is refused whole, never cut.
 *
 * Does not own what depends on the stored document (fences, places of steps, the room in an inbox or a turn): that is
 * `protocol`. Fields that no request has are refused by whoever parses it.
 *
 * Source: contract sections 1, 2, 3, 6; seed 000 "Message API".
 */
import { isTurnAction } from "../protocol/control.ts";
import { failure } from "../vocabulary/errors.ts";
import { CONTINUATION_PREFIX, LEASE_MS, LIMITS, MAX_ATTEMPTS, REQUEUE_PREFIX } from "../vocabulary/limits.ts";
import type {
  ClaimRequest,
  ControlRequest,
  CreateRequest,
  SendRequest,
  SignalRequest,
} from "../vocabulary/requests.ts";
import {
  type Check,
  checkInteger,
  checkName,
  checkOneOf,
  checkUnreserved,
  checkValue,
} from "./field-check.ts";
import { checkOrigin } from "./origin-check.ts";

export function checkCreate(request: CreateRequest): Check {
  return (
    checkName(request.id, "id") ??
    checkName(request.workflow_type, "workflow_type") ??
    checkName(request.version, "version") ??
    checkValue(request.state ?? null, "state", LIMITS.stateBytes) ??
    checkInteger(request.lease_ms ?? LEASE_MS.min, "lease_ms", LEASE_MS.min, LEASE_MS.max) ??
    checkInteger(
      request.max_attempts ?? MAX_ATTEMPTS.min,
      "max_attempts",
      MAX_ATTEMPTS.min,
      MAX_ATTEMPTS.max,
    ) ??
    checkOneOf(request.on_exhausted ?? "block", "on_exhausted", "invalid_on_exhausted", ["block", "skip"])
  );
}

export function checkSend(request: SendRequest): Check {
  const named = checkName(request.workflow_id, "workflow_id") ?? checkName(request.id, "id");
  if (named !== null) return named;
  const prefix = [CONTINUATION_PREFIX, REQUEUE_PREFIX].find((one) => request.id.startsWith(one));
  if (prefix !== undefined) {
    const message = `message ids that begin with ${prefix} are made by the engine; choose another id`;
    return failure("invalid", "reserved_message_id", message, "id");
  }
  return checkValue(request.message, "message", LIMITS.messageBytes) ?? checkOrigin(request.origin);
}

export function checkSignal(request: SignalRequest): Check {
  return (
    checkName(request.workflow_id, "workflow_id") ??
    checkInteger(request.turn, "turn", 1, Number.MAX_SAFE_INTEGER) ??
    checkName(request.id, "id") ??
    checkName(request.name, "name") ??
    checkUnreserved(request.id, "id") ??
    checkUnreserved(request.name, "name") ??
    checkValue(request.value, "value", LIMITS.signalBytes)
  );
}

const ACTIONS = ["pause", "resume", "retry", "skip", "cancel_turn", "wake"];

export function checkControl(request: ControlRequest): Check {
  const wrong =
    checkName(request.workflow_id, "workflow_id") ??
    checkOneOf(request.action, "action", "invalid_action", ACTIONS);
  if (wrong !== null) return wrong;
  const turn = request.turn ?? null;
  if (turn === null && !isTurnAction(request.action)) return null;
  return checkInteger(turn, "turn", 1, Number.MAX_SAFE_INTEGER);
}

/** Absent is fine. */
function checkMigratesFrom(versions: unknown): Check {
  if (versions === undefined) return null;
  if (!Array.isArray(versions) || versions.length > LIMITS.migratesFrom) {
    const message = `migrates_from must be a list of at most ${LIMITS.migratesFrom} versions`;
    return failure("invalid", "invalid_migrates_from", message, "migrates_from");
  }
  for (const version of versions) {
    const named = checkName(version, "migrates_from");
    if (named !== null) return named;
  }
  return null;
}

export function checkClaim(request: ClaimRequest): Check {
  if (!Array.isArray(request.workflows) || request.workflows.length === 0) {
    const message = "a claim names at least one workflow type and version";
    return failure("invalid", "no_workflows", message, "workflows");
  }
  for (const one of request.workflows) {
    const named =
      checkName(one?.workflow_type, "workflow_type") ??
      checkName(one?.version, "version") ??
      checkMigratesFrom(one.migrates_from);
    if (named !== null) return named;
  }
  return (
    checkName(request.worker, "worker") ??
    checkInteger(request.wait_ms ?? 0, "wait_ms", 0, Number.MAX_SAFE_INTEGER)
  );
}
