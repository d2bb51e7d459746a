/**
 * What faults do to processes and clocks in a run, and how they end. Risk: a process that stays down or starved after
 * the faults, a clock that steps when it should not, or a fault that is drawn and has no effect.
 */
import { describe, expect, it } from "vitest";
import { FaultInjector, type FaultPlan, NO_FAULTS } from "../faults/index.ts";
import { type ChoiceSource, type Process, SeedSource, World } from "../kernel/index.ts";
import { scenarioOf } from "./fixtures.ts";
import { runScenario } from "./index.ts";
import { ProcessFaults } from "./process-faults.ts";

/** Draws by label; 0 for the others. */
class LabelledSource implements ChoiceSource {
  readonly #values: { readonly [label: string]: number };
  constructor(values: { readonly [label: string]: number }) {
    this.#values = values;
  }
  choose(n: number, label: string): number {
    return Math.min(this.#values[label] ?? 0, n - 1);
  }
}

interface Bench {
  readonly world: World;
  readonly injector: FaultInjector;
  readonly faults: ProcessFaults;
  readonly process: Process<null>;
  run(untilMs: number): Promise<void>;
  /** Kinds of incidents with their times. */
  told(): string[];
}

function bench(plan: Partial<FaultPlan>, draws: { readonly [label: string]: number } = {}): Bench {
  const world = new World({ source: new LabelledSource(draws) });
  const whole = { ...NO_FAULTS, ...plan };
  const injector = new FaultInjector(whole, world.choices, () => world.now());
  const faults = new ProcessFaults(world, injector, whole);
  const process = world.process<null>("node", async (_context, serve) => serve(null));
  process.start();
  return {
    world,
    injector,
    faults,
    process,
    run: async (deadlineMs) => void (await world.run({ until: () => false, deadlineMs })),
    told: () => world.incidents.map(({ kind, atMs }) => `${kind} ${atMs}`),
  };
}

describe("a process that is struck", () => {
  it("crashes and starts again after its down time, with a clock behind when N05 strikes", async () => {
    const plan = { rates: { "N05-clock-back": 1 }, downMs: 100, stepMs: 5_000 };
    const { faults, injector, process, run, told } = bench(plan, {
      "down-time": 49,
      "N05-clock-back": 999,
      "clock-back-ms": 1_999,
    });
    faults.strike("N01-crash", "node");
    await run(1_000);
    expect(told()).toEqual(["start 0", "crash 0", "skew 50", "start 50"]);
    expect([process.running, process.clockOffsetMs]).toEqual([true, -2_000]);
    expect(injector.counts["N05-clock-back"]).toBe(1);
  });

  it("pauses and resumes, starves for a while, and has a twin for a while", async () => {
    const { faults, run, told } = bench(
      { downMs: 100 },
      { "down-time": 29, "starve-late": 9, "starve-for": 1 },
    );
    faults.strike("N02-pause", "node");
    await run(40);
    faults.strike("N03-starve", "node");
    faults.strike("N06-twin", "node");
    await run(1_000);
    expect(told()).toEqual([
      "start 0",
      "pause 0",
      "resume 30",
      "starve 30",
      "twin 30",
      "start 30",
      "crash 60",
    ]);
  });

  it("is told to stop, is gone, and comes back", async () => {
    const { faults, process, run, told } = bench({ downMs: 100 }, { "down-time": 9 });
    faults.strike("N04-stop", "node");
    await run(1_000);
    expect(told()).toEqual(["start 0", "stop 0", "stopped 0", "start 20"]);
    expect(process.running).toBe(true);
  });
});

describe("the end of the faults", () => {
  it("leaves no twin and no stop under way, and brings nobody back by itself (R4)", async () => {
    const { faults, injector, process, run } = bench({ downMs: 100 }, { "down-time": 50 });
    faults.strike("N06-twin", "node");
    faults.strike("N04-stop", "node");
    injector.enabled = false;
    faults.end();
    await run(1_000);
    expect(process.running).toBe(false);
  });
});

describe("clocks", () => {
  it("are set wrong by draws: offset, drift and tick, each counted", () => {
    const plan = { skewMs: 1_000, driftPpm: 500, tickMs: 250 };
    const { faults, injector, world } = bench(plan, { "clock-skew": 2, "clock-drift": 1, "clock-tick": 1 });
    faults.setClocks();
    expect(world.incidents.slice(1).map(({ kind, detail }) => `${kind} ${detail}`)).toEqual([
      "drift 1 ppm",
      "tick 250 ms",
      "skew -1 ms",
    ]);
    expect(["C01-skew", "C03-tick", "C04-drift"].map((kind) => injector.counts[kind as "C01-skew"])).toEqual([
      1, 1, 1,
    ]);
  });

  it("are right by draws of 0, and nothing is drawn for a plan without them", () => {
    const right = bench({ skewMs: 1_000, driftPpm: 500, tickMs: 250, stepMs: 10 });
    right.faults.setClocks();
    expect(right.told()).toEqual(["start 0"]);
    const none = bench({});
    const before = none.world.recorder.length;
    none.faults.setClocks();
    expect(none.world.recorder.length).toBe(before);
  });

  it("step at drawn times while faults are on, and not after (C02)", async () => {
    const plan = { stepMs: 5_000 };
    const draws = { "clock-steps": 2, "clock-step-at": 400, "clock-step-ms": 5 };
    const on = bench(plan, draws);
    on.faults.setClocks();
    await on.run(1_000);
    expect(on.process.clockOffsetMs).toBe(6);
    expect(on.injector.counts["C02-step"]).toBe(2);
    const off = bench(plan, draws);
    off.faults.setClocks();
    off.injector.enabled = false;
    await off.run(1_000);
    expect(off.process.clockOffsetMs).toBe(0);
  });
});

describe("a run", () => {
  const plan: FaultPlan = { ...NO_FAULTS, rates: { "F06-throttle": 1, "N07-drop-hint": 999 }, swarm: true };
  const asked: boolean[] = [];
  const scenario = scenarioOf(
    "asks",
    async (context, stage) => {
      asked.push(stage.strikes("N07-drop-hint"));
      await context.clock.sleep(1);
    },
    { faults: plan },
  );

  it("draws its profile and its kinds, tells both, and has the plainest of them by draws of 0", async () => {
    const plainest = await runScenario(scenario, new LabelledSource({}), {});
    expect(plainest.stats).toMatchObject({ profile: "aws-s3", kinds: [] });
    const other = await runScenario(
      scenario,
      new LabelledSource({ "store-profile": 3, swarm: 1, "N07-drop-hint": 999 }),
      {},
    );
    expect(other.stats).toMatchObject({ profile: "gcs", kinds: ["F06-throttle", "N07-drop-hint"] });
    expect([...other.stats.faults]).toEqual([
      ["F06-throttle", 0],
      ["N07-drop-hint", 1],
    ]);
    expect(asked).toEqual([false, true]);
  });

  it("has the profile that is asked for, a broken one too, and then draws none", async () => {
    const { stats, draws } = await runScenario(scenario, new SeedSource(1), { profile: "stale-reads" });
    expect(stats.profile).toBe("stale-reads");
    expect(draws().some(({ label }) => label === "store-profile")).toBe(false);
  });
});
