/**
 * The pace of a node's writes of one key, for stores that take only so many of them in a second.
 *
 *   B1  a write waits until no more than the rest of a second's writes are younger than a second, counted from their answers:
 *       then the store has taken them before, however long each was on its way. So writes may come close together as long as
 *       there are few; with one in a second they keep their distance. Who waits has its place, so callers that wait do not
 *       start at once; a place that is not used is given up, or it would be counted for good. Who has waited and whose
 *       version is past by then reads again before it uses its place (`isPast`). A version that this node finds and did not
 *       write itself counts as a write at the time of the read: it was before. So one that writes on what it has read leaves
 *       room for others as well; one that does not is refused by its condition, which the store counts for nothing.
 *   B2  the limit is what the configuration says, and of a key that was throttled less: as many writes as there were in the
 *       second before. When those were few, somebody else had the rest, or something else was the matter: then half of what
 *       was the limit, and `FIRST` where there was none. After `CALM` writes that were taken it is twice as much again, and
 *       from `FIRST` on none.
 *   B3  a limit that this node has reached by itself (`FIRST` or more in a second) is the store's own, most likely: it is kept
 *       for `SURE` writes, and twice as long each time it is met again, up to `SUREST`.
 *   B4  a hint of one node: two that write at the very same time are not kept apart, and what is too much is refused and
 *       tried again after a back-off (`backoff.ts`).
 *
 * Source: catalogue B29, I17.
 */
import type { Etag, PutOutcome } from "../ports/object-store.ts";

const SECOND_MS = 1_000;
/** B2. */
const FIRST = 8;
const CALM = 16;
/** B3. */
const SURE = 256;
const SUREST = 1_024;
/** Writes of one key that are remembered; a limit above that is none. */
const TIMES = 128;
/** Keys that are remembered; with more, all are forgotten. */
const KEYS = 10_000;

/** So many writes in so many milliseconds. */
interface Limit {
  readonly writes: number;
  readonly withinMs: number;
}

const NO_LIMIT: Limit = { writes: Number.POSITIVE_INFINITY, withinMs: SECOND_MS };

interface Key {
  /** When the last writes were answered or found, monotonic milliseconds, ascending; those that are too old may be missing. */
  readonly doneMs: number[];
  /** When those that are not answered yet may begin, ascending. */
  readonly placesMs: number[];
  /** B2: writes in a second; infinite: no limit was learned. */
  learned: number;
  /** Writes taken since then, and how many it takes until the limit is doubted. */
  taken: number;
  needed: number;
  /** Of the version that this node wrote or found last. */
  etag: Etag | null;
}

export class KeyPace {
  readonly #told: Limit;
  readonly #keys = new Map<string, Key>();

  /** `writesPerSecond` of one key, also less than one; null: no limit is known. */
  constructor(writesPerSecond: number | null) {
    this.#told = writesPerSecond === null ? NO_LIMIT : limitOf(writesPerSecond);
  }

  /** From one write to the next, when each second has as many as it may. */
  distanceMs(key: string): number {
    const { writes, withinMs } = this.#limitOf(this.#keys.get(key));
    return Math.ceil(withinMs / writes);
  }

  /** Takes the next place among the writes of the key; answers how long to wait for it, milliseconds (B1). */
  waitMs(key: string, nowMs: number): number {
    const found = this.#keys.get(key);
    const { writes, withinMs } = this.#limitOf(found);
    if (writes === Number.POSITIVE_INFINITY) return 0;
    const { doneMs, placesMs } = found ?? this.#begin(key);
    const all = placesMs.length === 0 ? doneMs : [...doneMs, ...placesMs].sort((a, b) => a - b);
    const atMs = Math.max(nowMs, (all.at(-writes) ?? nowMs - withinMs) + withinMs);
    placesMs.push(atMs);
    return atMs - nowMs;
  }

  /** Whether this node has written or found another version of the key since it met this one (B1). */
  isPast(key: string, etag: Etag | null): boolean {
    const known = this.#keys.get(key)?.etag ?? null;
    return known !== null && known !== etag;
  }

  /** The place is not used after all: what was to be written was decided otherwise. */
  gaveUp(key: string): void {
    this.#keys.get(key)?.placesMs.shift();
  }

  /** Hears of the version that a read has found (B1). */
  found(key: string, etag: Etag, nowMs: number): void {
    const known = this.#keys.get(key);
    const limit = this.#limitOf(known);
    if (limit === NO_LIMIT || known?.etag === etag) return;
    const met = known ?? this.#begin(key);
    met.etag = etag;
    note(met.doneMs, nowMs, limit);
  }

  /** Hears what became of a write. */
  answered(key: string, outcome: PutOutcome, nowMs: number): void {
    const known = this.#keys.get(key) ?? this.#begin(key);
    const { doneMs, placesMs } = known;
    placesMs.shift();
    if (outcome.kind === "throttled") this.#learn(known, nowMs);
    else if (known.learned !== Number.POSITIVE_INFINITY && ++known.taken >= known.needed) doubt(known);
    if (outcome.kind === "ok") known.etag = outcome.etag;
    note(doneMs, nowMs, this.#limitOf(known));
  }

  #limitOf(known: Key | undefined): Limit {
    if (known === undefined || known.learned * this.#told.withinMs >= this.#told.writes * SECOND_MS)
      return this.#told;
    return { writes: known.learned, withinMs: SECOND_MS };
  }

  /** B2, B3. */
  #learn(known: Key, nowMs: number): void {
    let taken = 0;
    for (const ms of known.doneMs) if (ms > nowMs - SECOND_MS) taken++;
    const limit = Math.min(known.learned, this.#told.writes);
    if (limit === Number.POSITIVE_INFINITY) known.learned = Math.max(FIRST, taken);
    else if (2 * taken >= limit) known.learned = Math.max(1, Math.min(taken, limit - 1));
    else known.learned = Math.max(1, Math.floor(limit / 2));
    known.needed = taken < FIRST ? CALM : Math.min(SUREST, Math.max(SURE, 2 * known.needed));
    known.taken = 0;
  }

  #begin(key: string): Key {
    if (this.#keys.size >= KEYS) this.#keys.clear();
    const begun: Key = {
      doneMs: [],
      placesMs: [],
      learned: Number.POSITIVE_INFINITY,
      taken: 0,
      needed: 0,
      etag: null,
    };
    this.#keys.set(key, begun);
    return begun;
  }
}

function limitOf(writesPerSecond: number): Limit {
  const writes = Math.max(1, Math.floor(writesPerSecond));
  return { writes, withinMs: Math.ceil((SECOND_MS * writes) / writesPerSecond) };
}

function note(doneMs: number[], nowMs: number, { withinMs }: Limit): void {
  const oldestMs = nowMs - Math.max(SECOND_MS, withinMs);
  let old = doneMs.length < TIMES ? 0 : 1;
  while (old < doneMs.length && (doneMs[old] ?? nowMs) <= oldestMs) old++;
  if (old > 0) doneMs.splice(0, old);
  doneMs.push(nowMs);
}

/** B2. */
function doubt(known: Key): void {
  known.learned = known.learned < FIRST ? 2 * known.learned : Number.POSITIVE_INFINITY;
  known.taken = 0;
}
