/**
 * Families: instances whose turns start children, send work back and go over to another version, as plain data and pure
 * functions.
 *
 *   E1  a message says all that its turn does; a state tells which messages were taken, in which order, and has another
 *       form in each version. So anybody can compute what must come out.
 *   E2  a source of zeroes draws the smallest family: one parent, one message that does nothing.
 */
import type { ChoiceSource } from "../../sim/index.ts";
import { fnv1a } from "../../src/std/hash.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/std/json.ts";

export const PARENT = "parent";
export const CHILD = "child";

/** What a family may be; each number is the largest. */
export interface FamilyShape {
  readonly parents: number;
  readonly messages: number;
  /** Children of one turn. */
  readonly children: number;
  /** Children that fail for good, are continued, or are waited for too shortly. */
  readonly oddChildren: boolean;
  /** How often a turn's work is sent back. */
  readonly again: number;
  /** Steps of a turn besides its children. */
  readonly steps: number;
  /** The longest that all but a parent's first message may be later than those before, seconds; absent: a few. */
  readonly lateSeconds?: number;
}

export interface ParentPlan {
  readonly id: string;
  readonly messages: readonly {
    readonly id: string;
    readonly payload: ParentPayload;
    readonly sendAtMs: number;
  }[];
}

export type ChildPayload = {
  readonly name: string;
  readonly fails: boolean;
  readonly depth: number;
  readonly ms: number;
};
export type ParentPayload = {
  readonly name: string;
  readonly steps: number;
  readonly again: number;
  /** How long the parent waits for each, and what it is to do. */
  readonly children: readonly (ChildPayload & { readonly timeout_ms: number })[];
};

const PATIENT_MS = 3_600_000;
const HURRIED_MS = 2_000;
/** Sent back once in most cases: each next time takes four times as long. */
const AGAIN = [0, 1, 1, 1, 2, 4];

export function drawFamily(choices: ChoiceSource, shape: FamilyShape): readonly ParentPlan[] {
  const parents: ParentPlan[] = [];
  const count = 1 + choices.choose(shape.parents, "family-parents");
  for (let p = 1; p <= count; p++) {
    const id = `parent-${p}`;
    const messages: ParentPlan["messages"][number][] = [];
    const sends = 1 + choices.choose(shape.messages, "family-messages");
    for (let m = 1; m <= sends; m++) {
      const name = `${id}-message-${m}`;
      const lateSeconds = m === 1 ? 0 : (shape.lateSeconds ?? 0);
      const lateMs = lateSeconds === 0 ? 0 : 1_000 * choices.choose(lateSeconds, "family-late");
      const sendAtMs = lateMs + 500 * choices.choose(10, "family-send");
      messages.push({ id: name, payload: drawPayload(choices, shape, name), sendAtMs });
    }
    parents.push({ id, messages });
  }
  return parents;
}

function drawPayload(choices: ChoiceSource, shape: FamilyShape, name: string): ParentPayload {
  const steps = shape.steps === 0 ? 0 : choices.choose(1 + shape.steps, "family-steps");
  const again = shape.again === 0 ? 0 : (AGAIN[choices.choose(AGAIN.length, "family-again")] ?? 0);
  const children: ParentPayload["children"][number][] = [];
  const count = shape.children === 0 ? 0 : choices.choose(1 + shape.children, "family-children");
  for (let n = 0; n < count; n++) {
    const odd = shape.oddChildren ? choices.choose(6, "family-odd") : 0;
    children.push({
      name: `${name}/${n}`,
      fails: odd === 1,
      depth: odd === 2 ? 1 : 0,
      ms: 300 * choices.choose(5, "family-child-ms"),
      timeout_ms: odd === 3 ? HURRIED_MS : PATIENT_MS,
    });
  }
  return { name, steps, again: Math.min(again, shape.again), children };
}

/** What a turn sends back: the same message, to be done once more. */
export function againOf(payload: ParentPayload): ParentPayload {
  return { ...payload, name: `${payload.name}~`, again: payload.again - 1, children: [], steps: 0 };
}

export function isParentPayload(message: Json): message is ParentPayload {
  return (
    isJsonObject(message) &&
    typeof message.name === "string" &&
    typeof message.again === "number" &&
    typeof message.steps === "number" &&
    Array.isArray(message.children)
  );
}

export function isChildPayload(message: Json): message is ChildPayload {
  return (
    isJsonObject(message) &&
    typeof message.name === "string" &&
    typeof message.fails === "boolean" &&
    typeof message.depth === "number" &&
    typeof message.ms === "number"
  );
}

/** E1: the first state of a parent, in the first version. */
export const FIRST_STATE: JsonObject = { count: 0, log: "start" };

/** The state of version v1 in the form of v2; null: it is none. */
export function migrated(state: Json): JsonObject | null {
  if (!isJsonObject(state) || typeof state.count !== "number" || typeof state.log !== "string") return null;
  return { total: state.count, log: state.log };
}

/** The state after a message, in the form of the version that took it; null: the state has another form. */
export function taken(state: Json, version: string, name: string): JsonObject | null {
  if (!isJsonObject(state) || typeof state.log !== "string") return null;
  const log = fnv1a(`${state.log} ${name}`).toString(16);
  const { count, total } = state;
  if (version === "v1")
    return typeof count === "number" && total === undefined ? { count: count + 1, log } : null;
  return typeof total === "number" && count === undefined ? { total: total + 1, log } : null;
}
