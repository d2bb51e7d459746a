/**
 * What a campaign is asked to do, as data and functions. The rules (G1 to G5) are in `campaign.ts`.
 */
import { SEED_LIMIT } from "../kernel/index.ts";
import type { PointCounts } from "./fault-points.ts";
import type { RunResult } from "./outcome.ts";
import type { Scenario } from "./scenario.ts";

/** One of several campaigns that share the runs of one: `index` of 0 to `of` - 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** A run as it is counted; one that did not pass comes with everything that is known of it. */
export type MadeRun = (
  | (Pick<RunResult, "scenario" | "fingerprint" | "stats"> & { readonly outcome: { readonly kind: "pass" } })
  | RunResult
) & {
  /** Where faults struck; absent: not counted. */
  readonly points?: PointCounts;
};

/** A run that was kept because it once failed. */
export interface PinnedRun {
  /** Where it is kept, for people. */
  readonly path: string;
  readonly scenario: Scenario;
  readonly seed: number | null;
  run(): Promise<RunResult>;
}

export interface CampaignPlan {
  readonly scenarios: readonly Scenario[];
  readonly firstSeed: number;
  /** Runs in all; null: until `between` ends it. */
  readonly runs: number | null;
  readonly pinned: readonly PinnedRun[];
  readonly failuresPerScenario: number;
  /** Makes one run. */
  readonly execute: (scenario: Scenario, seed: number) => Promise<MadeRun>;
  /** Runs that may be under way at once; absent: one. */
  readonly ahead?: number;
  /** Absent: all runs. */
  readonly shard?: Shard;
}

/** The seed of run i (G1). */
export function runSeed(firstSeed: number, i: number): number {
  return (firstSeed + i) % SEED_LIMIT;
}
