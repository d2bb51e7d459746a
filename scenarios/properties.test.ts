/**
 * Risk: a workload that nobody thought of.
 *
 * Workloads come from fast-check, which shrinks them; faults and schedule come from a seed beside them. A failure
 * prints the smallest workload, the seed and the invariant.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeOutcome, NO_FAULTS, runScenario, SeedSource, STANDARD_FAULTS } from "../sim/index.ts";
import { type ScenarioPlan, withWorkload } from "./build-scenario.ts";
import { catalog } from "./catalog.ts";
import { PLAIN_SHAPE, type Workload } from "./workloads/workload.ts";

const message = fc.record({
  steps: fc.integer({ min: 1, max: 5 }),
  stepMs: fc.constantFrom(0, 0, 500, 4_000),
  depth: fc.integer({ min: 0, max: 2 }),
  retryable: fc.constantFrom(0, 0, 1, 3),
  fatal: fc.constantFrom(false, false, false, true),
  duplicates: fc.integer({ min: 0, max: 3 }),
  duplicateAfterMs: fc.constantFrom(0, 300, 3_000),
  gapMs: fc.constantFrom(0, 0, 100, 2_000),
});

const instance = fc.record({
  initialCount: fc.nat(5),
  max_attempts: fc.constantFrom(20, 3, 1),
  lease_ms: fc.constantFrom(5_000, 1_000),
  messages: fc.array(message, { minLength: 1, maxLength: 4 }),
});

/** Names by position, send times from gaps: so every shrunk workload is a workload. */
const workloads: fc.Arbitrary<Workload> = fc
  .array(instance, { minLength: 1, maxLength: 3 })
  .map((instances) => ({
    instances: instances.map(({ messages, ...rest }, i) => {
      let sendAtMs = 0;
      const plans = messages.map(({ gapMs, ...plan }, n) => {
        sendAtMs += gapMs;
        return { ...plan, id: `order-${i + 1}-message-${n + 1}`, sendAtMs };
      });
      return { ...rest, id: `order-${i + 1}`, workflow_type: "order", version: "v1", messages: plans };
    }),
  }));

const PLAN: ScenarioPlan = {
  name: "property",
  claim: "any workload",
  faults: NO_FAULTS,
  nodes: [1, 3],
  workers: [1, 3],
  reader: true,
  hazards: { death: 0, stall: 0 },
  aim: null,
  downMs: 3_000,
  shape: PLAIN_SHAPE,
};

async function passes(plan: ScenarioPlan, workload: Workload, seed: number): Promise<void> {
  const { outcome } = await runScenario(withWorkload(plan, workload), new SeedSource(seed), {});
  if (outcome.kind !== "pass") throw new Error(`seed ${seed}: ${describeOutcome(outcome)}`);
}

const seeds = fc.nat(1_000_000);

describe("any workload keeps every invariant", () => {
  test("when nothing goes wrong", async () => {
    const property = fc.asyncProperty(workloads, seeds, (workload, seed) => passes(PLAN, workload, seed));
    await fc.assert(property, { numRuns: 40, seed: 1 });
  });

  test("under every fault at once, with workers that die and stall", async () => {
    const plan = { ...PLAN, faults: STANDARD_FAULTS, hazards: { death: 30, stall: 30 } };
    const property = fc.asyncProperty(workloads, seeds, (workload, seed) => passes(plan, workload, seed));
    await fc.assert(property, { numRuns: 40, seed: 2 });
  });

  test("under clocks that differ by more than a lease", async () => {
    const plan = { ...PLAN, faults: { ...NO_FAULTS, skewMs: 60_000 }, hazards: { death: 20, stall: 60 } };
    const property = fc.asyncProperty(workloads, seeds, (workload, seed) => passes(plan, workload, seed));
    await fc.assert(property, { numRuns: 30, seed: 3 });
  });

  test("when the store is out of reach for seconds", async () => {
    const plan: ScenarioPlan = { ...PLAN, aim: { at: "outage", permille: 10 } };
    const property = fc.asyncProperty(workloads, seeds, (workload, seed) => passes(plan, workload, seed));
    await fc.assert(property, { numRuns: 30, seed: 4 });
  });
});

describe("the catalogue", () => {
  test("has unique names in kebab-case and a claim for each", () => {
    expect(new Set(catalog.map(({ name }) => name)).size).toBe(catalog.length);
    for (const { name, claim } of catalog) {
      expect(name).toMatch(/^[a-z-]+$/);
      expect(claim.length).toBeGreaterThan(20);
    }
  });

  test.each(catalog)("$name keeps every invariant, and each finds something to examine", async (scenario) => {
    const examined = new Map<string, number>();
    for (let seed = 1; seed <= 12; seed++) {
      const { outcome, stats } = await runScenario(scenario, new SeedSource(seed), {});
      expect(describeOutcome(outcome)).toBe("passed");
      for (const [name, count] of stats.checks) examined.set(name, (examined.get(name) ?? 0) + count);
    }
    for (const name of scenario.invariants?.keys() ?? [])
      expect([name, examined.get(name)]).not.toEqual([name, 0]);
    // A search that found no answer within its bound is counted apart; it has to stay rare.
    const undecided = [...examined.keys()].filter((name) => name.endsWith(", undecided"));
    for (const name of undecided) expect(examined.get(name)).toBeLessThanOrEqual(1);
    expect(examined.size - undecided.length).toBe(scenario.invariants?.size);
  });

  test("takes the number of nodes that is asked for", async () => {
    const [scenario] = catalog;
    if (scenario === undefined) throw new Error("an empty catalogue");
    const { history } = await runScenario(scenario, new SeedSource(1), { nodes: 4 });
    const nodes = new Set(
      history.incidents.map(({ process }) => process).filter((name) => name?.startsWith("node-")),
    );
    expect(nodes.size).toBe(4);
  });
});
