/**
 * What a message does: the business of the simulated workers, as pure functions.
 *
 * The workers run it and the checkers compute with it, so it needs nothing but the stored message.
 *
 *   W1  the state is a count and a running hash of the names of the messages taken, so its value tells which
 *       messages were taken and in which order.
 *   W2  a step's output depends on its effect id alone: it is the same in each attempt, on each worker.
 *   W3  the result depends on the state after the turn and on the outputs of all steps.
 *   W5  a continuation has as many places, with plain steps at all of them.
 *   W4  a failing attempt fails when it reaches the last step: earlier steps are saved by then, the last is not.
 */
import { fnv1a } from "../../src/std/hash.ts";
import { isJsonObject, type Json } from "../../src/std/json.ts";
import { type Act, readActs, STEP } from "./acts.ts";
import type { InstancePlan, MessagePlan } from "./workload.ts";

/** A message as it is sent. A continuation is a plain one, one turn shallower. */
export type Payload = PlainPayload | WaitingPayload;
type PlainPayload = {
  readonly name: string;
  readonly steps: number;
  readonly step_ms: number;
  readonly depth: number;
  readonly retryable: number;
  readonly fatal: boolean;
};
type WaitingPayload = PlainPayload & {
  /** What the handler does at each place. */
  readonly acts: readonly Act[];
  /** How many times its worker is turned away, for how long, and whether because the system is busy. */
  readonly away: readonly [times: number, ms: number, busy: boolean] | null;
};

export type OrderState = { readonly count: number; readonly log: string };

export interface Completion {
  readonly state: OrderState;
  readonly result: Json;
  readonly continuation: { readonly message: Payload } | null;
}

export function payloadOf(plan: MessagePlan): Payload {
  const { id, steps, stepMs, depth, retryable, fatal, acts, turnedAway } = plan;
  const payload = { name: id, steps, step_ms: stepMs, depth, retryable, fatal };
  if (acts === undefined) return payload;
  return { ...payload, acts, away: turnedAway ? [turnedAway.times, turnedAway.ms, turnedAway.busy] : null };
}

/** A stored message read back, or null when it is none of ours. */
export function readPayload(message: Json): Payload | null {
  if (!isJsonObject(message)) return null;
  const { name, steps, step_ms, depth, retryable, fatal } = message;
  if (typeof name !== "string" || typeof steps !== "number" || typeof step_ms !== "number") return null;
  if (typeof depth !== "number" || typeof retryable !== "number" || typeof fatal !== "boolean") return null;
  const payload = { name, steps, step_ms, depth, retryable, fatal };
  const acts = readActs(message.acts);
  return acts === null ? payload : { ...payload, acts, away: readAway(message.away) };
}

function readAway(value: Json | undefined): WaitingPayload["away"] {
  if (!Array.isArray(value)) return null;
  const [times, ms, busy] = value;
  if (typeof times !== "number" || typeof ms !== "number" || typeof busy !== "boolean") return null;
  return [times, ms, busy];
}

/** What the handler does at a place. */
export function actAt(payload: Payload, position: number): Act {
  return ("acts" in payload ? payload.acts[position] : null) ?? STEP;
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
  const { name, steps, step_ms, depth } = payload;
  return { message: { name: `${name}+`, steps, step_ms, depth: depth - 1, retryable: 0, fatal: false } };
}
