/**
 * Equality of JSON values, the order of object keys apart. Builds nothing: it runs for each field of each version.
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
  let more = 0;
  for (const field in a) {
    more++;
    if (!Object.hasOwn(b, field) || !same(a[field], b[field])) return false;
  }
  for (const _ in b) more--;
  return more === 0;
}
