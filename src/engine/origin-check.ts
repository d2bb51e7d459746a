/**
 * What an origin must be: a kind that a sender may set, and fields of their types, in at most 1 KiB.
 *
 * An origin is closed: a field that is none of these is refused, because what the views show is what a client draws.
 * The kind `continuation` is set by the engine alone. Characters are counted as people count them, by code point.
 *
 * Source: seed 000 "Message origins"; contract section 7.
 */
import { characters } from "../std/characters.ts";
import { isJson, isJsonObject, type Json, jsonBytes } from "../std/json.ts";
import { failure } from "../vocabulary/errors.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";
import { SENDER_ORIGINS } from "../vocabulary/turn.ts";
import type { Check } from "./field-check.ts";

const LIST_ENTRIES = 32;
const ACTOR_CHARS = 128;
const NOTE_CHARS = 280;

/** Null: the value is right; otherwise what it must be, in words. */
type Rule = (value: Json) => string | null;

const RULES: { readonly [field: string]: Rule } = {
  kind: (value) =>
    SENDER_ORIGINS.some((kind) => kind === value) ? null : `one of ${SENDER_ORIGINS.join(", ")}`,
  trigger: name,
  reason: name,
  event: name,
  from_seq: whole,
  to_seq: whole,
  target_seq: whole,
  attempt: whole,
  fields: texts,
  requests: texts,
  actor: (value) => textOf(value, ACTOR_CHARS),
  note: (value) => textOf(value, NOTE_CHARS),
};

/** Absent is fine. */
export function checkOrigin(origin: unknown): Check {
  if (origin === undefined) return null;
  if (!isJson(origin) || !isJsonObject(origin)) return wrong("origin must be an object", "origin");
  for (const [field, value] of Object.entries(origin)) {
    const rule = Object.hasOwn(RULES, field) ? RULES[field] : undefined;
    if (rule === undefined) return wrong(`origin has no field ${field.slice(0, NOTE_CHARS)}`, "origin");
    const must = rule(value);
    if (must !== null) return wrong(`origin.${field} must be ${must}`, `origin.${field}`);
  }
  if (!Object.hasOwn(origin, "kind")) return wrong("origin must have a kind", "origin.kind");
  const bytes = jsonBytes(origin);
  if (bytes <= LIMITS.originBytes) return null;
  const message = `origin takes ${bytes} bytes, the limit is ${LIMITS.originBytes}; shorten its lists or its note`;
  return failure("over-limit", "value_too_large", message, "origin");
}

function wrong(message: string, param: string): Check {
  return failure("invalid", "invalid_origin", message, param);
}

function name(value: Json): string | null {
  return isName(value) ? null : NAME_RULE;
}

function whole(value: Json): string | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? null : "a whole number";
}

function texts(value: Json): string | null {
  const fits =
    Array.isArray(value) && value.length <= LIST_ENTRIES && value.every((one) => typeof one === "string");
  return fits ? null : `a list of at most ${LIST_ENTRIES} texts`;
}

function textOf(value: Json, chars: number): string | null {
  return typeof value === "string" && characters(value) <= chars
    ? null
    : `text of at most ${chars} characters`;
}
