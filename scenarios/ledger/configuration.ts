/**
 * What the figures of a measured scenario depend on, and what they are told for. Stands in each record of the ledger.
 */

/** What the figures of a scenario are told for: one handoff, or one node in one hour. */
export type MeasuredUnit = "handoff" | "node-hour";

/** How a worker goes through a turn; with none of these it makes the calls of the documented protocol. */
export interface WorkerSavings {
  /** The last step is saved by the completion. */
  readonly folds: boolean;
  /** The completion asks for the next turn of the instance. */
  readonly claims_next: boolean;
  /** The start of a step is recorded, also of one that takes no time. */
  readonly records_starts: boolean;
}

/** What a figure depends on; part of the record. */
export interface MeasuredConfiguration extends WorkerSavings {
  readonly nodes: number;
  readonly identities: number;
  /** Of each turn. */
  readonly steps: number;
  /** Messages that wait behind the one that is worked on. */
  readonly waiting: number;
  /** Turns that are finished before the first that is counted. */
  readonly history: number;
  readonly poll_ms: number;
  readonly reconcile_ms: number;
  readonly index_shards: number;
  readonly key_writes_per_second: number | null;
  readonly history_keep_turns: number;
  readonly history_keep_ms: number;
}
