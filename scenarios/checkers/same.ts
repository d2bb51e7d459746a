/**
 * Equality of JSON values, the order of object keys apart. Builds no text: it runs for each field of each version.
 */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  if (Array.isArray(b)) return false;
  return sameFields(a, b);
}

function sameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!same(a[i], b[i])) return false;
  return true;
}

function sameFields(a: object, b: object): boolean {
  const rest = new Map(Object.entries(b));
  for (const [key, value] of Object.entries(a)) {
    if (!rest.has(key) || !same(value, rest.get(key))) return false;
    rest.delete(key);
  }
  return rest.size === 0;
}
