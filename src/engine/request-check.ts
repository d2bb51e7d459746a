/**
 * What a request must be before it reaches the protocol: names, ranges, sizes. Nothing is read or written yet.
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
import { isJson, jsonBytes } from "../std/json.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { CONTINUATION_PREFIX, LEASE_MS, LIMITS, MAX_ATTEMPTS } from "../vocabulary/limits.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  CreateRequest,
  FailRequest,
  LeaseRequest,
  SendRequest,
} from "../vocabulary/requests.ts";

type Check = Failure | null;

export function checkCreate(request: CreateRequest): Check {
  return (
    checkName(request.id, "id") ??
    checkName(request.workflow_type, "workflow_type") ??
    checkName(request.version, "version") ??
    checkValue(request.state ?? null, "state", LIMITS.stateBytes) ??
    checkInteger(request.lease_ms ?? LEASE_MS.min, "lease_ms", LEASE_MS.min, LEASE_MS.max) ??
    checkInteger(request.max_attempts ?? MAX_ATTEMPTS.min, "max_attempts", MAX_ATTEMPTS.min, MAX_ATTEMPTS.max)
  );
}

export function checkSend(request: SendRequest): Check {
  const named = checkName(request.workflow_id, "workflow_id") ?? checkName(request.id, "id");
  if (named !== null) return named;
  if (request.id.startsWith(CONTINUATION_PREFIX)) {
    const message = `message ids that begin with ${CONTINUATION_PREFIX} are made by the engine; choose another id`;
    return failure("invalid", "reserved_message_id", message, "id");
  }
  return checkValue(request.message, "message", LIMITS.messageBytes);
}

export function checkClaim(request: ClaimRequest): Check {
  if (!Array.isArray(request.workflows) || request.workflows.length === 0) {
    const message = "a claim names at least one workflow type and version";
    return failure("invalid", "no_workflows", message, "workflows");
  }
  for (const one of request.workflows) {
    const named = checkName(one?.workflow_type, "workflow_type") ?? checkName(one?.version, "version");
    if (named !== null) return named;
  }
  return (
    checkName(request.worker, "worker") ??
    checkInteger(request.wait_ms ?? 0, "wait_ms", 0, Number.MAX_SAFE_INTEGER)
  );
}

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
    checkKind(request.kind) ??
    checkValue(request.output, "output", LIMITS.outputBytes)
  );
}

export function checkComplete(request: CompleteRequest): Check {
  const continuation = request.continuation ?? null;
  return (
    checkLease(request) ??
    checkValue(request.state, "state", LIMITS.stateBytes) ??
    checkValue(request.result ?? null, "result", LIMITS.resultBytes) ??
    (continuation === null ? null : checkValue(continuation.message, "continuation", LIMITS.messageBytes))
  );
}

export function checkFail(request: FailRequest): Check {
  const lease = checkLease(request);
  if (lease !== null) return lease;
  if (typeof request.error !== "string")
    return failure("invalid", "invalid_error", "error must be text", "error");
  if (request.error.length <= LIMITS.errorChars) return null;
  const message = `error has ${request.error.length} characters, the limit is ${LIMITS.errorChars}; shorten it`;
  return failure("over-limit", "error_too_long", message, "error");
}

/** `param` is the field's name in the contract. */
export function checkName(value: unknown, param: string): Check {
  if (isName(value)) return null;
  return failure("invalid", "invalid_name", `${param} must be ${NAME_RULE}`, param);
}

export function checkInteger(value: unknown, param: string, min: number, max: number): Check {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return null;
  const range = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `from ${min} to ${max}`;
  return failure("invalid", "invalid_number", `${param} must be a whole number ${range}`, param);
}

function checkKind(kind: unknown): Check {
  if (kind === "step") return null;
  return failure("invalid", "invalid_kind", "kind must be step", "kind");
}

function checkValue(value: unknown, param: string, limitBytes: number): Check {
  if (!isJson(value)) return failure("invalid", "invalid_json", `${param} must be a JSON value`, param);
  const bytes = jsonBytes(value);
  if (bytes <= limitBytes) return null;
  const message = `${param} takes ${bytes} bytes, the limit is ${limitBytes}; keep large values outside and send a reference`;
  return failure("over-limit", "value_too_large", message, param);
}
