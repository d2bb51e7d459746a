/**
 * Equality of JSON values, the order of object keys apart. It runs for each field of each version.
 */
import { isObject } from "./shapes.ts";

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  return isObject(a) && isObject(b) && sameFields(a, b);
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
  return true;
}

function sameFields(
  a: { readonly [field: string]: unknown },
  b: { readonly [field: string]: unknown },
): boolean {
  // By a list of names: a loop over the object itself is compiled anew again and again by newer versions of V8.
  const fields = Object.keys(a);
  if (fields.length !== Object.keys(b).length) return false;
  for (const field of fields) if (!Object.hasOwn(b, field) || !same(a[field], b[field])) return false;
  return true;
}
