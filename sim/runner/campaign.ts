/**
 * Many runs: scenarios in turn, each with a seed of its own.
 *
 * Owns which seed and scenario run i has, when a campaign ends, and the replay of pinned runs in front of it.
 * Does not own real time (the hook `between` decides) nor what a failure looks like (the hook `failed` is told).
 *
 *   G1  Run i is made with seed `firstSeed + i` (modulo 2^48) in scenario i modulo their number. The seed alone
 *       makes the run again in that scenario: nothing is carried over from one run to the next.
 *   G2  Pinned runs come first; they count as `pinned`, not among `runs`, so the fingerprint and the figures of
 *       `runs` depend only on scenarios, first seed and number.
 *   G3  A scenario that has failed `failuresPerScenario` times is left out from then on; its turns are skipped.
 */
import { assert } from "../../src/std/assert.ts";
import { SEED_LIMIT } from "../kernel/index.ts";
import type { RunResult } from "./outcome.ts";
import type { Scenario } from "./scenario.ts";
import { Tally } from "./tally.ts";

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
  readonly execute: (scenario: Scenario, seed: number) => Promise<RunResult>;
}

export interface Failure {
  readonly scenario: Scenario;
  readonly seed: number | null;
  /** The path of the pinned run; null: a run of the campaign. */
  readonly pinned: string | null;
  readonly result: RunResult;
}

export interface CampaignHooks {
  /** Asked after each run; false ends the campaign. */
  between(tally: Tally): boolean | Promise<boolean>;
  /** Told of each run that did not pass, at once. */
  failed(failure: Failure): void;
}

export interface CampaignReport {
  readonly tally: Tally;
  readonly pinned: number;
  /** Scenarios left out because they failed too often (G3). */
  readonly leftOut: readonly string[];
  /** Whether a hook ended it before its last run. */
  readonly cutShort: boolean;
}

/** The seed of run i (G1). */
export function runSeed(firstSeed: number, i: number): number {
  return (firstSeed + i) % SEED_LIMIT;
}

export async function campaign(plan: CampaignPlan, hooks: CampaignHooks): Promise<CampaignReport> {
  assert(plan.scenarios.length > 0, "a campaign has at least one scenario");
  const tally = new Tally();
  const leftOut = new Set<string>();
  let pinned = 0;
  for (const kept of plan.pinned) {
    const result = await kept.run();
    pinned++;
    if (result.outcome.kind === "pass") continue;
    tally.failures++;
    hooks.failed({ scenario: kept.scenario, seed: kept.seed, pinned: kept.path, result });
  }
  const failuresOf = new Map<string, number>();
  const end = plan.runs ?? Number.POSITIVE_INFINITY;
  let cutShort = false;
  for (let i = 0; i < end && leftOut.size < plan.scenarios.length && !cutShort; i++) {
    const scenario = plan.scenarios[i % plan.scenarios.length];
    if (scenario === undefined || leftOut.has(scenario.name)) continue;
    const seed = runSeed(plan.firstSeed, i);
    const result = await plan.execute(scenario, seed);
    tally.add(result);
    if (result.outcome.kind !== "pass") {
      hooks.failed({ scenario, seed, pinned: null, result });
      const failures = (failuresOf.get(scenario.name) ?? 0) + 1;
      failuresOf.set(scenario.name, failures);
      if (failures >= plan.failuresPerScenario) leftOut.add(scenario.name);
    }
    cutShort = !(await hooks.between(tally)) && i + 1 < end;
  }
  return { tally, pinned, leftOut: [...leftOut], cutShort };
}
