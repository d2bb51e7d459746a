/**
 * What a message does: the business of the simulated workers, as pure functions.
 *
 * The workers run it and the checkers compute with it, so it needs nothing but the stored message.
 *
 *   W1  the state is a count and a running hash of the names of the messages taken, so its value tells which
 *       messages were taken and in which order.
 *   W2  a step's output depends on its effect id alone: it is the same in each attempt, on each worker.
 *   W3  the result depends on the state after the turn and on the outputs of all steps.
 *   W4  a failing attempt fails when it reaches the last step: earlier steps are saved by then, the last is not.
 */
import { fnv1a } from "../../src/std/hash.ts";
import { isJsonObject, type Json } from "../../src/std/json.ts";
import type { InstancePlan, MessagePlan } from "./workload.ts";

/** A message as it is sent. A continuation has the same shape, one turn shallower. */
export type Payload = {
  readonly name: string;
  readonly steps: number;
  readonly step_ms: number;
  readonly depth: number;
  readonly retryable: number;
  readonly fatal: boolean;
};

export type OrderState = { readonly count: number; readonly log: string };

export interface Completion {
  readonly state: OrderState;
  readonly result: Json;
  readonly continuation: { readonly message: Payload } | null;
}

export function payloadOf(plan: MessagePlan): Payload {
  const { id, steps, stepMs, depth, retryable, fatal } = plan;
  return { name: id, steps, step_ms: stepMs, depth, retryable, fatal };
}

/** A stored message read back, or null when it is none of ours. */
export function readPayload(message: Json): Payload | null {
  if (!isJsonObject(message)) return null;
  const { name, steps, step_ms, depth, retryable, fatal } = message;
  if (typeof name !== "string" || typeof steps !== "number" || typeof step_ms !== "number") return null;
  if (typeof depth !== "number" || typeof retryable !== "number" || typeof fatal !== "boolean") return null;
  return { name, steps, step_ms, depth, retryable, fatal };
}

export function initialState(plan: InstancePlan): OrderState {
  return { count: plan.initialCount, log: "start" };
}

/** A stored state read back, or null when it is none of ours. */
export function readState(state: Json): OrderState | null {
  if (!isJsonObject(state)) return null;
  const { count, log } = state;
  return typeof count === "number" && typeof log === "string" ? { count, log } : null;
}

export function stepKey(position: number): string {
  return `step-${position}`;
}

/** W2. */
export function stepOutput(effectId: string): Json {
  return { effect: effectId, value: fnv1a(effectId) };
}

/** W4: what the given attempt, from 1, comes to. */
export function verdict(payload: Payload, attempt: number): "completes" | "fails" | "fails-for-good" {
  if (attempt <= payload.retryable) return "fails";
  return payload.fatal ? "fails-for-good" : "completes";
}

/** W1: the state after a message. */
export function fold(state: OrderState, name: string): OrderState {
  const log = fnv1a(`${state.log} ${name}`).toString(16).padStart(8, "0");
  return { count: state.count + 1, log };
}

/** W1, W3: how a turn ends that completes. */
export function completion(state: OrderState, payload: Payload, outputs: readonly Json[]): Completion {
  const after = fold(state, payload.name);
  const digest = fnv1a(outputs.map((output) => JSON.stringify(output)).join(" "));
  const result = { name: payload.name, count: after.count, outputs: outputs.length, digest };
  return { state: after, result, continuation: continuationOf(payload) };
}

function continuationOf(payload: Payload): Completion["continuation"] {
  if (payload.depth === 0) return null;
  const { name, depth } = payload;
  return { message: { ...payload, name: `${name}+`, depth: depth - 1, retryable: 0, fatal: false } };
}
