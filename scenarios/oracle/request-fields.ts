/**
 * Fields of logged requests, with the defaults of the contract (sections 2 and 3, seed 000 "Message API").
 *
 * The callers are our own and log what they send, so a field of another type than the contract's is taken as text, as a
 * number or as absent. Whether the engine refuses such a request is none of the oracle's business.
 */
import type { Json } from "../../src/std/json.ts";
import { isObject } from "../checkers/shapes.ts";
import type { Creation, Ending, ModelInstance } from "./model.ts";
import type { Folded, NewStep, OperationStart, Report } from "./model-steps.ts";

export type Request = { readonly [field: string]: unknown };

const DEFAULT_LEASE_MS = 60_000;
const DEFAULT_ATTEMPTS = 3;
const DEFAULT_OPERATION_MS = 300_000;

export function creationOf(request: Request): Creation {
  return {
    workflow_type: String(request.workflow_type),
    version: String(request.version),
    state: jsonOf(request.state),
    lease_ms: numberOr(request.lease_ms, DEFAULT_LEASE_MS),
    max_attempts: numberOr(request.max_attempts, DEFAULT_ATTEMPTS),
    on_exhausted: String(request.on_exhausted ?? "block"),
  };
}

/** What a completion asks for. */
export function endingOf(request: Request): Ending {
  const { continuation } = request;
  const follows = isObject(continuation) ? { message: jsonOf(continuation.message) } : null;
  return {
    token: String(request.token),
    state: jsonOf(request.state),
    result: jsonOf(request.result),
    continuation: follows,
    steps: Array.isArray(request.steps) ? request.steps.map(foldedOf) : [],
  };
}

/** A plain step that a completion saves. */
function foldedOf(step: unknown): Folded {
  const { position, key, output } = isObject(step) ? step : {};
  return { position: Number(position), step: stepOf({ key, output, kind: "step" }) };
}

/** The step that a checkpoint or a wait asks to save. */
export function stepOf(request: Request): NewStep {
  const key = String(request.key);
  const { name } = request;
  if (typeof name === "string")
    return { key, kind: "signal", output: null, delayMs: Number(request.timeout_ms), signalName: name };
  if (request.kind === "sleep")
    return { key, kind: "sleep", output: null, delayMs: Number(request.delay_ms), signalName: null };
  return { key, kind: "step", output: jsonOf(request.output), delayMs: null, signalName: null };
}

export function operationOf(request: Request): OperationStart {
  const { heartbeat_timeout_ms } = request;
  return {
    position: Number(request.position),
    key: String(request.key),
    kind: String(request.kind),
    token: String(request.token),
    timeoutMs: numberOr(request.timeout_ms, DEFAULT_OPERATION_MS),
    heartbeatMs: typeof heartbeat_timeout_ms === "number" ? heartbeat_timeout_ms : null,
  };
}

export function reportOf(request: Request): Report {
  return {
    key: String(request.key),
    token: String(request.token),
    sequence: Number(request.sequence),
    details: jsonOf(request.details),
    checkpoint: jsonOf(request.checkpoint),
  };
}

/** The version of an instance is pinned: a claim gets it only when it names it. */
export function serves(workflows: unknown, shown: unknown, { creation: own }: ModelInstance): boolean {
  if (shown !== undefined && shown !== own.workflow_type) return false;
  if (!Array.isArray(workflows)) return false;
  return workflows.some(
    (one: unknown) => isObject(one) && one.workflow_type === own.workflow_type && one.version === own.version,
  );
}

export function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

/** What is absent is null. */
export function jsonOf(value: unknown): Json {
  return isJsonValue(value) ? value : null;
}

function isJsonValue(value: unknown): value is Json {
  return value !== undefined;
}
