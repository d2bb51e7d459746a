/**
 * Risk: a campaign counts runs that it did not make, or prints a seed that does not make the run again.
 */
import { describe, expect, test } from "vitest";
import { SEED_LIMIT, SeedSource } from "../kernel/index.ts";
import { breaks, scenarioOf, writes } from "./fixtures.ts";
import {
  addFingerprints,
  type CampaignPlan,
  campaign,
  type Failure,
  runScenario,
  runSeed,
  type Scenario,
} from "./index.ts";

const execute = (scenario: Scenario, seed: number) => runScenario(scenario, new SeedSource(seed), {});
const other = scenarioOf("other", async (context) => context.clock.sleep(context.random.below(9, "nap") + 1));

function planOf(changes: Partial<CampaignPlan>): CampaignPlan {
  return {
    scenarios: [writes, other],
    firstSeed: 100,
    runs: 6,
    pinned: [],
    failuresPerScenario: 2,
    execute,
    ...changes,
  };
}

async function conduct(changes: Partial<CampaignPlan>, between = () => true) {
  const failures: Failure[] = [];
  const report = await campaign(planOf(changes), {
    between,
    failed: (failure) => void failures.push(failure),
  });
  return { report, failures };
}

describe("a campaign", () => {
  test("takes scenarios in turn and counts seeds up", async () => {
    const made: string[] = [];
    const noted = (scenario: Scenario, seed: number) => {
      made.push(`${scenario.name} ${seed}`);
      return execute(scenario, seed);
    };
    await conduct({ execute: noted, runs: 4 });
    expect(made).toEqual(["writes 100", "other 101", "writes 102", "other 103"]);
  });

  test("has one combined fingerprint for the same runs, and another one for other runs", async () => {
    const first = (await conduct({})).report.tally;
    const again = (await conduct({})).report.tally;
    const later = (await conduct({ firstSeed: 101 })).report.tally;
    expect(first.fingerprint).toBe(again.fingerprint);
    expect(first.fingerprint).not.toBe(later.fingerprint);
    expect(first).toMatchObject({ runs: 6, storeOps: 15, failures: 0 });
  });

  test("leaves a scenario out after its failures, says so, and goes on with the others", async () => {
    const { report, failures } = await conduct({ scenarios: [breaks, writes], runs: 10 });
    expect(failures.map((failure) => failure.seed)).toEqual([100, 102]);
    expect(report.leftOut).toEqual(["breaks"]);
    expect(report.tally.runs).toBe(7);
  });

  test("ends when all scenarios are left out", async () => {
    const { report } = await conduct({ scenarios: [breaks], runs: null });
    expect(report.tally.runs).toBe(2);
  });

  test("ends when the hook says so", async () => {
    let left = 3;
    const { report } = await conduct({ runs: null }, () => --left > 0);
    expect(report.tally.runs).toBe(3);
    expect(report.cutShort).toBe(true);
  });

  test("replays pinned runs first and does not count them among its runs", async () => {
    const pinned = [
      { path: "a.json", scenario: breaks, seed: 5, run: () => execute(breaks, 5) },
      { path: "b.json", scenario: writes, seed: 5, run: () => execute(writes, 5) },
    ];
    const { report, failures } = await conduct({ pinned });
    expect(report.pinned).toBe(2);
    expect(report.tally.runs).toBe(6);
    expect(failures).toMatchObject([{ pinned: "a.json", seed: 5 }]);
  });

  test("counts seeds round at 48 bits", () => {
    expect(runSeed(SEED_LIMIT - 1, 1)).toBe(0);
  });
});

describe("a campaign that begins runs ahead", () => {
  test.each([2, 5, 100])("counts the same as one that begins none, with %i at once", async (ahead) => {
    const plan = { scenarios: [breaks, writes, other], runs: 30 };
    const alone = await conduct(plan);
    let [under, most] = [0, 0];
    const slowly = async (scenario: Scenario, seed: number) => {
      most = Math.max(most, ++under);
      // Later runs end first.
      for (let turns = 200 - seed; turns > 0; turns -= 20)
        await new Promise((resolve) => setImmediate(resolve));
      const result = await execute(scenario, seed);
      under--;
      return result;
    };
    const { report, failures } = await conduct({ ...plan, ahead, execute: slowly });
    expect(most).toBeGreaterThan(1);
    expect(report).toEqual(alone.report);
    expect(report.tally.fingerprint).toBe(alone.report.tally.fingerprint);
    expect(failures.map(({ seed }) => seed)).toEqual(alone.failures.map(({ seed }) => seed));
  });

  test("ends with the run that fails to be made", async () => {
    const broken = (_: Scenario, seed: number) =>
      seed < 103 ? execute(writes, seed) : Promise.reject(new Error(`lost ${seed}`));
    await expect(conduct({ ahead: 10, execute: broken })).rejects.toThrow("lost 103");
  });
});

describe("shards", () => {
  test.each([1, 2, 3, 7])(
    "of %i parts make each run of the whole exactly once, and add up to it",
    async (of) => {
      const whole = await conduct({ runs: 17 });
      const made: number[] = [];
      const scenarios = new Map<string, number>();
      let fingerprint = "0".repeat(16);
      for (let index = 0; index < of; index++) {
        const noted = (scenario: Scenario, seed: number) => {
          made.push(seed);
          scenarios.set(scenario.name, (scenarios.get(scenario.name) ?? 0) + 1);
          return execute(scenario, seed);
        };
        const { report } = await conduct({ runs: 17, shard: { index, of }, execute: noted });
        fingerprint = addFingerprints(fingerprint, report.tally.fingerprint);
      }
      expect(made.sort((a, b) => a - b)).toEqual(Array.from({ length: 17 }, (_, i) => 100 + i));
      expect(Object.fromEntries(scenarios)).toEqual({ writes: 9, other: 8 });
      expect(fingerprint).toBe(whole.report.tally.fingerprint);
    },
  );

  test("leave the pinned runs to the first one", async () => {
    const pinned = [{ path: "a.json", scenario: writes, seed: 5, run: () => execute(writes, 5) }];
    const counts = [];
    for (let index = 0; index < 3; index++)
      counts.push((await conduct({ pinned, shard: { index, of: 3 } })).report.pinned);
    expect(counts).toEqual([1, 0, 0]);
  });
});
