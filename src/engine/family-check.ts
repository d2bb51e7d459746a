/**
 * What a turn's request about other work must be before it reaches the protocol (Q1 to Q3 of `request-check.ts`).
 *
 * A key becomes part of an engine-made name, which has to stay within the length of a name; so it may be shorter than
 * other keys. Source: seed 000 "Safe writes, waits and failing instances".
 */
import { requeueId } from "../protocol/requeue.ts";
import { replyName } from "../protocol/start-child.ts";
import { characters } from "../std/characters.ts";
import { failure } from "../vocabulary/errors.ts";
import { CHILD_PREFIX, LIMITS, WAIT_MS } from "../vocabulary/limits.ts";
import type { MigrateRequest, RequeueRequest, StartChildRequest } from "../vocabulary/requests.ts";
import { checkLease } from "./attempt-check.ts";
import { type Check, checkInteger, checkName, checkValue } from "./field-check.ts";
import { checkCreate } from "./request-check.ts";

export function checkStartChild(request: StartChildRequest): Check {
  const { key, position, timeout_ms } = request;
  return (
    checkLease(request) ??
    checkInteger(position, "position", 0, Number.MAX_SAFE_INTEGER) ??
    checkKey(key, replyName(key)) ??
    checkCreate({ ...request, id: CHILD_PREFIX }) ??
    checkValue(request.message, "message", LIMITS.messageBytes) ??
    checkInteger(timeout_ms, "timeout_ms", WAIT_MS.min, WAIT_MS.max)
  );
}

export function checkMigrate(request: MigrateRequest): Check {
  return (
    checkLease(request) ??
    checkName(request.from, "from") ??
    checkName(request.to, "to") ??
    checkValue(request.state, "state", LIMITS.stateBytes)
  );
}

export function checkRequeue(request: RequeueRequest): Check {
  const wrong = checkLease(request) ?? checkKey(request.key, requeueId(request.turn, request.key));
  if (wrong !== null) return wrong;
  const { instances } = request;
  if (!Array.isArray(instances) || instances.length < 1 || instances.length > LIMITS.requeuedInstances) {
    const message = `instances must be a list of 1 to ${LIMITS.requeuedInstances}; use another key for the others`;
    return failure("invalid", "invalid_instances", message, "instances");
  }
  for (const one of instances) {
    const named = checkText(one?.instance, "instance") ?? checkText(one?.error, "error");
    if (named !== null) return named;
  }
  const sent = request.message === undefined ? { requeue: instances } : request.message;
  const param = request.message === undefined ? "instances" : "message";
  return checkValue(sent, param, LIMITS.messageBytes);
}

/** `made` is the name that the engine makes of the key. */
function checkKey(key: unknown, made: string): Check {
  const named = checkName(key, "key");
  if (named !== null || made.length <= LIMITS.idChars) return named;
  const message = `the key is too long by ${made.length - LIMITS.idChars} characters: ${made} must fit a name`;
  return failure("invalid", "invalid_name", message, "key");
}

/** An instance here is whatever the sender calls one, for example the IRI of a record. */
function checkText(value: unknown, param: string): Check {
  if (typeof value === "string" && characters(value) <= LIMITS.errorChars) return null;
  const message = `each ${param} must be text of at most ${LIMITS.errorChars} characters`;
  return failure("invalid", "invalid_instances", message, "instances");
}
