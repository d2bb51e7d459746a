/**
 * JSON values and their sizes.
 *
 * Sizes are UTF-8 bytes of `JSON.stringify`, which is what a store is sent and what the limits count.
 */

/** Any JSON value. `undefined` is not one. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** UTF-8 bytes of the value as JSON text. */
export function jsonBytes(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The parsed value, or `undefined` when the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the value is a JSON object (not null, not an array). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy that shares nothing with the value, so that changing one of them in place leaves the other alone. */
export function copyJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: { [key: string]: Json } = {};
  for (const [key, inner] of Object.entries(value)) {
    // Assigned, this one key would set the copy's prototype.
    if (key === "__proto__")
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, copyJson(v)]));
    copy[key] = copyJson(inner);
  }
  return copy;
}

/**
 * Whether the value is JSON all through and is stored as it is: no `undefined`, function, symbol, bigint, NaN or
 * Infinity, no cycle, no hole in an array, no object of a class (a `Date` would come back as text, a `Map` empty).
 */
export function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === "boolean" || typeof value === "string") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > MAX_DEPTH) return false;
  if (!Array.isArray(value) && !isPlain(value)) return false;
  const inner: unknown[] = Array.isArray(value) ? [...value] : Object.values(value);
  return inner.every((item) => isJson(item, depth + 1));
}

/** Whether the object is of no class; also when it was made in another realm, which has its own `Object`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Deeper nesting is refused: it serves nobody and overflows stacks. */
const MAX_DEPTH = 200;
