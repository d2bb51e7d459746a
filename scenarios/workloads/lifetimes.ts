/**
 * Workloads of lifetimes as plain data: instances that live several lives, messages whose ids come again, blobs.
 *
 *   L1  a source of zeroes draws the smallest: one instance, one life, one message, no repeat, no blob.
 *   L2  message ids are the same in each life (`message-1`, `message-2`, …), so that a life could meet those of another.
 */
import type { ChoiceSource } from "../../sim/index.ts";
import type { Json } from "../../src/std/json.ts";
import { isObject } from "../checkers/shapes.ts";

export const KEPT = { workflow_type: "kept", version: "v1" };

/** What a message asks of its worker. */
export interface KeptPayload {
  readonly name: string;
  readonly steps: number;
  /** How long each step takes, milliseconds. */
  readonly step_ms: number;
  /** Where a blob is named: by the worker that puts it, in a step's output or in the state; by the keeper, in the message. */
  readonly blob: "none" | "output" | "state" | "message";
}

export interface KeptMessage {
  readonly id: string;
  readonly payload: KeptPayload;
  /** Milliseconds after the message before. */
  readonly waitMs: number;
  /** How often it is sent again, and how long after each answer. */
  readonly repeats: number;
  readonly repeatAfterMs: number;
}

export interface LifePlan {
  readonly messages: readonly KeptMessage[];
  /** How long after its last message the life is ended, milliseconds; null: it goes on. */
  readonly endsAfterMs: number | null;
  /** How many callers ask for the end at once. */
  readonly deleters: number;
}

export interface KeptInstance {
  readonly id: string;
  readonly lives: readonly LifePlan[];
}

/** What a scenario allows; each number is the largest. */
export interface LifetimeShape {
  readonly instances: number;
  readonly lives: number;
  readonly messages: number;
  readonly steps: number;
  readonly repeats: number;
  readonly repeatMs: number;
  readonly waitMs: number;
  readonly stepMs: number;
  readonly blobs: boolean;
}

export function drawLifetimes(choices: ChoiceSource, shape: LifetimeShape): readonly KeptInstance[] {
  const count = 1 + choices.choose(shape.instances, "lifetime-instances");
  return Array.from({ length: count }, (_, at) => {
    const lives = 1 + choices.choose(shape.lives, "lifetime-lives");
    return {
      id: `kept-${at + 1}`,
      lives: Array.from({ length: lives }, (_life, n) => drawLife(choices, shape, n === lives - 1)),
    };
  });
}

function drawLife(choices: ChoiceSource, shape: LifetimeShape, last: boolean): LifePlan {
  const count = 1 + choices.choose(shape.messages, "lifetime-messages");
  const messages = Array.from({ length: count }, (_, n) => drawMessage(choices, shape, n + 1));
  if (last) return { messages, endsAfterMs: null, deleters: 1 };
  const endsAfterMs = 100 * choices.choose(30, "lifetime-end");
  return { messages, endsAfterMs, deleters: 1 + choices.choose(2, "lifetime-deleters") };
}

/** The first message that may name the blob of its life. */
const LATE = 5;

function drawMessage(choices: ChoiceSource, shape: LifetimeShape, n: number): KeptMessage {
  // The blob of the messages is put first. Named early it would stay; named late it may have been given up.
  const last = n < LATE ? "none" : "message";
  const blobs = [last, "output", "state", last] as const;
  const payload: KeptPayload = {
    name: `message-${n}`,
    steps: 1 + choices.choose(shape.steps, "lifetime-steps"),
    step_ms: 100 * choices.choose(1 + shape.stepMs / 100, "lifetime-step"),
    blob: shape.blobs ? (blobs[choices.choose(blobs.length, "lifetime-blob")] ?? "none") : "none",
  };
  const repeats = choices.choose(1 + shape.repeats, "lifetime-repeats");
  return {
    id: payload.name,
    payload,
    waitMs: 100 * choices.choose(1 + shape.waitMs / 100, "lifetime-wait"),
    repeats,
    repeatAfterMs: repeats === 0 ? 0 : 100 * choices.choose(1 + shape.repeatMs / 100, "lifetime-repeat"),
  };
}

export function isKeptPayload(value: Json): value is Json & KeptPayload {
  return isObject(value) && typeof value.steps === "number" && typeof value.step_ms === "number";
}
