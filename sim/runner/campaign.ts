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
 *   G4  Runs may be begun ahead of the one that is waited for, and made anywhere. They are counted in their order, and
 *       those of a scenario that was left out meanwhile are not counted, so that the report does not depend on it.
 *   G5  A shard makes whole rounds: round r, that is one run of each scenario, belongs to shard r modulo their number.
 *       So all shards together make each run exactly once. Pinned runs are the first shard's.
 */
import { assert } from "../../src/std/assert.ts";
import type { CampaignPlan, MadeRun } from "./campaign-plan.ts";
import type { RunResult } from "./outcome.ts";
import { RunLine } from "./run-line.ts";
import type { Scenario } from "./scenario.ts";
import { Tally } from "./tally.ts";

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

export async function campaign(plan: CampaignPlan, hooks: CampaignHooks): Promise<CampaignReport> {
  assert(plan.scenarios.length > 0, "a campaign has at least one scenario");
  const tally = new Tally();
  const pinned = await replayPinned(plan, hooks, tally);
  const line = new RunLine(plan);
  const failuresOf = new Map<string, number>();
  let cutShort = false;
  for (let run = line.next(); run !== null && !cutShort; run = cutShort ? null : line.next()) {
    const { scenario, seed } = run;
    const made = await run.made;
    tally.add(made);
    if (didFail(made)) {
      hooks.failed({ scenario, seed, pinned: null, result: made });
      const failures = (failuresOf.get(scenario.name) ?? 0) + 1;
      failuresOf.set(scenario.name, failures);
      if (failures >= plan.failuresPerScenario) line.leaveOut(scenario);
    }
    cutShort = !(await hooks.between(tally)) && !line.ended;
  }
  return { tally, pinned, leftOut: line.leftOut, cutShort };
}

function didFail(made: MadeRun): made is RunResult {
  return made.outcome.kind !== "pass";
}

async function replayPinned(plan: CampaignPlan, hooks: CampaignHooks, tally: Tally): Promise<number> {
  if (plan.shard !== undefined && plan.shard.index !== 0) return 0;
  for (const kept of plan.pinned) {
    const result = await kept.run();
    if (result.outcome.kind === "pass") continue;
    tally.failures++;
    hooks.failed({ scenario: kept.scenario, seed: kept.seed, pinned: kept.path, result });
  }
  return plan.pinned.length;
}
