/**
 * A store profile as data: how one store behaves where stores differ, what it costs and how long it takes.
 *
 * One run has one profile (catalogue, composition rules of part 2). A profile with a `defect` is a broken store: it
 * exists to be refused by the start-up probe, or to break an invariant.
 */
import type { EtagMode, MissingKeyAnswer } from "../../../src/ports/semantics.ts";

/** Milliseconds of a whole request: half of all are faster than `p50`, one in a hundred is slower than `p99`. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

export interface StoreLatency {
  readonly getMs: Spread;
  /** A put that creates, or has no condition; also a delete. */
  readonly createMs: Spread;
  /** A put on the condition of an etag. */
  readonly replaceMs: Spread;
  readonly listMs: Spread;
}

/** US dollars for a million requests. A refused request costs as much as one that is taken. */
export interface StorePrice {
  readonly putUsd: number;
  readonly getUsd: number;
  readonly listUsd: number;
  readonly deleteUsd: number;
}

/** What a broken store does that no sound one does. */
export type Defect =
  | "conditions-ignored"
  | "conditions-not-atomic"
  | "conditions-per-endpoint"
  | "recreate-refused"
  | "missing-key-creates"
  | "etag-by-mtime"
  | "stale-reads"
  | "stale-reads-of-others"
  | "list-skips"
  | "list-repeats";

export interface StoreProfile {
  /** kebab-case, unique. */
  readonly name: string;
  readonly etags: EtagMode;
  /** The answer to an if-match on a key that is not there. */
  readonly onMissingKey: MissingKeyAnswer;
  /** `ignored`: deletes whatever the condition says. */
  readonly deleteConditions: "checked" | "ignored";
  /** What the loser of a tight race may be told besides 412: a 409, a 5xx, or nothing else. */
  readonly contention: "conflict" | "server-error" | "none";
  readonly listOrder: "ascending" | "none";
  /** Writes that one key takes within any second; more are throttled. Null: no such limit is known. */
  readonly writesPerSecond: number | null;
  readonly latency: StoreLatency;
  readonly price: StorePrice;
  readonly defect: Defect | null;
}
