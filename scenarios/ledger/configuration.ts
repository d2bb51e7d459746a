/**
 * What the figures of a measured scenario depend on, and what they are told for. Stands in each record of the ledger.
 */

/** What the figures of a scenario are told for: one handoff, or one node in one hour. */
export type MeasuredUnit = "handoff" | "node-hour";

/** What a figure depends on; part of the record. */
export interface MeasuredConfiguration {
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
  readonly history_keep_turns: number;
  readonly history_keep_ms: number;
}
