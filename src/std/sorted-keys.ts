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
export const PAGE_LIMIT = 1000;

/** A code unit's rank among code units in UTF-8 order: surrogates go above the rest of the basic plane. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Negative, zero or positive, as `a` stands before, at or after `b` in UTF-8 byte order. */
export function compareKeys(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
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

  #firstNotBefore(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const candidate = this.#keys[middle];
      if (candidate !== undefined && compareKeys(candidate, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
