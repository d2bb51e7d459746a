/**
 * Risk: a shrunk run shows another failure than the one it came from, or a person still has to read hundreds of
 * choices that do not matter.
 */
import { describe, expect, test } from "vitest";
import { type ChoiceSource, SeedSource } from "../kernel/index.ts";
import { GuidedSource } from "../replay/index.ts";
import { scenarioOf, throws, writes } from "../runner/fixtures.ts";
import { type RunOptions, type RunResult, runScenario } from "../runner/index.ts";
import { figuresOf, removedText, type ShrinkPlan, shows, shrink, targetOf } from "./index.ts";

/** Breaks when two draws strike and a third is 7 or more; breaks something else when a fourth strikes. */
const fragile = (() => {
  let broken: string[] = [];
  return scenarioOf(
    "fragile",
    async (context, stage) => {
      broken = [];
      let strikes = 0;
      let other = 0;
      const size = 1 + context.random.below(40, "size");
      for (let i = 0; i < size; i++) {
        await stage.store.client(context).get(`key-${context.random.below(9, "key")}`);
        await context.clock.sleep(context.random.below(50, "pause"));
        if (context.random.below(100, "strike") >= 90) strikes++;
        if (context.random.below(100, "other") >= 90) other++;
      }
      const level = context.random.below(20, "level");
      if (strikes >= 2 && level >= 7) broken.push("I00-fragile");
      if (other >= 1) broken.push("I00-other");
    },
    {
      production: {
        check: () => {
          const violations = broken.map((invariant) => ({
            invariant,
            message: "it broke",
            key: null,
            atMs: null,
          }));
          return new Map([["all", { examined: 1, violations }]]);
        },
      },
    },
  );
})();

const run = (source: ChoiceSource, options: RunOptions): Promise<RunResult> =>
  runScenario(fragile, source, options);

async function failing(): Promise<RunResult> {
  for (let seed = 0; ; seed++) {
    const result = await run(new SeedSource(seed), {});
    if (shows(result.outcome, "I00-fragile") && result.draws().length > 100) return result;
  }
}

const plan: ShrinkPlan = { target: "I00-fragile", options: {}, run, mostRuns: 5_000, goOn: () => true };

describe("shrinking", () => {
  test("leaves the choices that matter, each as low as it goes", async () => {
    const { before, after, complete } = await shrink(plan, await failing());
    expect(complete).toBe(true);
    expect(before.places.length).toBeGreaterThan(80);
    const left = after.places.map(({ label, value }) => [label, value]);
    expect(left.sort()).toEqual([
      ["level", 7],
      ["size", 1],
      ["strike", 90],
      ["strike", 90],
    ]);
  });

  test("keeps the invariant and drops what else was broken", async () => {
    const { after } = await shrink(plan, await failing());
    expect(after.result.outcome).toMatchObject({ violations: [{ invariant: "I00-fragile" }] });
  });

  test("gives a run that repeats from its draws", async () => {
    const { after } = await shrink(plan, await failing());
    const again = await run(new GuidedSource(after.streams), after.options);
    expect(again.fingerprint).toBe(after.result.fingerprint);
  });

  test("is the same each time, also when the bound on runs cuts it", async () => {
    const first = await failing();
    for (const mostRuns of [7, 60, 5_000]) {
      const [a, b] = [await shrink({ ...plan, mostRuns }, first), await shrink({ ...plan, mostRuns }, first)];
      expect(a.runs).toBe(b.runs);
      expect(a.runs).toBeLessThanOrEqual(mostRuns);
      expect(a.after.draws).toEqual(b.after.draws);
    }
  });

  test("ends when it is told to, with the smallest run so far", async () => {
    const told: number[] = [];
    const goOn: ShrinkPlan["goOn"] = ({ now }) => told.push(now) < 20;
    const { runs, complete, after } = await shrink({ ...plan, goOn }, await failing());
    expect([runs, complete]).toEqual([20, false]);
    expect(told.at(-1)).toBe(after.places.length);
    expect(told.every((now, i) => i === 0 || now <= (told[i - 1] ?? 0))).toBe(true);
  });

  test("says what it removed", async () => {
    const { before, after } = await shrink(plan, await failing());
    const figures = figuresOf(before, after);
    expect(figures[0]).toMatchObject({ before: before.places.length, after: 4 });
    expect(removedText(figures)).toMatch(
      /^removed \d+ of \d+ choices that are not the plainest, .*store operations/,
    );
    expect(removedText(figuresOf(after, after))).toBe("nothing could be removed");
  });
});

describe("the target", () => {
  test("of a crash is its error, whatever the numbers in it", async () => {
    const { outcome } = await runScenario(throws, new SeedSource(1), {});
    const target = targetOf(outcome);
    expect(target).toBe("crash Error: out of cheese");
    const crash = { kind: "crash", process: "worker", stack: "" } as const;
    expect(shows({ ...crash, error: "Error: out of cheese" }, target ?? "")).toBe(true);
    expect(shows({ ...crash, error: "Error: out of bread" }, target ?? "")).toBe(false);
    const numbered = targetOf({ ...crash, error: "Error: 5 of 'a'" });
    expect(shows({ ...crash, error: "Error: 7 of 'b'" }, numbered ?? "")).toBe(true);
  });

  test("is none for a run that passed or does not repeat", async () => {
    const { outcome } = await runScenario(writes, new SeedSource(1), {});
    expect(targetOf(outcome)).toBe(null);
    expect(targetOf({ kind: "divergence", step: 0, recorded: "a", now: "b" })).toBe(null);
  });

  test("of a run without progress is progress, although more is broken", () => {
    const violations = [{ invariant: "I05-x", message: "", key: null, atMs: null }];
    expect(targetOf({ kind: "no-progress", waiting: "", violations })).toBe("I11-progress");
  });
});
