/**
 * Risk: a bug that a checker was made to see and does not see any more, or a checker that sees it in sound code, too.
 *
 * Each bug has a run beside it that shows it (`seen-in.ts`). When the code around it has moved on, that run may have
 * become another one; then the same scenario is searched, up to 2,000 seeds in all.
 */
import { beforeAll, describe, expect, test } from "vitest";
import {
  brokenInvariants,
  HARNESS_INVARIANTS,
  loadWithEdit,
  type PlantedBug,
  runScenario,
  type Scenario,
  SeedSource,
  STORE_CHECKERS,
} from "../../sim/index.ts";
import { FAMILY_CHECKERS } from "../checkers/families.ts";
import { GRAPHS } from "../checkers/i25-graphs.ts";
import { ENGINE_CHECKERS } from "../checkers/index.ts";
import { LIFETIME_CHECKERS } from "../checkers/lifetimes.ts";
import { OWN_CHECKERS } from "../checkers/own.ts";
import { WORKER_CHECKERS } from "../checkers/workers.ts";
import { plantedBugs } from "./index.ts";
import { SEEN_IN } from "./seen-in.ts";

/** Whatever a run can be red for. */
const INVARIANTS = [
  ...[
    ...STORE_CHECKERS,
    ...ENGINE_CHECKERS,
    ...FAMILY_CHECKERS,
    ...LIFETIME_CHECKERS,
    GRAPHS,
    ...OWN_CHECKERS,
    ...WORKER_CHECKERS,
  ].map(({ name }) => name),
  ...Object.values(HARNESS_INVARIANTS),
];
const MOST_SEEDS = 2_000;
const SLOWEST_MS = 120_000;

async function catalogWith(bug: PlantedBug | null): Promise<readonly Scenario[]> {
  return ((await loadWithEdit("scenarios/index.ts", bug)) as { catalog: readonly Scenario[] }).catalog;
}

async function broken(scenario: Scenario, seed: number): Promise<readonly string[]> {
  return brokenInvariants((await runScenario(scenario, new SeedSource(seed), {})).outcome);
}

/** The first seed from the hint on, around once, whose run breaks one of the named invariants. */
async function caught(bug: PlantedBug, scenario: Scenario, hint: number): Promise<number | null> {
  for (let n = 0; n < MOST_SEEDS; n++) {
    const seed = n === 0 ? hint : n;
    const invariants = await broken(scenario, seed);
    if (invariants.some((name) => bug.caughtBy.includes(name))) return seed;
  }
  return null;
}

describe("a planted bug", () => {
  // Built once: nothing in it differs from one bug to the next.
  let soundCatalog: readonly Scenario[] = [];
  beforeAll(async () => {
    soundCatalog = await catalogWith(null);
  }, SLOWEST_MS);

  test.each(plantedBugs)(
    "$name is seen by an invariant that it names, and the sound code passes that run",
    async (bug) => {
      const [name, hint] = SEEN_IN[bug.name] ?? ["everything", 1];
      const [planted, sound] = [await catalogWith(bug), soundCatalog].map((catalog) =>
        catalog.find((scenario) => scenario.name === name),
      );
      if (planted === undefined || sound === undefined) throw new Error(`there is no scenario ${name}`);
      const seed = await caught(bug, planted, hint);
      expect(seed, `${bug.name} in ${MOST_SEEDS} runs of ${name}`).not.toBeNull();
      expect(await broken(sound, seed ?? 0)).toEqual([]);
    },
    SLOWEST_MS,
  );

  test("has a name of its own, a place in the catalogue and a run that shows it", () => {
    const names = plantedBugs.map((bug) => bug.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(30);
    expect(Object.keys(SEEN_IN).sort()).toEqual([...names].sort());
    for (const { name, catalogue, caughtBy } of plantedBugs) {
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(catalogue).toMatch(/^B\d\d(, B\d\d)*$/);
      expect(caughtBy.length).toBeGreaterThan(0);
      for (const invariant of caughtBy) expect(INVARIANTS).toContain(invariant);
    }
  });
});
