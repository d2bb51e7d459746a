/**
 * Risk: a caller learns more than the network could tell it, or a fault on the hop does something else than it says.
 */
import { describe, expect, it } from "vitest";
import type { ChoiceSource } from "./choice.ts";
import type { HopFault } from "./hop.ts";
import { ScriptSource } from "./script-source.ts";
import { SeedSource } from "./seed-source.ts";
import type { CallOutcome, Process } from "./simulation.ts";
import { World } from "./world.ts";

interface Echo {
  echo(value: number): Promise<number>;
}
interface Stage {
  readonly world: World;
  readonly server: Process<Echo>;
  readonly client: Process<null>;
  /** What the server executed, with times. */
  readonly executed: string[];
  /** What the client learned, with times. */
  readonly learned: string[];
}

/** A client that calls a server once, at 10 ms, with 100 ms of patience. */
function stage(
  fault: Partial<HopFault>,
  source: ChoiceSource = new ScriptSource([]),
  workMs = 5,
  cutWithinMs = 0,
): Stage {
  const world = new World({ source });
  world.hopFaults = { decide: () => ({ lost: "none", duplicate: false, lateMs: 0, ...fault }) };
  const executed: string[] = [];
  const learned: string[] = [];
  const server = world.process<Echo>("server", async ({ clock, incarnation }, serve) => {
    serve({
      echo: async (value) => {
        executed.push(`${value} by ${incarnation} at ${world.now()}`);
        await clock.sleep(workMs);
        return value * 2;
      },
    });
  });
  const client = world.process<null>("client", async (context) => {
    await context.clock.sleep(10);
    const request = { operation: "echo", request: { value: 21 }, cutWithinMs };
    const outcome: CallOutcome<number> = await world.call(context, server, request, (s) => s.echo(21), 100);
    learned.push(
      `${outcome.kind === "answered" ? outcome.value : "unknown-outcome"} at ${context.clock.monotonicMs()}`,
    );
  });
  server.start();
  client.start();
  return { world, server, client, executed, learned };
}

async function runAll(world: World): Promise<void> {
  expect(await world.run({ until: () => false, deadlineMs: 10_000 })).toEqual({ kind: "idle" });
}

describe("a call", () => {
  it("is executed once and answered, and is on record", async () => {
    const { world, executed, learned } = stage({});
    await runAll(world);
    expect(executed).toEqual(["21 by 1 at 11"]);
    expect(learned).toEqual(["42 at 17"]);
    expect(world.calls).toEqual([
      {
        id: 1,
        from: "client",
        fromIncarnation: 1,
        to: "server",
        operation: "echo",
        request: { value: 21 },
        sentAtMs: 10,
        repliedAtMs: 16,
        answeredAtMs: 17,
        outcome: "answered",
        reply: 42,
        faults: [],
      },
    ]);
  });

  it("takes latencies by draws of their own", async () => {
    const { world, learned } = stage({}, new SeedSource(4));
    await runAll(world);
    const labels = world.recorder.draws().map((draw) => draw.label);
    expect(labels).toContain("hop-request-latency");
    expect(labels).toContain("hop-reply-latency");
    expect(learned).toHaveLength(1);
  });

  it("that is lost is not executed (H01)", async () => {
    const { world, executed, learned } = stage({ lost: "call", duplicate: true });
    await runAll(world);
    expect(executed).toEqual([]);
    expect(learned).toEqual(["unknown-outcome at 110"]);
    expect(world.calls[0]).toMatchObject({ outcome: "unknown-outcome", faults: ["H01-lost-call"] });
  });

  it("whose reply is lost is executed (H02)", async () => {
    const { world, executed, learned } = stage({ lost: "reply" });
    await runAll(world);
    expect(executed).toHaveLength(1);
    expect(learned).toEqual(["unknown-outcome at 110"]);
    const lost = { outcome: "unknown-outcome", repliedAtMs: null, faults: ["H02-lost-reply"] };
    expect(world.calls[0]).toMatchObject(lost);
  });

  it.each(["call", "reply"] as const)(
    "whose %s is lost on a connection that tells is over early (H7)",
    async (lost) => {
      const source = { choose: (n: number, label: string) => (label === "hop-cut" ? n - 1 : 0) };
      const { world, learned } = stage({ lost }, source, 5, 40);
      await runAll(world);
      expect(learned).toEqual(["unknown-outcome at 50"]);
      expect(world.calls[0]).toMatchObject({ outcome: "unknown-outcome", answeredAtMs: 50 });
    },
  );

  it("that is not lost draws nothing for a connection that breaks (H7)", async () => {
    const { world, learned } = stage({}, new SeedSource(4), 5, 40);
    await runAll(world);
    expect(world.recorder.draws().map((draw) => draw.label)).not.toContain("hop-cut");
    expect(learned[0]).toContain("42 at");
  });

  it("that is doubled is executed twice and answered once (D01)", async () => {
    const { world, executed, learned } = stage({ duplicate: true });
    await runAll(world);
    expect(executed).toHaveLength(2);
    expect(learned).toEqual(["42 at 17"]);
    const doubled = { outcome: "answered", repliedAtMs: 16, faults: ["D01-duplicate-request"] };
    expect(world.calls[0]).toMatchObject(doubled);
  });

  it("whose answer comes too late has an unknown outcome, once", async () => {
    const { world, executed, learned } = stage({}, new ScriptSource([]), 500);
    await runAll(world);
    expect(executed).toHaveLength(1);
    expect(learned).toEqual(["unknown-outcome at 110"]);
    expect(world.calls[0]).toMatchObject({
      outcome: "unknown-outcome",
      repliedAtMs: null,
      answeredAtMs: 110,
    });
  });

  it("to a process that is down is never answered", async () => {
    const { world, server, executed, learned } = stage({});
    world.after(5, "crash", () => server.crash());
    await runAll(world);
    expect(executed).toEqual([]);
    expect(learned).toEqual(["unknown-outcome at 110"]);
  });

  it("that crashes its target while it works is never answered", async () => {
    const { world, server, executed, learned } = stage({});
    world.after(13, "crash", () => server.start());
    await runAll(world);
    expect(executed).toEqual(["21 by 1 at 11"]);
    expect(learned).toEqual(["unknown-outcome at 110"]);
  });

  it("is answered though its target crashes once the reply is on its way", async () => {
    const { world, server, learned } = stage({}, new ScriptSource([0, 0, 0, 0, 4]));
    world.after(17, "crash", () => server.crash());
    await runAll(world);
    expect(learned).toEqual(["42 at 21"]);
  });

  it("reaches the life that runs when it arrives", async () => {
    const { world, server, executed, learned } = stage({}, new ScriptSource([0, 0, 0, 4]));
    world.after(12, "restart", () => server.start());
    await runAll(world);
    expect(executed).toEqual(["21 by 2 at 15"]);
    expect(learned).toEqual(["42 at 21"]);
  });

  it("to a paused process is executed when it resumes", async () => {
    const { world, server, executed, learned } = stage({});
    world.after(5, "pause", () => server.pause());
    world.after(50, "resume", () => server.resume());
    await runAll(world);
    expect(executed).toEqual(["21 by 1 at 50"]);
    expect(learned).toEqual(["42 at 56"]);
  });

  it("of a caller that dies waiting stays without an outcome", async () => {
    const { world, client, executed, learned } = stage({});
    world.after(12, "crash", () => client.crash());
    await runAll(world);
    expect(executed).toHaveLength(1);
    expect(learned).toEqual([]);
    expect(world.calls[0]).toMatchObject({ outcome: null, answeredAtMs: null });
  });

  it("whose service rejects is a crash of the code under test", async () => {
    const world = new World({ source: new ScriptSource([]) });
    const server = world.process<Echo>("server", async (_context, serve) =>
      serve({ echo: () => Promise.reject(new Error("a defect")) }),
    );
    server.start();
    world
      .process<null>("client", async (context) => {
        await context.clock.sleep(1);
        await world.call(context, server, { operation: "echo", request: null }, (s) => s.echo(1), 100);
      })
      .start();
    const end = await world.run({ until: () => false, deadlineMs: 1000 });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "crash", process: "server", error: new Error("a defect") },
    });
  });
});

describe("a late call and a twin", () => {
  it("arrives after calls that were sent later, also after its caller gave up (H6)", async () => {
    const { world, executed, learned } = stage({ lateMs: 300 });
    await runAll(world);
    expect(executed).toEqual(["21 by 1 at 311"]);
    expect(learned).toEqual(["unknown-outcome at 110"]);
    expect(world.calls[0]?.faults).toEqual(["D02-reorder"]);
  });

  it("reaches the newest of two lives by draw 0 and the older one by another", async () => {
    for (const [drawn, life] of [
      [0, 2],
      [1, 1],
    ] as const) {
      const source = {
        choose: (n: number, label: string) => (label === "hop-twin" ? Math.min(drawn, n - 1) : 0),
      };
      const { world, server, executed, learned } = stage({}, source);
      world.after(5, "twin", () => server.twin());
      await runAll(world);
      expect(executed).toEqual([`21 by ${life} at 11`]);
      expect(learned).toEqual(["42 at 17"]);
    }
  });
});
