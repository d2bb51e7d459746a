/**
 * The rules of the context and of reports, on the real engine. Risk: a handler that breaks one and is not told, or whose
 * turn is tried again for ever.
 */
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../adapters/memory-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import { DEFAULT_CONFIG } from "../engine/config.ts";
import { createNode } from "../engine/node.ts";
import { SILENT } from "../ports/trace.ts";
import type { Json } from "../std/json.ts";
import { err } from "../std/result.ts";
import { failure } from "../vocabulary/errors.ts";
import type { StepContext, WorkflowContext } from "./context.ts";
import { workflow } from "./definition.ts";
import { ExampleHost } from "./example-host.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

function open() {
  return new ExampleHost(new VirtualClock(), (ports) =>
    createNode(
      { store: new MemoryStore(), trace: SILENT, ...ports },
      { ...DEFAULT_CONFIG, defer_index: false },
    ),
  );
}

type Handler = (ctx: WorkflowContext, host: ReturnType<typeof open>) => Promise<unknown>;

function flow(host: ReturnType<typeof open>, handler: Handler) {
  return workflow({
    name: "flow",
    version: "v1",
    initialState: null as Json,
    onMessage: (ctx) => handler(ctx, host) as Promise<{ state: Json }>,
  });
}

/** Runs one turn with that handler; answers the host. */
async function ran(handler: Handler) {
  const host = open();
  const one = flow(host, handler);
  await host.send(one, "f", "go");
  await host.once(one);
  return host;
}

const DONE = { state: null };

describe("a broken rule fails the turn for good, at its first attempt", () => {
  it.each<[string, string, Handler]>([
    [
      "steps in parallel",
      "one after the other",
      async (ctx) => {
        await Promise.all([ctx.step("a", () => 1), ctx.step("b", () => 2)]);
        return DONE;
      },
    ],
    [
      "a step that is not awaited",
      "await every step",
      async (ctx) => {
        void ctx.step("a", () => 1);
        return DONE;
      },
    ],
    [
      "the same key twice",
      "unique",
      async (ctx) => {
        await ctx.step("a", () => 1);
        await ctx.step("a", () => 2);
        return DONE;
      },
    ],
    ["a key that is no name", "must be 1 to 128", (ctx) => ctx.step("a/b", () => 1)],
    ["a step without a value", "must be a JSON value", (ctx) => ctx.step("a", () => undefined)],
    ["a step with a date", "must be a JSON value", (ctx) => ctx.step("a", () => new Date(0))],
    ["a state that is no JSON", "must be a JSON value", async () => ({ state: Number.NaN })],
    ["a result that is no JSON", "must be a JSON value", async () => ({ state: 1, result: () => 1 })],
    ["nothing returned", "a handler returns", async () => undefined],
    ["a sleep below zero", "length of the sleep", (ctx) => ctx.sleep("a", -1)],
    ["a wait without a time", "time limit", (ctx) => ctx.waitForSignal("a", { name: "n", timeoutMs: 0 })],
    ["a reserved signal", "reply-", (ctx) => ctx.waitForSignal("a", { name: "reply-x", timeoutMs: 1 })],
    ["a limit that is too short", "timeoutMs", (ctx) => ctx.step("a", () => 1, { timeoutMs: 99 })],
    [
      "silence longer than the limit",
      "heartbeatTimeoutMs",
      (ctx) => ctx.step("a", () => 1, { timeoutMs: 200, heartbeatTimeoutMs: 300 }),
    ],
    [
      "progress outside its convention, though the step catches it",
      "outside its convention",
      (ctx) =>
        ctx.step("a", ({ progress }) => {
          try {
            progress("", { done: 1 });
          } catch {
            return 1;
          }
          return 2;
        }),
    ],
    [
      "a rule that the handler tries to hide",
      "unique",
      async (ctx) => {
        await ctx.step("a", () => 1);
        await ctx.step("a", () => 2).catch(() => 3);
        return DONE;
      },
    ],
  ])("%s", async (_, message, handler) => {
    const host = await ran(handler);
    expect(await host.turn("f")).toMatchObject({
      status: "failed",
      attempt: 1,
      error: expect.stringContaining(message),
    });
    expect(host.clock.sleeping).toBe(0);
  });

  it("the 65th step, and 64 are fine", async () => {
    const steps =
      (count: number): Handler =>
      async (ctx) => {
        for (let n = 0; n < count; n++) await ctx.step(`s${n}`, () => n);
        return DONE;
      };
    expect((await (await ran(steps(64))).turn("f")).status).toBe("completed");
    const host = await ran(steps(65));
    expect(await host.turn("f")).toMatchObject({
      status: "failed",
      error: expect.stringContaining("at most 64"),
    });
    expect(host.calls.filter((name) => name === "operation")).toHaveLength(64);
  });
});

describe("code that has changed under its turn fails it for good", () => {
  const first: Handler = async (ctx) => {
    await ctx.step("a", () => 1);
    await ctx.sleep("b", 1_000);
    return DONE;
  };
  it.each<[string, string, Handler]>([
    ["another key", "was saved as step a", async (ctx) => ctx.step("x", () => 1)],
    ["another kind", "was saved as step a", async (ctx) => ctx.sleep("a", 1_000)],
    [
      "another length",
      "1000 ms",
      async (ctx) => {
        await ctx.step("a", () => 1);
        await ctx.sleep("b", 2_000);
      },
    ],
    ["a step left out", "without the saved step a", async () => DONE],
    [
      "a signal in place of a sleep",
      "was saved as sleep b",
      async (ctx) => {
        await ctx.step("a", () => 1);
        await ctx.waitForSignal("b", { name: "n", timeoutMs: 1_000 });
      },
    ],
  ])("%s", async (_, message, second) => {
    const host = await ran(first);
    await host.clock.pass(1_000);
    await host.once(flow(host, second));
    expect(await host.turn("f")).toMatchObject({ status: "failed", error: expect.stringContaining(message) });
  });
});

describe("a step that fails", () => {
  it("fails the attempt also when the handler catches it: nothing can come after it", async () => {
    const host = await ran(async (ctx) => {
      await ctx.step("a", () => Promise.reject(new Error("no luck"))).catch(() => 1);
      return DONE;
    });
    expect(await host.turn("f")).toMatchObject({ status: "queued", attempt: 1, error: "no luck" });
    expect(host.calls).toEqual(["operation", "fail"]);
  });

  it("may be told by the handler as another error", async () => {
    const host = await ran(async (ctx) => {
      await ctx
        .step("a", () => Promise.reject(new Error("no luck")))
        .catch(() => {
          throw new WorkflowUsageError("never");
        });
      return DONE;
    });
    expect(await host.turn("f")).toMatchObject({ status: "failed", error: "never" });
  });

  it.each([
    ["fenced", ["operation"]],
    ["conflict", ["operation"]],
    ["not-found", ["operation"]],
    ["invalid", ["operation", "fail"]],
    ["over-limit", ["operation", "fail"]],
    ["corrupt", ["operation", "fail"]],
  ] as const)("because its start was refused as %s is told so: %j", async (kind, calls) => {
    const host = open();
    const one = flow(host, (ctx) => ctx.step("a", () => 1));
    await host.send(one, "f", "go");
    host.intercept = (name) =>
      name === "operation" ? { instead: err(failure(kind, "c", "refused")) } : null;
    await host.once(one);
    expect(host.calls).toEqual(calls);
  });

  it("because a budget is used up waits for it, and spends no attempt", async () => {
    const host = open();
    const one = flow(host, (ctx) => ctx.step("a", () => 1));
    await host.send(one, "f", "go");
    const refused = err(failure("over-limit", "workflow_budget_exceeded", "spent"));
    host.intercept = (name) => (name === "operation" ? { instead: refused } : null);
    await host.once(one);
    expect(await host.turn("f")).toMatchObject({ status: "waiting", waiting_for: "retry", error: "spent" });
  });
});

describe("reports of a step", () => {
  /** Runs one step and answers what was reported: when, and what. */
  async function reported(
    work: (step: StepContext, clock: VirtualClock) => Promise<void>,
    heartbeatTimeoutMs?: number,
  ) {
    const limits = heartbeatTimeoutMs === undefined ? {} : { heartbeatTimeoutMs };
    const host = await ran(async (ctx, { clock }) => {
      await ctx.step("a", (step) => work(step, clock).then(() => null), limits);
      return DONE;
    });
    expect((await host.turn("f")).status).toBe("completed");
    expect(host.clock.sleeping).toBe(0);
    return host.sent
      .filter(({ name }) => name === "progress")
      .map(({ atMs, request }) => {
        const { sequence, details, checkpoint } = request as {
          sequence: number;
          details: Json;
          checkpoint: Json;
        };
        return { atMs, sequence, details, checkpoint };
      });
  }

  it("are sent at once when the phase changes, else every 3 s, and at the end: the last value wins", async () => {
    const seen = await reported(async ({ progress }, clock) => {
      for (let done = 0; done < 40; done++) {
        progress(done < 35 ? "reading" : "writing", { done, total: 40, unit: "pages" });
        await clock.sleep(100);
      }
    });
    expect(seen.map(({ atMs, details }) => [atMs, (details as { done: number }).done])).toEqual([
      [0, 0],
      [3_000, 29],
      [3_500, 35],
      [4_000, 39],
    ]);
    expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(seen[0]?.details).toEqual({ phase: "reading", done: 0, total: 40, unit: "pages" });
  });

  it("are sent each half of the limit on silence when that is shorter, also when nothing more is reported", async () => {
    const seen = await reported(async ({ progress }, clock) => {
      progress("p", { done: 1 });
      await clock.sleep(300);
      progress("p", { done: 2 });
      await clock.sleep(1_100);
    }, 1_000);
    expect(seen.map(({ atMs }) => atMs)).toEqual([0, 500]);
  });

  it("carry the checkpoint of the last heartbeat", async () => {
    const seen = await reported(async ({ progress, heartbeat }, clock) => {
      progress("p", { done: 1 });
      await heartbeat({ page: 1 }, { checkpoint: 1 });
      await clock.sleep(4_000);
      progress("p", { done: 2 });
      await heartbeat({ page: 2 });
    });
    expect(seen.map(({ details, checkpoint }) => [details, checkpoint])).toEqual([
      [{ phase: "p", done: 1 }, null],
      [{ page: 1 }, 1],
      [{ page: 2 }, 1],
    ]);
  });

  it("hand the checkpoint to the next attempt", async () => {
    const host = open();
    const seen: Json[] = [];
    const one = flow(host, async (ctx) => {
      await ctx.step("a", async ({ checkpoint, heartbeat }) => {
        seen.push(checkpoint);
        await heartbeat({}, { checkpoint: { page: seen.length } });
        if (seen.length < 3) throw new Error("again");
        return null;
      });
      return DONE;
    });
    await host.send(one, "f", "go");
    for (const ms of [1_000, 2_000, 0]) {
      await host.once(one);
      await host.clock.pass(ms);
    }
    expect(seen).toEqual([null, { page: 1 }, { page: 2 }]);
  });

  it("that are refused fail the step, and ones after its end are refused", async () => {
    const host = open();
    let late: Promise<unknown> = Promise.resolve();
    const one = flow(host, async (ctx) => {
      await ctx.step("a", ({ progress, heartbeat }) => {
        progress("p");
        late = ctx.signal.aborted
          ? late
          : Promise.resolve()
              .then(() => host.clock.sleep(5_000))
              .then(() => heartbeat({}));
        late.catch(() => undefined);
        return 1;
      });
      return DONE;
    });
    await host.send(one, "f", "go");
    host.intercept = (name) =>
      name === "progress" ? { instead: err(failure("invalid", "invalid_progress", "bad details")) } : null;
    await host.once(one);
    expect(await host.turn("f")).toMatchObject({ status: "queued", error: "bad details" });
    await host.clock.pass(5_000);
    await expect(late).rejects.toThrow("the step is over");
  });
});

it("a definition that no server would take is refused where it is written", () => {
  const onMessage = () => ({ state: null });
  const bad = [
    { name: "a b", version: "v1", initialState: null },
    { name: "a", version: "", initialState: null },
    { name: "a", version: "v1", initialState: undefined },
    { name: "a", version: "v1", initialState: null, leaseMs: 10 },
    { name: "a", version: "v1", initialState: null, maxAttempts: 0 },
    { name: "a", version: "v1", initialState: null, migrations: { v1: () => null } },
  ];
  for (const one of bad) expect(() => workflow({ ...one, onMessage } as never)).toThrow(WorkflowUsageError);
  const host = open();
  const fine = flow(host, async () => DONE);
  expect(() => host.worker([])).toThrow("at least one workflow");
  expect(() => host.worker([fine, fine])).toThrow("given twice");
  expect(() => host.worker([fine], { worker: "a/b" })).toThrow("name of a worker");
  expect(() => host.worker([fine], { concurrency: 0 })).toThrow("concurrency");
});
