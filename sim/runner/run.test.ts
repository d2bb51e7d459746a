/**
 * Risk: a run that went wrong is told as a pass, or as something else than it was.
 */
import { describe, expect, test } from "vitest";
import { NO_FAULTS } from "../faults/index.ts";
import { ScriptSource, SeedSource } from "../kernel/index.ts";
import { breaks, escapesBy, hangs, scenarioOf, throws, unsteady, writes } from "./fixtures.ts";
import { runScenario, runTwice } from "./index.ts";

const run = (scenario = writes, seed = 1) => runScenario(scenario, new SeedSource(seed), {});

describe("the outcome of a run", () => {
  test("a run whose checks find nothing passes, with its figures", async () => {
    const { outcome, stats, fingerprint } = await run();
    expect(outcome).toEqual({ kind: "pass" });
    expect(stats.storeOps).toBe(5);
    expect(stats.events).toBeGreaterThan(10);
    expect(stats.virtualMs).toBeGreaterThan(10);
    expect([...stats.checks]).toEqual([["I00-ops", 5]]);
    expect(fingerprint).toMatch(/^[0-9a-f]{16}$/);
  });

  test("a violation is told with its invariant", async () => {
    const { outcome } = await run(breaks);
    expect(outcome).toMatchObject({ kind: "violation", violations: [{ invariant: "I00-broken" }] });
  });

  test("work that is not done within the bound is no progress, in the scenario's words", async () => {
    const { outcome, history } = await run(hangs);
    expect(outcome).toMatchObject({ kind: "no-progress", violations: [] });
    expect(outcome).toHaveProperty("waiting", expect.stringContaining("the worker is not done"));
    expect(history.healedAtMs).not.toBeNull();
  });

  test("a throw of a process is a crash with its stack", async () => {
    const { outcome } = await run(throws);
    expect(outcome).toMatchObject({ kind: "crash", process: "worker", error: "Error: out of cheese" });
    expect(outcome).toHaveProperty("stack", expect.stringContaining("fixtures.ts"));
  });

  test("a call of the real clock is an escape that names the line", async () => {
    const { outcome } = await run(escapesBy(() => Date.now()));
    expect(outcome).toMatchObject({ kind: "escape", call: "Date.now" });
    expect(outcome).toHaveProperty("where", expect.stringMatching(/run\.test\.ts:\d+/));
  });

  test("a throw of the scenario's own code is a crash of the scenario", async () => {
    const wrong = scenarioOf("wrong", async () => undefined, {
      build: () => {
        throw new Error("no such system");
      },
    });
    expect((await run(wrong)).outcome).toMatchObject({ kind: "crash", process: "scenario" });
  });
});

describe("the phases of a run", () => {
  test("faults end at heal, and the production brings its processes back", async () => {
    const faults = { ...NO_FAULTS, rates: { "N01-crash": 900 }, downMs: 50 };
    const storm = scenarioOf(
      "storm",
      async (context, stage) => {
        for (let i = 0; i < 20; i++) await stage.store.client(context).get("key");
      },
      { faults },
    );
    const { outcome, stats, history } = await run(storm);
    expect(outcome).toEqual({ kind: "pass" });
    expect(stats.faults.get("N01-crash")).toBeGreaterThan(1);
    const crashes = history.incidents.filter((incident) => incident.kind === "crash");
    expect(Math.max(...crashes.map((crash) => crash.atMs))).toBeLessThanOrEqual(history.healedAtMs ?? 0);
  });

  test("clocks are set off by a draw of the plan's size, and a draw of 0 leaves them right", async () => {
    const skewed = scenarioOf("skewed", async () => undefined, { faults: { ...NO_FAULTS, skewMs: 500 } });
    const drawn = await runScenario(skewed, new SeedSource(3), {});
    const plain = await runScenario(skewed, new ScriptSource([]), {});
    expect(drawn.stats.faults.get("C01-skew")).toBe(1);
    expect(plain.stats.faults.get("C01-skew")).toBe(0);
  });

  test("the user's number of nodes reaches the scenario, and only when there is one", async () => {
    const asked: unknown[] = [];
    const noting = scenarioOf("noting", async (_context, stage) => void asked.push(stage.options));
    await runScenario(noting, new SeedSource(1), { nodes: 4 });
    await runScenario(noting, new SeedSource(1), {});
    expect(asked).toEqual([{ nodes: 4 }, {}]);
  });
});

describe("a run made twice", () => {
  test("has one fingerprint for one seed, and another one for another seed", async () => {
    expect((await run(writes, 7)).fingerprint).toBe((await run(writes, 7)).fingerprint);
    expect((await run(writes, 7)).fingerprint).not.toBe((await run(writes, 8)).fingerprint);
  });

  test("passes when both are equal", async () => {
    expect((await runTwice((options) => runScenario(writes, new SeedSource(7), options))).outcome).toEqual({
      kind: "pass",
    });
  });

  test("shows the first step that differs, with both sides", async () => {
    const { outcome } = await runTwice((options) => runScenario(unsteady, new SeedSource(7), options));
    expect(outcome).toMatchObject({ kind: "divergence" });
    expect(outcome).toHaveProperty("recorded", expect.stringContaining('event "sleep" of worker'));
    expect(outcome).toHaveProperty("now", expect.stringContaining('event "sleep" of worker'));
  });

  test("is a divergence when only a body differs", async () => {
    let runs = 0;
    const leaky = scenarioOf("leaky", async (context, stage) => {
      await stage.store.client(context).put("key", `body of run ${++runs}`, { kind: "none" });
    });
    expect(
      (await runTwice((options) => runScenario(leaky, new SeedSource(1), options))).outcome,
    ).toMatchObject({
      kind: "divergence",
      recorded: expect.stringContaining("body of run 1"),
      now: expect.stringContaining("body of run 2"),
    });
  });
});
