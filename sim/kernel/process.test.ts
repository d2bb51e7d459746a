/**
 * Risk: a crashed process goes on, a paused one acts, or two processes share a clock.
 */
import { describe, expect, it } from "vitest";
import { EPOCH_MS } from "./clock.ts";
import { ScriptSource } from "./script-source.ts";
import { SeedSource } from "./seed-source.ts";
import type { Main, ProcessContext } from "./simulation.ts";
import { World } from "./world.ts";

function plainWorld(): World {
  return new World({ source: new ScriptSource([]) });
}

async function runUntil(world: World, deadlineMs: number): Promise<string> {
  return (await world.run({ until: () => false, deadlineMs })).kind;
}

/** Notes the time after each sleep of 10 ms. */
function ticker(notes: string[]): Main<string> {
  return async (context, serve) => {
    serve(`life ${context.incarnation}`);
    for (let i = 1; ; i++) {
      await context.clock.sleep(10);
      notes.push(`${context.incarnation}:${i}@${context.clock.monotonicMs()}`);
    }
  };
}

describe("a process", () => {
  it("runs only inside events (S2)", async () => {
    const world = plainWorld();
    let ran = false;
    const process = world.process("p", async () => {
      ran = true;
    });
    process.start();
    expect(process.running).toBe(true);
    await null;
    expect(ran).toBe(false);
    expect(await runUntil(world, 0)).toBe("idle");
    expect(ran).toBe(true);
    expect(process.running).toBe(true);
  });

  it("is never answered again after a crash, and restarts with fresh memory (S3)", async () => {
    const world = plainWorld();
    const notes: string[] = [];
    const process = world.process("p", ticker(notes));
    process.start();
    world.after(25, "crash", () => process.crash());
    world.after(100, "restart", () => process.start());
    await runUntil(world, 50);
    expect(process.running).toBe(false);
    expect(process.service).toBeNull();
    expect(world.pending).toBe(1);
    await runUntil(world, 125);
    expect(process.service).toBe("life 2");
    expect(notes).toEqual(["1:1@10", "1:2@20", "2:1@10", "2:2@20"]);
  });

  it("drops a delivery to a life that is over", async () => {
    const world = plainWorld();
    const contexts: ProcessContext[] = [];
    const process = world.process("p", async (context) => {
      contexts.push(context);
    });
    process.start();
    await runUntil(world, 0);
    const [context] = contexts;
    if (context === undefined) throw new Error("the process has not run");
    const landed: string[] = [];
    world.deliver(context, 5, "answer", () => landed.push("alive"));
    world.deliver(context, 20, "answer", () => landed.push("dead"));
    world.after(10, "crash", () => process.start());
    await runUntil(world, 30);
    world.deliver(context, 1, "answer", () => landed.push("long dead"));
    await runUntil(world, 60);
    expect(landed).toEqual(["alive"]);
    expect(context.alive).toBe(false);
    expect(context.random.below(5, "x")).toBe(0);
  });

  it("reaches nothing from what runs on after a crash in its own event", async () => {
    const world = plainWorld();
    const notes: string[] = [];
    const process = world.process("p", async (context, serve) => {
      process.crash();
      serve("ghost");
      notes.push("runs on");
      await context.clock.sleep(1);
      notes.push("woken");
    });
    process.start();
    expect(await runUntil(world, 100)).toBe("idle");
    expect(notes).toEqual(["runs on"]);
    expect(process.service).toBeNull();
  });

  it("may throw what it likes once its life is over", async () => {
    const world = plainWorld();
    const process = world.process("p", async () => {
      process.crash();
      throw new Error("unheard");
    });
    process.start();
    expect(await runUntil(world, 100)).toBe("idle");
  });

  it("runs nothing while paused; what was due comes at the resume, in order (S4)", async () => {
    const world = new World({ source: new SeedSource(11) });
    const notes: string[] = [];
    const process = world.process("p", async ({ clock }) => {
      const nap = async (ms: number): Promise<void> => {
        await clock.sleep(ms);
        notes.push(`${ms} at ${world.now()}`);
        await null;
        notes.push(`after ${ms}`);
      };
      for (const ms of [50, 20, 40, 30, 100, 200]) void nap(ms);
    });
    process.start();
    world.after(25, "pause", () => process.pause());
    world.after(100, "resume", () => process.resume());
    await runUntil(world, 99);
    expect(process.paused).toBe(true);
    expect(notes).toEqual(["20 at 20", "after 20"]);
    await runUntil(world, 150);
    expect(process.paused).toBe(false);
    const inOrder = [20, 30, 40, 50].flatMap((ms) => [`${ms} at ${ms === 20 ? 20 : 100}`, `after ${ms}`]);
    expect(notes.slice(0, 8)).toEqual(inOrder);
    expect(notes.slice(8)).toEqual(["100 at 100", "after 100"]);
    await runUntil(world, 300);
    expect(notes.slice(10)).toEqual(["200 at 200", "after 200"]);
  });

  it("holds again what a second pause meets, and forgets what it held when it crashes", async () => {
    const world = plainWorld();
    const notes: number[] = [];
    const process = world.process("p", async ({ clock }) => {
      for (const ms of [10, 11, 12]) {
        void clock.sleep(ms).then(() => {
          notes.push(ms);
          if (ms === 10) process.pause();
        });
      }
    });
    process.start();
    world.after(5, "pause", () => process.pause());
    world.after(20, "resume", () => process.resume());
    world.after(30, "resume", () => process.resume());
    await runUntil(world, 25);
    expect(notes).toEqual([10]);
    await runUntil(world, 40);
    expect(notes).toEqual([10, 11, 12]);
    process.start();
    world.after(5, "pause", () => process.pause());
    world.after(20, "crash", () => process.crash());
    world.after(21, "resume", () => process.resume());
    await runUntil(world, 100);
    expect(notes).toEqual([10, 11, 12]);
  });

  it("has a wall clock of its own; an offset leaves the monotonic clock alone (S5)", async () => {
    const world = plainWorld();
    const seen: string[] = [];
    const main: Main<null> = async ({ name, clock }) => {
      await clock.sleep(10);
      seen.push(`${name} ${clock.wallMs() - EPOCH_MS} ${clock.monotonicMs()}`);
    };
    const ahead = world.process("ahead", main);
    const behind = world.process("behind", main);
    ahead.setClockOffset(60_000);
    behind.setClockOffset(-60_000);
    ahead.start();
    world.after(5, "start", () => behind.start());
    world.after(50, "restart", () => ahead.start());
    await runUntil(world, 100);
    expect(seen).toEqual(["ahead 60010 10", "behind -59985 10", "ahead 60060 10"]);
  });

  it("sleeps at least as long as asked, in whole milliseconds", async () => {
    const world = plainWorld();
    const woken: number[] = [];
    const main: Main<null> = async ({ clock }) => {
      for (const ms of [0.2, 0, -5, 3.5]) {
        await clock.sleep(ms);
        woken.push(world.now());
      }
    };
    world.process("p", main).start();
    await runUntil(world, 100);
    expect(woken).toEqual([1, 1, 1, 5]);
  });

  it("issues ids that are unique in the run though every draw is 0", async () => {
    const world = plainWorld();
    const ids: string[] = [];
    const main: Main<null> = async (context) => {
      for (let i = 0; i < 50; i++) ids.push(context.ids.next());
    };
    const processes = ["node-1", "node-2"].map((name) => world.process(name, main));
    for (const process of processes) process.start();
    world.after(10, "restart", () => processes[0]?.start());
    await runUntil(world, 100);
    expect(ids).toHaveLength(150);
    expect(new Set(ids).size).toBe(150);
    expect(ids.every((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true);
    expect(world.recorder.draws().filter((draw) => draw.label === "boot")).toHaveLength(3);
  });

  it("tells its starts, crashes, pauses and skews as incidents", async () => {
    const world = plainWorld();
    const process = world.process("p", async () => undefined);
    process.setClockOffset(5);
    process.start();
    process.pause();
    process.resume();
    process.crash();
    process.crash();
    expect(world.incidents.map((incident) => incident.kind)).toEqual([
      "skew",
      "start",
      "pause",
      "resume",
      "crash",
    ]);
    expect(world.incidents.every((incident) => incident.process === "p" && incident.atMs === 0)).toBe(true);
  });
});

describe("a process that is told to stop", () => {
  /** Its stop takes 50 ms, during which it goes on. */
  const stoppable =
    (notes: string[]): Main<null> =>
    async ({ clock }, serve) => {
      serve(null, async () => {
        notes.push("told");
        await clock.sleep(50);
        notes.push("done");
      });
      for (;;) {
        await clock.sleep(20);
        notes.push("tick");
      }
    };

  it("finishes what its code wants to finish, and is gone then (P1)", async () => {
    const world = plainWorld();
    const notes: string[] = [];
    const process = world.process("p", stoppable(notes));
    process.start();
    world.after(10, "stop", () => process.stop(1_000));
    await runUntil(world, 500);
    expect(notes).toEqual(["told", "tick", "tick", "done"]);
    expect(process.running).toBe(false);
    expect(world.incidents.map(({ kind, atMs }) => `${kind} ${atMs}`)).toEqual([
      "start 0",
      "stop 10",
      "stopped 60",
    ]);
  });

  it("is gone when its time is over, whatever its code still does (P1)", async () => {
    const world = plainWorld();
    const notes: string[] = [];
    const process = world.process("p", stoppable(notes));
    process.start();
    world.after(10, "stop", () => process.stop(30));
    await runUntil(world, 500);
    expect(notes).toEqual(["told", "tick"]);
    expect(world.incidents.at(-1)).toMatchObject({ kind: "stopped", atMs: 40 });
  });

  it("is gone at once without a stop of its own, and its next life is left alone", async () => {
    const world = plainWorld();
    const notes: string[] = [];
    const process = world.process("p", ticker(notes));
    process.start();
    world.after(15, "stop", () => process.stop(30));
    world.after(16, "start", () => process.start());
    await runUntil(world, 100);
    expect(notes.slice(0, 3)).toEqual(["1:1@10", "2:1@10", "2:2@20"]);
    expect(process.running).toBe(true);
  });
});

describe("a starved process", () => {
  it("runs everything late by the same time, in its order, and on time again afterwards (N1)", async () => {
    const world = plainWorld();
    const notes: number[] = [];
    const process = world.process<null>("p", async ({ clock }) => {
      for (const ms of [10, 20, 100])
        void clock.sleep(ms).then(() => {
          notes.push(world.now());
        });
    });
    process.start();
    world.after(5, "starve", () => process.starve(40, 60));
    await runUntil(world, 500);
    expect(notes).toEqual([50, 60, 100]);
  });

  it("runs nothing late once it has crashed, and holds what is late while it is paused", async () => {
    const world = plainWorld();
    const notes: number[] = [];
    const process = world.process<null>("p", async ({ clock }) => {
      await clock.sleep(10);
      notes.push(world.now());
    });
    process.start();
    world.after(5, "starve", () => process.starve(40, 60));
    world.after(20, "pause", () => process.pause());
    world.after(80, "resume", () => process.resume());
    await runUntil(world, 500);
    expect(notes).toEqual([80]);
    process.start();
    world.after(5, "starve", () => process.starve(40, 60));
    world.after(20, "crash", () => process.crash());
    await runUntil(world, 1_000);
    expect(notes).toEqual([80]);
  });
});

describe("a twin", () => {
  it("lives beside the first under its name and clock, with ids and memory of its own (P2)", async () => {
    const world = plainWorld();
    const notes: string[] = [];
    const process = world.process("p", ticker(notes));
    process.setClockOffset(5);
    process.start();
    world.after(15, "twin", () => process.twin());
    world.after(40, "untwin", () => process.untwin());
    await runUntil(world, 60);
    expect(notes).toEqual(["1:1@10", "1:2@20", "2:1@10", "1:3@30", "2:2@20", "2:3@30", "2:4@40"]);
    expect(world.incidents.map(({ kind }) => kind)).toEqual(["skew", "start", "twin", "start", "crash"]);
    expect(process.service).toBe("life 2");
  });

  it("is struck with the first: a crash or a pause is of both", async () => {
    const world = plainWorld();
    const notes: string[] = [];
    const process = world.process("p", ticker(notes));
    process.start();
    world.after(1, "twin", () => process.twin());
    world.after(15, "pause", () => process.pause());
    world.after(100, "resume", () => process.resume());
    world.after(105, "crash", () => process.crash());
    await runUntil(world, 500);
    expect(notes).toEqual(["1:1@10", "2:1@10", "2:2@99", "1:2@100"]);
    expect(process.running).toBe(false);
  });
});
