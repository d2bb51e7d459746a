/**
 * The border between an author's types and JSON.
 *
 * Types of states, messages and step outputs are the author's word: nothing at run time can know that a stored value has
 * the shape that the code expects. What goes the other way is checked: only JSON values leave a workflow.
 */
import { copyJson, isJson, type Json } from "../std/json.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

/** The value as the type that its reader says it has. */
export function fromJson<T>(value: Json): T {
  // The one place where a stored value is given the author's type; see the header.
  return value as T;
}

/** A copy of the author's value, which must be JSON all through. `what` names it for people. */
export function toJson(value: unknown, what: string): Json {
  if (isJson(value)) return copyJson(value);
  const rule = "null, booleans, finite numbers, texts, and plain lists and objects of them";
  throw new WorkflowUsageError(`${what} must be a JSON value (${rule}), not ${described(value)}`);
}

function described(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return "a value with something else inside (undefined, a class, a function, a cycle)";
}
