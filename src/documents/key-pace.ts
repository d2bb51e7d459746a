/**
 * The distance between a node's writes of one key, for stores that take only so many of them in a second.
 *
 *   B1  a write waits until the one before it is that long ago, counted from its answer: then the store has taken it
 *       before, however long either was on its way. Who waits has its place, so callers that wait do not start at once.
 *       A version that this node finds and did not write itself counts as a write at the time of the read: it was before. So
 *       one that writes on what it has read keeps the distance to others as well; one that does not is refused by its
 *       condition, which the store counts for nothing.
 *   B2  the distance is what the configuration says, and of a key that was throttled longer: twice as long each time, up to
 *       `LONGEST_MS`, and half as long again after `CALM` writes that were taken.
 *   B3  a hint of one node: two that write at the very same time are not kept apart, and what is too much is refused and
 *       tried again after a back-off (`backoff.ts`).
 *
 * Source: catalogue B29, I17.
 */
import type { Etag, PutOutcome } from "../ports/object-store.ts";

/** B2. */
const FIRST_MS = 125;
const LONGEST_MS = 1_000;
const CALM = 16;
/** Keys that are remembered; with more, all are forgotten. */
const KEYS = 10_000;

interface Key {
  /** Monotonic milliseconds. */
  readonly freeMs: number;
  /** B2: beyond the configured distance, milliseconds; 0: none. */
  readonly learnedMs: number;
  readonly taken: number;
  /** Of the version that this node wrote or found last. */
  readonly etag: Etag | null;
}

const UNKNOWN: Key = { freeMs: 0, learnedMs: 0, taken: 0, etag: null };

export class KeyPace {
  readonly #distanceMs: number;
  readonly #keys = new Map<string, Key>();

  /** `writesPerSecond` of one key; null: no limit is known. */
  constructor(writesPerSecond: number | null) {
    this.#distanceMs = writesPerSecond === null ? 0 : Math.ceil(1_000 / writesPerSecond);
  }

  distanceMs(key: string): number {
    return Math.max(this.#distanceMs, this.#keys.get(key)?.learnedMs ?? 0);
  }

  /** Takes the next place among the writes of the key; answers how long to wait for it, milliseconds (B1). */
  waitMs(key: string, nowMs: number): number {
    const distanceMs = this.distanceMs(key);
    if (distanceMs === 0) return 0;
    const known = this.#keys.get(key);
    const atMs = Math.max(nowMs, known?.freeMs ?? nowMs);
    this.#keep(key, { ...(known ?? UNKNOWN), freeMs: atMs + distanceMs });
    return atMs - nowMs;
  }

  /** Hears of the version that a read has found (B1). */
  found(key: string, etag: Etag, nowMs: number): void {
    const distanceMs = this.distanceMs(key);
    const known = this.#keys.get(key) ?? UNKNOWN;
    if (distanceMs === 0 || known.etag === etag) return;
    this.#keep(key, { ...known, etag, freeMs: Math.max(known.freeMs, nowMs + distanceMs) });
  }

  /** Hears what became of a write. */
  answered(key: string, outcome: PutOutcome, nowMs: number): void {
    const { kind } = outcome;
    const known = this.#keys.get(key) ?? UNKNOWN;
    let { learnedMs, taken } = known;
    const etag = outcome.kind === "ok" ? outcome.etag : known.etag;
    if (kind === "throttled") {
      learnedMs = Math.min(LONGEST_MS, Math.max(FIRST_MS, 2 * learnedMs));
      taken = 0;
    } else if (learnedMs > 0 && ++taken >= CALM) {
      learnedMs = learnedMs > FIRST_MS ? learnedMs / 2 : 0;
      taken = 0;
    }
    const distanceMs = Math.max(this.#distanceMs, learnedMs);
    if (distanceMs === 0) this.#keys.delete(key);
    else this.#keep(key, { learnedMs, taken, etag, freeMs: Math.max(known.freeMs, nowMs + distanceMs) });
  }

  #keep(key: string, known: Key): void {
    if (this.#keys.size >= KEYS && !this.#keys.has(key)) this.#keys.clear();
    this.#keys.set(key, known);
  }
}
