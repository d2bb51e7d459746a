/**
 * Canonical JSON (RFC 8785): one text for each JSON value, whatever the order of its keys.
 *
 * Used to decide whether a repeated request carries the same payload. Stored bodies are plain
 * `JSON.stringify`: their bytes are never compared.
 */
import canonicalize from "canonicalize";
import { present } from "./assert.ts";
import type { Json } from "./json.ts";

/** The canonical text of a JSON value. */
export function canonicalJson(value: Json): string {
  return present(canonicalize(value), "canonical JSON");
}

/** Whether two JSON values are equal, the order of object keys apart. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return canonicalJson(a) === canonicalJson(b);
}
