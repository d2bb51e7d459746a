/**
 * How many runs it takes until something sees a planted bug.
 */
import { SeedSource } from "../kernel/index.ts";
import { brokenInvariants, campaign, type Failure, runScenario, type Scenario } from "../runner/index.ts";

/** The first run that failed. */
export interface Catch {
  readonly scenario: string;
  readonly seed: number;
  /** Runs made, this one included. */
  readonly runs: number;
  /** Everything that this run broke, the first to look at in front. */
  readonly invariants: readonly string[];
}

/** Runs the scenarios in turn, from this seed on, until one fails; null: none of so many runs did. */
export async function hunt(
  scenarios: readonly Scenario[],
  firstSeed: number,
  mostRuns: number,
): Promise<Catch | null> {
  let caught: Catch | null = null;
  const noted = (failure: Failure): void => {
    const { scenario, seed, result } = failure;
    if (caught !== null || seed === null) return;
    const invariants = brokenInvariants(result.outcome);
    caught = { scenario: scenario.name, seed, runs: seed - firstSeed + 1, invariants };
  };
  const plan = {
    scenarios,
    firstSeed,
    runs: mostRuns,
    pinned: [],
    failuresPerScenario: 1,
    execute: (scenario: Scenario, seed: number) => runScenario(scenario, new SeedSource(seed), {}),
  };
  await campaign(plan, { between: () => caught === null, failed: noted });
  return caught;
}
