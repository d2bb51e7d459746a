/**
 * Shapes of stored values: whether a parsed JSON value is an instance, a turn, an index.
 *
 * Looks at each field that a checker reads, once for each stored body, so that the checkers can trust their types.
 * Shares nothing with the engine's codecs: only the types, which say what the format ought to hold.
 *
 * Stored turns, steps, signals and operations are told apart by where they stand, not by a field that says what they
 * are; a value of the wrong shape makes its whole body unreadable, which the checker of the format reports.
 *
 * Tables instead of code: a type of this module is the list of its fields, `?` means that null is allowed. What it
 * cannot see: fields that no checker reads, and fields that ought not to be there.
 */
import type { IndexEntry, Instance, Tombstone, Turn, WriteStamp } from "../../src/index.ts";

/** `?`: or null. `json`: anything, as long as it is there. */
type FieldType = "string" | "number" | "boolean" | "string?" | "number?" | "array" | "object?" | "json";
type Fields = readonly (readonly [name: string, type: FieldType])[];

const TURN: Fields = [
  ["number", "number"],
  ["message_id", "string"],
  ["message", "json"],
  ["status", "string"],
  ["waiting_for", "string?"],
  ["attempt", "number"],
  ["forgiven_attempts", "number"],
  ["ready_at_ms", "number"],
  ["created_at_ms", "number"],
  ["steps", "array"],
  ["signals", "array"],
  ["operation", "object?"],
  ["holder", "object?"],
  ["last_attempt", "object?"],
  ["result", "json"],
  ["state_after", "json"],
  ["error", "string?"],
  ["skipped", "boolean"],
  ["finished_at_ms", "number?"],
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
  ["at_ms", "number"],
  ["delay_ms", "number?"],
  ["wake_at_ms", "number?"],
  ["signal_name", "string?"],
];
/** An event that a turn received. */
const SIGNAL: Fields = [
  ["id", "string"],
  ["name", "string"],
  ["value", "json"],
  ["at_ms", "number"],
  ["consumed_by", "string?"],
];
/** A step in progress. */
const OPERATION: Fields = [
  ["key", "string"],
  ["kind", "string"],
  ["attempt", "number"],
  ["token", "string"],
  ["started_at_ms", "number"],
  ["deadline_ms", "number"],
  ["timeout_ms", "number"],
  ["heartbeat_timeout_ms", "number?"],
  ["last_heartbeat_ms", "number"],
  ["sequence", "number"],
  ["details", "json"],
  ["checkpoint", "json"],
];
const INSTANCE: Fields = [
  ["id", "string"],
  ["workflow_type", "string"],
  ["version", "string"],
  ["incarnation", "string"],
  ["lease_ms", "number"],
  ["max_attempts", "number"],
  ["on_exhausted", "string"],
  ["paused", "boolean"],
  ["initial_digest", "string"],
  ["created_at_ms", "number"],
  ["state", "json"],
  ["completed_turns", "number"],
  ["next_turn", "number"],
  ["history_through", "number"],
  ["history_pruned_through", "number"],
  ["history_ids", "string"],
  ["turns", "array"],
  ["deferred", "array"],
];
const LAYOUT: Fields = [
  ["segment_turns", "number"],
  ["page_turns", "number"],
];
const TOMBSTONE: Fields = [
  ["id", "string"],
  ["life", "number"],
  ["deleted_at_ms", "number"],
  ["turns_through", "number"],
  ["erased_through", "number"],
  ["history_layout", "object?"],
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
  const { holder, last_attempt, steps, signals, operation } = value;
  if (holder !== null && !(isObject(holder) && has(holder, HOLDER))) return false;
  if (last_attempt !== null && !(isObject(last_attempt) && has(last_attempt, ENDED))) return false;
  if (operation !== null && !(isObject(operation) && has(operation, OPERATION))) return false;
  return isListOf(steps, STEP) && isListOf(signals, SIGNAL);
}

export function isInstance(value: unknown): value is Instance {
  if (!isObject(value) || !has(value, INSTANCE)) return false;
  const { turns, history_layout } = value;
  if (!isObject(history_layout) || !has(history_layout, LAYOUT)) return false;
  return Array.isArray(turns) && turns.every(isTurn);
}

/** Exactly these fields: a tombstone keeps no payload. */
export function isTombstone(value: unknown): value is Tombstone {
  if (!isObject(value) || !has(value, TOMBSTONE) || typeof value.erased !== "boolean") return false;
  return Object.keys(value).length === TOMBSTONE.length + 1;
}

export function isStamp(value: unknown): value is WriteStamp {
  return isObject(value) && has(value, STAMP);
}

export function isEntry(value: unknown): value is IndexEntry {
  return isObject(value) && has(value, ENTRY);
}

function isListOf(value: unknown, fields: Fields): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && has(item, fields));
}

function has(value: { readonly [field: string]: unknown }, fields: Fields): boolean {
  for (const [name, type] of fields) if (!isA(value[name], type)) return false;
  return true;
}

function isA(value: unknown, type: FieldType): boolean {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
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
