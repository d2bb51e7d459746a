/**
 * Shapes of stored values: whether a parsed JSON value is an instance, a turn, an index.
 *
 * Looks at each field that a checker reads, once for each stored body, so that the checkers can trust their types.
 * Shares nothing with the engine's codecs: only the types, which say what the format ought to hold.
 *
 * Tables instead of code: a type of this module is the list of its fields, `?` means that null is allowed. What it
 * cannot see: fields that no checker reads, and fields that ought not to be there.
 */
import type { IndexEntry, Instance, Turn, WriteStamp } from "../../src/index.ts";

/** `?`: or null. `json`: anything, as long as it is there. */
type FieldType = "string" | "number" | "string?" | "number?" | "array" | "object?" | "json";
type Fields = readonly (readonly [name: string, type: FieldType])[];

const TURN: Fields = [
  ["number", "number"],
  ["message_id", "string"],
  ["message", "json"],
  ["status", "string"],
  ["attempt", "number"],
  ["ready_at_ms", "number"],
  ["created_at_ms", "number"],
  ["steps", "array"],
  ["holder", "object?"],
  ["last_attempt", "object?"],
  ["result", "json"],
  ["state_after", "json"],
  ["error", "string?"],
  ["continued_to", "number?"],
];
/** The attempt that holds a turn. */
const HOLDER: Fields = [
  ["worker", "string"],
  ["token", "string"],
  ["deadline_ms", "number"],
];
/** The attempt before. */
const ENDED: Fields = [
  ["worker", "string"],
  ["token", "string"],
  ["end", "string"],
];
const STEP: Fields = [
  ["key", "string"],
  ["kind", "string"],
  ["output", "json"],
];
const INSTANCE: Fields = [
  ["id", "string"],
  ["workflow_type", "string"],
  ["version", "string"],
  ["incarnation", "string"],
  ["lease_ms", "number"],
  ["max_attempts", "number"],
  ["initial_digest", "string"],
  ["created_at_ms", "number"],
  ["state", "json"],
  ["completed_turns", "number"],
  ["next_turn", "number"],
  ["history_through", "number"],
  ["turns", "array"],
];
/** An entry of the scheduling index. */
const ENTRY: Fields = [
  ["workflow_type", "string"],
  ["version", "string"],
  ["status", "string"],
  ["ready_at_ms", "number?"],
  ["sequence", "number"],
];
const STAMP: Fields = [
  ["sequence", "number"],
  ["write_id", "string"],
  ["lineage", "array"],
];

export function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isTurn(value: unknown): value is Turn {
  if (!isObject(value) || !has(value, TURN)) return false;
  const { holder, last_attempt, steps } = value;
  if (holder !== null && !(isObject(holder) && has(holder, HOLDER))) return false;
  if (last_attempt !== null && !(isObject(last_attempt) && has(last_attempt, ENDED))) return false;
  return Array.isArray(steps) && steps.every((step) => isObject(step) && has(step, STEP));
}

export function isInstance(value: unknown): value is Instance {
  if (!isObject(value) || !has(value, INSTANCE)) return false;
  const { turns } = value;
  return Array.isArray(turns) && turns.every(isTurn);
}

export function isStamp(value: unknown): value is WriteStamp {
  return isObject(value) && has(value, STAMP);
}

export function isEntry(value: unknown): value is IndexEntry {
  return isObject(value) && has(value, ENTRY);
}

function has(value: { readonly [field: string]: unknown }, fields: Fields): boolean {
  for (const [name, type] of fields) if (!isA(value[name], type)) return false;
  return true;
}

function isA(value: unknown, type: FieldType): boolean {
  switch (type) {
    case "string":
    case "number":
      return typeof value === type;
    case "string?":
      return value === null || typeof value === "string";
    case "number?":
      return value === null || typeof value === "number";
    case "array":
      return Array.isArray(value);
    case "object?":
      return value === null || isObject(value);
    case "json":
      return value !== undefined;
  }
}
