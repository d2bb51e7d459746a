/**
 * How long it takes until something sees a planted bug: one hunt, and the figures of several.
 *
 *   H1  a hunt makes runs as a campaign does, scenarios in turn and seeds counting up, until one fails. Any failure
 *       counts, whichever invariant tells it: a bug is seen when a run is red.
 *   H2  a hunt that ends without a catch counts as one that takes longer than any other.
 */
import { present } from "../../src/std/assert.ts";
import type { Strategy } from "../explore/index.ts";
import { brokenInvariants, runScenario, runSeed, type Scenario } from "../runner/index.ts";

/** The first run that failed. */
export interface Catch {
  readonly scenario: string;
  readonly seed: number;
  /** Everything that this run broke, the first to look at in front. */
  readonly invariants: readonly string[];
}

export interface Hunt {
  /** Runs made, the one with the catch included. */
  readonly runs: number;
  /** Null: none of so many runs failed. */
  readonly caught: Catch | null;
}

export interface HuntPlan {
  readonly scenarios: readonly Scenario[];
  readonly strategy: Strategy;
  readonly firstSeed: number;
  readonly mostRuns: number;
  /** Asked before each run; false gives up. */
  readonly goOn: () => boolean | Promise<boolean>;
}

export async function hunt({ scenarios, strategy, firstSeed, mostRuns, goOn }: HuntPlan): Promise<Hunt> {
  let runs = 0;
  while (runs < mostRuns && (await goOn())) {
    const scenario = present(scenarios[runs % scenarios.length], "a scenario to hunt in");
    const seed = runSeed(firstSeed, runs);
    const { source, policy } = strategy.begin(seed);
    const { outcome } = await runScenario(scenario, source, { policy });
    runs++;
    if (outcome.kind === "pass") continue;
    return { runs, caught: { scenario: scenario.name, seed, invariants: brokenInvariants(outcome) } };
  }
  return { runs, caught: null };
}

/** One of several numbers, sorted ascending, below which this share of them lies; null: it is one of the missing. */
export function quantile(found: readonly number[], missing: number, share: number): number | null {
  const sorted = [...found].sort((a, b) => a - b);
  const at = Math.max(0, Math.ceil(share * (found.length + missing)) - 1);
  return sorted[at] ?? null;
}
