/**
 * Canonical JSON: one text for each JSON value, whatever the order of its keys.
 *
 * The text of RFC 8785, and beyond it for strings with a lone surrogate: the RFC stops at them, but JSON text can
 * hold them, so a request can. They stay escaped, as `JSON.stringify` writes them.
 *
 * Used to decide whether a repeated request carries the same payload. Stored bodies are plain
 * `JSON.stringify`: their bytes are never compared.
 */
import { isJsonObject, type Json } from "./json.ts";

/** The canonical text of a JSON value: keys in the order of their UTF-16 code units, no white space. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(",")}}`;
}

/** Whether two JSON values are equal, the order of object keys apart. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return canonicalJson(a) === canonicalJson(b);
}
