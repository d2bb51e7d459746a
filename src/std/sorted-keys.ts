/**
 * Keys in the order of their UTF-8 bytes, and pages of them: how an object store lists.
 *
 * JavaScript compares UTF-16 code units, which differs from UTF-8 where a surrogate meets U+E000 to U+FFFF.
 * A key is well-formed Unicode; lone surrogates have no UTF-8 and no defined place.
 *
 * Insertion costs a binary search and a move of the tail: meant for thousands of keys, not for millions.
 */
import { assert } from "./assert.ts";

/** Most keys of one page. */
const PAGE_LIMIT = 1000;

/** A code unit's rank among code units in UTF-8 order: surrogates go above the rest of the basic plane. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** How many code units the two share from the start; the first `from` are known to be equal. */
function sharedLength(a: string, b: string, from: number): number {
  const shorter = Math.min(a.length, b.length);
  let i = from;
  while (i < shorter && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}

/** The order of two keys that share exactly `shared` code units: negative, zero or positive. */
function orderBehind(a: string, b: string, shared: number): number {
  if (shared === a.length || shared === b.length) return a.length - b.length;
  return rank(a.charCodeAt(shared)) - rank(b.charCodeAt(shared));
}

/** Negative, zero or positive, as `a` stands before, at or after `b` in UTF-8 byte order. */
export function compareKeys(a: string, b: string): number {
  return orderBehind(a, b, sharedLength(a, b, 0));
}

export interface KeyPage {
  readonly keys: readonly string[];
  /** More keys follow the last one. */
  readonly truncated: boolean;
}

/** A sorted set of keys. */
export class SortedKeys {
  readonly #keys: string[] = [];

  get size(): number {
    return this.#keys.length;
  }

  /** Adds a key; one that is there stays. */
  add(key: string): void {
    const at = this.#firstNotBefore(key);
    if (this.#keys[at] !== key) this.#keys.splice(at, 0, key);
  }

  /** Removes a key, if it is there. */
  remove(key: string): void {
    const at = this.#firstNotBefore(key);
    if (this.#keys[at] === key) this.#keys.splice(at, 1);
  }

  /** The first `limit` keys with the prefix that stand strictly after `startAfter`. */
  page(prefix: string, startAfter: string | null, limit: number): KeyPage {
    assert(
      Number.isInteger(limit) && limit >= 1 && limit <= PAGE_LIMIT,
      `a page limit of 1 to ${PAGE_LIMIT}`,
    );
    const from = this.#pageStart(prefix, startAfter);
    let end = from;
    while (end < from + limit && this.#keys[end]?.startsWith(prefix)) end++;
    return { keys: this.#keys.slice(from, end), truncated: this.#keys[end]?.startsWith(prefix) === true };
  }

  #pageStart(prefix: string, startAfter: string | null): number {
    if (startAfter === null || compareKeys(startAfter, prefix) < 0) return this.#firstNotBefore(prefix);
    const at = this.#firstNotBefore(startAfter);
    return this.#keys[at] === startAfter ? at + 1 : at;
  }

  /**
   * The index of the first key at or after this one. The last and the first key are looked at first: what both
   * ends of a stretch share with `key`, everything between them shares, so later looks start behind it.
   */
  #firstNotBefore(key: string): number {
    let low = -1;
    let high = this.#keys.length;
    let lowShared = 0;
    let highShared = 0;
    for (let look = 0; high - low > 1; look++) {
      const at = look === 0 ? high - 1 : look === 1 ? low + 1 : (low + high) >>> 1;
      const candidate = this.#keys[at] ?? "";
      const shared = sharedLength(candidate, key, Math.min(lowShared, highShared));
      if (orderBehind(candidate, key, shared) < 0) {
        low = at;
        lowShared = shared;
      } else {
        high = at;
        highShared = shared;
      }
    }
    return high;
  }
}
