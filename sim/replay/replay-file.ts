/**
 * What a replay file holds: everything that it takes to make one run again, and what became of it.
 */
import type { Draw } from "../kernel/choice.ts";
import type { RunConfiguration } from "../runner/outcome.ts";

/** A run as it is kept. */
export interface ReplayFile {
  /** Versions that wrote it; for people, the draws tell whether they still fit. */
  readonly harness: string;
  readonly engine: string;
  readonly scenario: string;
  readonly options: RunConfiguration;
  /** The search strategy that made it; for people, the draws hold its picks. */
  readonly strategy: string;
  /** The planted bug that the run was made with; null: none. */
  readonly planted: string | null;
  /** The seed that the draws came from; null: from no seed. */
  readonly seed: number | null;
  readonly draws: readonly Draw[];
  /** Before each draw 16 bits of the fingerprint, so of every step until then; empty: not kept. */
  readonly marks: readonly number[];
  readonly fingerprint: string;
  readonly outcome: OutcomeSummary;
  /** What it was shrunk from; null: it is a run as it was found. */
  readonly shrunk: ShrinkSummary | null;
}

/** How much a shrinking took away. */
export interface ShrinkSummary {
  /** Choices that are not the plainest, before and after. */
  readonly before: number;
  readonly after: number;
  /** Runs that were tried. */
  readonly runs: number;
  /** What is gone, in one sentence. */
  readonly removed: string;
}

/** What became of it, to compare with. */
export interface OutcomeSummary {
  readonly kind: string;
  readonly invariants: readonly string[];
  readonly message: string;
  /** The store's profile, drawn or asked for, and the kinds of faults that were on; for people. */
  readonly profile?: string;
  readonly faults?: readonly string[];
}
