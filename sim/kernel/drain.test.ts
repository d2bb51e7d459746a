/**
 * Risk: an event fires while code under test still has microtasks to run, so that the order of a run depends on
 * how Node schedules them.
 */
import { describe, expect, it } from "vitest";
import type { DrainMode } from "./drain.ts";
import { drive, workingTick } from "./drain.ts";
import { ScriptSource } from "./script-source.ts";
import { World } from "./world.ts";

const MODES: readonly DrainMode[] = ["auto", "slow"];

async function hops(): Promise<void> {
  for (let i = 0; i < 50; i++) await null;
}

async function generator(): Promise<void> {
  async function* numbers(): AsyncGenerator<number> {
    for (let i = 0; i < 20; i++) yield await Promise.resolve(i);
  }
  let sum = 0;
  for await (const n of numbers()) sum += n;
  expect(sum).toBe(190);
}

async function thenable(): Promise<void> {
  // biome-ignore lint/suspicious/noThenProperty: a thenable is what is under test
  for (let i = 0; i < 20; i++) await { then: (done: (value: number) => void) => done(i) };
}

async function ticks(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise<void>((resolve) => process.nextTick(resolve));
  await new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(() => queueMicrotask(resolve))));
}

async function nested(): Promise<void> {
  const deep = async (levels: number): Promise<number> => (levels === 0 ? 0 : 1 + (await deep(levels - 1)));
  expect(await deep(50)).toBe(50);
  await Promise.all(Array.from({ length: 20 }, hops));
}

describe.each(MODES)("with the %s drain, all microtasks of an event run before the next", (drain) => {
  it.each([
    ["a chain of 50 awaits", hops],
    ["an async generator", generator],
    ["awaits of thenables", thenable],
    ["process.nextTick", ticks],
    ["nested async calls", nested],
  ])("%s", async (_name, work) => {
    const world = new World({ source: new ScriptSource([]), drain });
    const order: string[] = [];
    for (let i = 0; i < 3; i++) {
      world.after(0, "work", () => {
        order.push(`begin ${i}`);
        void work().then(() => order.push(`end ${i}`));
      });
    }
    const end = await world.run({ until: () => false, deadlineMs: 10 });
    expect(end).toEqual({ kind: "idle" });
    expect(order).toEqual(["begin 0", "end 0", "begin 1", "end 1", "begin 2", "end 2"]);
  });

  it("what a tick throws is a failure of the run", async () => {
    const world = new World({ source: new ScriptSource([]), drain });
    world.after(0, "work", () => {
      process.nextTick(() => {
        throw new Error("in a tick");
      });
    });
    const end = await world.run({ until: () => false, deadlineMs: 10 });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "crash", error: new Error("in a tick") } });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await world.run({ until: () => false, deadlineMs: 20 })).toEqual(end);
  });

  it("what a microtask throws is a failure of the run", async () => {
    const world = new World({ source: new ScriptSource([]), drain });
    world.after(0, "work", () => {
      queueMicrotask(() => {
        throw new Error("in a microtask");
      });
    });
    const end = await world.run({ until: () => false, deadlineMs: 10 });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "crash", error: new Error("in a microtask") },
    });
  });
});

describe("the drain", () => {
  it("is the fast one from a macrotask, and is known not to work inside a microtask", async () => {
    const outside = await new Promise((resolve) => setImmediate(() => resolve(workingTick() !== null)));
    expect(outside).toBe(true);
    await null;
    expect(workingTick()).toBeNull();
  });

  it("gives the same run fast and slow", async () => {
    const digests = [];
    for (const drain of MODES) {
      const world = new World({ source: new ScriptSource([3, 1, 4, 1, 5, 9, 2, 6]), drain });
      for (const name of ["a", "b"]) {
        world
          .process(name, async ({ clock, random }) => {
            for (let i = 0; i < 20; i++) await clock.sleep(random.below(3, "nap"));
          })
          .start();
      }
      await world.run({ until: () => false, deadlineMs: 1000 });
      digests.push(world.fingerprint.digest());
    }
    expect(digests[0]).toBe(digests[1]);
  });

  it.each(MODES)("rejects when the step itself throws, and stops watching (%s)", async (mode) => {
    let watched = false;
    const watch = {
      enter: () => {
        watched = true;
      },
      leave: () => {
        watched = false;
      },
      threw: () => undefined,
      still: () => false,
    };
    const step = (): null => {
      throw new Error("a defect");
    };
    await expect(drive(step, watch, mode)).rejects.toThrow("a defect");
    await new Promise((resolve) => setImmediate(resolve));
    expect(watched).toBe(false);
  });
});
