/**
 * Risk: a run ends for a reason that is not told, or two runs of the same choices differ.
 */
import { describe, expect, it } from "vitest";
import { ReplaySource } from "./replay-source.ts";
import { describeFailure } from "./run-end.ts";
import { ScriptSource } from "./script-source.ts";
import { SeedSource } from "./seed-source.ts";
import type { Main, Process } from "./simulation.ts";
import { firstDivergence } from "./step-log.ts";
import { World, type WorldOptions } from "./world.ts";

const NEVER = (): boolean => false;

/** Two processes that nap and call each other while they are crashed and paused. */
function busyWorld(options: WorldOptions, naps = 6): World {
  const world = new World(options);
  const processes: Process<{ ping(): Promise<string> }>[] = [];
  const main: Main<{ ping(): Promise<string> }> = async (context, serve) => {
    serve({ ping: async () => context.ids.next() });
    for (;;) {
      await context.clock.sleep(context.random.below(naps, "nap"));
      const target = processes[context.random.below(2, "target")];
      if (target === undefined) return;
      await world.call(context, target, { operation: "ping", request: null }, (s) => s.ping(), 20);
    }
  };
  for (const name of ["a", "b"]) processes.push(world.process(name, main));
  for (const process of processes) process.start();
  const [a, b] = processes;
  world.after(40, "crash", () => a?.crash());
  world.after(60, "restart", () => a?.start());
  world.after(70, "pause", () => b?.pause());
  world.after(90, "resume", () => b?.resume());
  return world;
}

describe("a run", () => {
  it("is a function of its choices", async () => {
    const one = busyWorld({ source: new SeedSource(9) });
    const two = busyWorld({ source: new SeedSource(9) });
    const other = busyWorld({ source: new SeedSource(10) });
    for (const world of [one, two, other]) await world.run({ until: NEVER, deadlineMs: 500 });
    expect(one.events).toBeGreaterThan(100);
    expect(two.fingerprint.digest()).toBe(one.fingerprint.digest());
    expect(two.calls).toEqual(one.calls);
    expect(other.fingerprint.digest()).not.toBe(one.fingerprint.digest());
  });

  it("replayed from its record has the same fingerprint, and uses up the record", async () => {
    const recorded = busyWorld({ source: new SeedSource(9) });
    await recorded.run({ until: NEVER, deadlineMs: 500 });
    const source = new ReplaySource(recorded.recorder.draws());
    const replayed = busyWorld({ source });
    const end = await replayed.run({ until: NEVER, deadlineMs: 500 });
    expect(end.kind).toBe("deadline");
    expect(replayed.fingerprint.digest()).toBe(recorded.fingerprint.digest());
    expect(source.remaining).toBe(0);
  });

  it("replayed by other code stops at the first other draw, though the code swallows the error", async () => {
    const recorded = busyWorld({ source: new SeedSource(9) });
    await recorded.run({ until: NEVER, deadlineMs: 500 });
    const replayed = busyWorld({ source: new ReplaySource(recorded.recorder.draws()) }, 7);
    const end = await replayed.run({ until: NEVER, deadlineMs: 500 });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "replay-divergence", divergence: { asked: { n: 7, label: "nap" } } },
    });
    const swallowing = new World({ source: new ReplaySource([]) });
    swallowing.after(1, "work", () => {
      try {
        swallowing.choices.choose(2, "x");
      } catch {
        // The code under test may be this careless.
      }
    });
    const swallowed = await swallowing.run({ until: NEVER, deadlineMs: 5 });
    expect(swallowed).toMatchObject({ kind: "failed", failure: { kind: "replay-divergence" } });
  });

  it("of other choices is shown beside the first at the first divergence", async () => {
    const logs = [];
    for (const naps of [6, 7]) {
      const world = busyWorld({ source: new ScriptSource([]), logSteps: true }, naps);
      await world.run({ until: NEVER, deadlineMs: 50 });
      logs.push(world.stepLog);
    }
    const [left, right] = logs;
    if (!left || !right) throw new Error("the steps were not logged");
    const found = firstDivergence(left, right);
    expect(found?.left).toBe('draw "nap" = 0 of 6, at 0 ms');
    expect(found?.right).toBe('draw "nap" = 0 of 7, at 0 ms');
  });
});

describe("a stretch of a run", () => {
  it("ends finished as soon as it is, before the next event", async () => {
    const world = new World({ source: new ScriptSource([]) });
    let count = 0;
    for (let i = 1; i <= 5; i++) world.after(i, "work", () => count++);
    expect(await world.run({ until: () => count === 3, deadlineMs: 10 })).toEqual({ kind: "finished" });
    expect([count, world.now(), world.events, world.pending]).toEqual([3, 3, 3, 2]);
  });

  it("ends at its deadline, after all that was due by then, and goes on in the next", async () => {
    const world = new World({ source: new ScriptSource([]) });
    const fired: number[] = [];
    for (const ms of [10, 20, 21, 30]) world.after(ms, "work", () => fired.push(ms));
    expect(await world.run({ until: NEVER, deadlineMs: 20 })).toEqual({ kind: "deadline" });
    expect([world.now(), fired]).toEqual([20, [10, 20]]);
    expect(await world.run({ until: NEVER, deadlineMs: 15 })).toEqual({ kind: "deadline" });
    expect(world.now()).toBe(20);
    expect(await world.run({ until: NEVER, deadlineMs: 100 })).toEqual({ kind: "idle" });
    expect([world.now(), fired]).toEqual([30, [10, 20, 21, 30]]);
  });

  it("ends idle when something waits for what never comes", async () => {
    const world = new World({ source: new ScriptSource([]) });
    const main: Main<null> = async () => {
      await new Promise(() => undefined);
    };
    world.process("stuck", main).start();
    expect(await world.run({ until: NEVER, deadlineMs: 1000 })).toEqual({ kind: "idle" });
  });

  it.each<[string, Main<null>]>([
    ["rejects", async ({ clock }) => clock.sleep(5).then(() => Promise.reject(new Error("a defect")))],
    [
      "throws at once",
      () => {
        throw new Error("a defect");
      },
    ],
    [
      "leaves a rejection unhandled",
      async () => {
        void Promise.reject(new Error("a defect"));
      },
    ],
  ])("fails when a main %s, and so does every later stretch", async (_name, main) => {
    const world = new World({ source: new ScriptSource([]) });
    world.process("faulty", main).start();
    const end = await world.run({ until: NEVER, deadlineMs: 1000 });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "crash", process: "faulty", error: new Error("a defect") },
    });
    expect(await world.run({ until: () => true, deadlineMs: 2000 })).toEqual(end);
    if (end.kind === "failed")
      expect(describeFailure(end.failure)).toContain("faulty threw: Error: a defect");
  });

  it("fails when virtual time stands still", async () => {
    const world = new World({ source: new ScriptSource([]) });
    const again = (): void => world.after(0, "again", again);
    world.after(7, "again", again);
    const end = await world.run({ until: NEVER, deadlineMs: 1000 });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "livelock", atMs: 7 } });
  });

  it("rejects when the question whether it is finished throws", async () => {
    const world = new World({ source: new ScriptSource([]) });
    const until = (): boolean => {
      throw new Error("a defect of the harness");
    };
    await expect(world.run({ until, deadlineMs: 1 })).rejects.toThrow("a defect of the harness");
  });

  it("refuses delays that are not whole milliseconds, and contexts of others", () => {
    const world = new World({ source: new ScriptSource([]) });
    expect(() => world.after(-1, "x", () => undefined)).toThrow("whole number");
    expect(() => world.after(0.5, "x", () => undefined)).toThrow("whole number");
    world.process("a", async () => undefined);
    expect(() => world.process("a", async () => undefined)).toThrow("declared once");
    expect(() => world.process("a.b", async () => undefined)).toThrow("process name");
  });

  it("gives stray errors back to the program around it afterwards", async () => {
    const heard: unknown[] = [];
    const listener = (error: unknown): void => void heard.push(error);
    process.on("unhandledRejection", listener);
    const before = process.listeners("unhandledRejection");
    await new World({ source: new ScriptSource([]) }).run({ until: NEVER, deadlineMs: 1 });
    expect(process.listeners("unhandledRejection")).toEqual(before);
    process.removeListener("unhandledRejection", listener);
    expect(heard).toEqual([]);
  });
});
