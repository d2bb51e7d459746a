/**
 * Risk: a promise of safety that holds only while clocks are right (I22).
 *
 * Each run is made again with other clocks, by the same schedule and choices, and may not break anything but
 * promises of time. The planted bug shows that the test can fail.
 */
import { describe, expect, test } from "vitest";
import {
  brokenInvariants,
  loadWithEdit,
  runScenario,
  runWithOtherClocks,
  type Scenario,
  SeedSource,
} from "../sim/index.ts";
import { plantedBugs } from "./canaries/index.ts";
import { catalog } from "./catalog.ts";
import { LIVENESS } from "./checkers/index.ts";

const VARIANTS = [1, 2, 3];
const MOST_SEEDS = 200;
const LONGEST_MS = 60_000;

/**
 * Where a run with other clocks asks for more than was recorded, every draw is 0, and so is every wait before a next try:
 * how often a key is asked in a second then says nothing about clocks.
 */
const NEEDS_DRAWS = "I17-bounded";

/** What runs with other clocks break of the promises that do not speak of time. */
async function brokenByClocks(scenario: Scenario, seed: number): Promise<readonly string[]> {
  const broken = new Set<string>();
  const first = await runScenario(scenario, new SeedSource(seed), {});
  for (const variant of VARIANTS) {
    const { outcome } = await runWithOtherClocks(scenario, first.draws(), variant, {});
    for (const name of brokenInvariants(outcome))
      if (!LIVENESS.has(name) && name !== NEEDS_DRAWS) broken.add(name);
  }
  return [...broken];
}

describe("with other clocks and the same choices", () => {
  test.each(catalog)(
    "$name breaks no promise of safety",
    async (scenario) => {
      for (const seed of [1, 2]) expect(await brokenByClocks(scenario, seed)).toEqual([]);
    },
    LONGEST_MS,
  );

  test(
    "a fence that only right clocks keep is seen, in a run that passes while clocks are right",
    async () => {
      const bug = plantedBugs.find(({ name }) => name === "complete-without-token-check") ?? null;
      const { catalog: planted } = (await loadWithEdit("scenarios/index.ts", bug)) as { catalog: Scenario[] };
      const scenario = planted.find(({ name }) => name === "two-node-handoff");
      const seen: string[] = [];
      for (let seed = 1; seed <= MOST_SEEDS && seen.length === 0 && scenario !== undefined; seed++) {
        const { outcome } = await runScenario(scenario, new SeedSource(seed), {});
        if (outcome.kind === "pass") seen.push(...(await brokenByClocks(scenario, seed)));
      }
      expect(seen.length).toBeGreaterThan(0);
    },
    LONGEST_MS,
  );
});
