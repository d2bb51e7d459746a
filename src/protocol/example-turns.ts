/**
 * Instances whose head is in each status a turn can have, for tests: made by the commands, as in `examples.ts`.
 *
 * The head is turn 1 of `i-1`, its attempt `t1`; turn 2 is queued behind it. Not part of the engine: nothing imports it
 * but tests.
 */
import type { Json } from "../std/json.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type {
  ControlAction,
  CreateRequest,
  OperationRequest,
  ProgressRequest,
  SignalRequest,
  WaitSignalRequest,
} from "../vocabulary/requests.ts";
import { checkpoint } from "./checkpoint.ts";
import { control } from "./control.ts";
import { at, claimed, completed, completion, created, lease, sent, step, T0, written } from "./examples.ts";
import { fail } from "./fail.ts";
import { operation } from "./operation.ts";
import { progress } from "./progress.ts";
import { signal } from "./signal.ts";
import { waitSignal } from "./wait-signal.ts";

export const LEASE = 1_000;
/** A wait of the examples ends this long after T0. */
export const WAIT = 500;

export function sleepOf(token: string, position = 0, delayMs: number = WAIT) {
  return { ...step(token, position), kind: "sleep" as const, output: null, delay_ms: delayMs };
}

export function waitOf(token: string, fields: Partial<WaitSignalRequest> = {}): WaitSignalRequest {
  return { ...lease(token), position: 0, key: "wait", name: "go", timeout_ms: WAIT, ...fields };
}

export function signalOf(id: string, fields: Partial<SignalRequest> = {}): SignalRequest {
  return { workflow_id: "i-1", turn: 1, id, name: "go", value: id, ...fields };
}

export function operationOf(token: string, fields: Partial<OperationRequest> = {}): OperationRequest {
  return { ...lease(token), position: 0, key: "op", kind: "tool", timeout_ms: 300, ...fields };
}

export function reportOf(
  token: string,
  sequence: number,
  fields: Partial<ProgressRequest> = {},
): ProgressRequest {
  return { ...lease(token), key: "op", sequence, details: { at: sequence }, checkpoint: sequence, ...fields };
}

export function failureOf(token: string, fields: object = {}) {
  return { ...lease(token), error: "x", ...fields };
}

export function ask(action: ControlAction, turn: number | null = null) {
  return { workflow_id: "i-1", action, turn };
}

/** What the control writes; it must write. */
export function controlled(
  instance: Instance,
  action: ControlAction,
  turn: number | null = null,
  nowMs = T0,
) {
  return written(control(instance, ask(action, turn), at(nowMs, 50))).next;
}

export function signalled(instance: Instance, id: string, nowMs = T0, value: Json = id): Instance {
  return written(signal(instance, signalOf(id, { value }), at(nowMs))).next;
}

export function queued(fields: Partial<CreateRequest> = {}): Instance {
  return sent(sent(created({ lease_ms: LEASE, ...fields }), "m-1"), "m-2");
}

/** Turn 1 in each status. Each is a function of the one before: nothing here holds state. */
export const running = claimed(queued(), "t1");
export const sleeping = written(checkpoint(running, sleepOf("t1"), at())).next;
export const awaiting = written(waitSignal(running, waitOf("t1"), at())).next;
export const deferred = written(fail(running, failureOf("t1", { retry_at_ms: T0 + 5_000 }), at())).next;
export const failed = written(fail(running, failureOf("t1", { non_retryable: true }), at())).next;
/** It waits for its back-off. */
export const retrying = written(fail(running, failureOf("t1"), at())).next;
export const skipped = controlled(failed, "skip", 1);
export const cancelled = controlled(running, "cancel_turn", 1);
export const finished = completed(running, completion("t1"));
/** The last attempt that the instance allows is running, and its lease ends. */
export const lastTry = claimed(queued({ max_attempts: 1 }), "t1");
export const operating = written(operation(running, operationOf("t1"), at())).next;
export const reported = written(progress(operating, reportOf("t1", 1), at(T0 + 10))).next;
