/**
 * The object store as the engine sees it: keys, bodies, etags and conditional writes.
 *
 * Owns the closed unions of outcomes. Does not own retries: one call is one request, and whoever calls owns
 * what follows. An adapter never throws for anything that a store can answer.
 *
 * Rules that every adapter keeps (`object-store.contract.ts` runs them):
 *   O1  a write answered `ok` is applied exactly once, and its etag names exactly that body or an equal one; only
 *       one without a condition, or an `if-absent` on a key that was deleted in between, may have been applied before by
 *       a send of the same call (catalogue F04);
 *   O2  a write answered `precondition-failed`, `not-found` or `conflict` on its first send is not applied;
 *   O3  a write answered `throttled` or `unknown-outcome` may be applied, now or at any later time;
 *   O4  a condition is checked and the write applied in one step of the store;
 *   O5  a get that starts after a write was answered `ok` sees that write or a later one;
 *   O6  a listing, followed page by page through `next` to its end, shows each key with the prefix, and after
 *       `startAfter`, that was there all the while at least once. No order is promised (S3 Express has none), and
 *       a page may be shorter than its limit, even empty, although more follow.
 *
 * The engine treats O6 as a hint only: nothing is decided from a list.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue part 4 (status table), B01-B28.
 */

/** An opaque version token of one key. Equal bodies may have equal etags (catalogue F09, B24). */
export type Etag = string;

/** The condition a put carries. */
export type PutCondition =
  | { readonly kind: "none" }
  | { readonly kind: "if-absent" }
  | { readonly kind: "if-match"; readonly etag: Etag };

/** The condition a delete carries. A store may ignore it (Ceph, Hetzner), so the engine never relies on it. */
export type DeleteCondition = { readonly kind: "none" } | { readonly kind: "if-match"; readonly etag: Etag };

/** The store asked to slow down (429, 503). The request may still have been applied (catalogue B07). */
export interface Throttled {
  readonly kind: "throttled";
  readonly retryAfterMs: number | null;
}

/**
 * No answer that tells what happened: a reset, a time-out, a 5xx. For a read: no answer, try again. For a
 * write: it has neither failed nor succeeded, and may still land. `detail` is for people and is the same text
 * for a lost request and a lost answer.
 */
export interface UnknownOutcome {
  readonly kind: "unknown-outcome";
  readonly detail: string;
}

export type GetOutcome =
  | { readonly kind: "ok"; readonly body: string; readonly etag: Etag }
  | { readonly kind: "not-found" }
  | Throttled
  | UnknownOutcome;

export type PutOutcome =
  | { readonly kind: "ok"; readonly etag: Etag }
  /** 412: the condition did not hold when the store looked; perhaps because an earlier send of this very write landed. */
  | { readonly kind: "precondition-failed" }
  /** 404 to an `if-match`: the key is gone. */
  | { readonly kind: "not-found" }
  /** 409: another operation was in flight; says nothing about the key (catalogue B15). */
  | { readonly kind: "conflict" }
  | Throttled
  | UnknownOutcome;

export type DeleteOutcome =
  /** The key is gone; also when it was never there. */
  | { readonly kind: "ok" }
  | { readonly kind: "precondition-failed" }
  | { readonly kind: "not-found" }
  | { readonly kind: "conflict" }
  | Throttled
  | UnknownOutcome;

export interface ListEntry {
  readonly key: string;
  readonly etag: Etag;
}

/** Where a listing goes on: opaque, issued by the store with one page and good for the next one of that prefix. */
export type ListCursor = string;

export type ListOutcome =
  /** `next`: null on the last page. */
  | { readonly kind: "ok"; readonly entries: readonly ListEntry[]; readonly next: ListCursor | null }
  | Throttled
  | UnknownOutcome;

export interface ListRequest {
  readonly prefix: string;
  /** Only keys strictly after this one, in UTF-8 byte order; absent or null: all. The same on each page. */
  readonly startAfter?: string | null;
  /** The `next` of the page before; null for the first page. */
  readonly cursor: ListCursor | null;
  /** At most this many keys, 1 to 1,000. */
  readonly limit: number;
}

/** A store of objects with conditional writes. Bodies are text, UTF-8 on the wire. */
export interface ObjectStore {
  get(key: string): Promise<GetOutcome>;
  put(key: string, body: string, condition: PutCondition): Promise<PutOutcome>;
  delete(key: string, condition: DeleteCondition): Promise<DeleteOutcome>;
  list(request: ListRequest): Promise<ListOutcome>;
}

export const NO_CONDITION: { readonly kind: "none" } = { kind: "none" };
export const IF_ABSENT: PutCondition = { kind: "if-absent" };
export function ifMatch(etag: Etag): { readonly kind: "if-match"; readonly etag: Etag } {
  return { kind: "if-match", etag };
}
