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
  let fields = "";
  // The order in which `sort` puts strings by itself is that of their code units.
  for (const key of Object.keys(value).sort())
    fields += `${fields === "" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`;
  return `{${fields}}`;
}

/** Whether two JSON values are equal, the order of object keys apart. */
export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object") return false;
  return canonicalJson(a) === canonicalJson(b);
}
