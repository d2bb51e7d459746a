/**
 * What a worker saves itself, on the real engine. Risks: a finished step that is lost though its attempt went on, one
 * that is saved behind a later one or under another id, a limit that nobody watches, a turn that is taken and kept.
 */
import { expect, it } from "vitest";
import { MemoryStore } from "../adapters/memory-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import { DEFAULT_CONFIG } from "../engine/config.ts";
import { createNode } from "../engine/node.ts";
import { SILENT } from "../ports/trace.ts";
import { err } from "../std/result.ts";
import { failure } from "../vocabulary/errors.ts";
import type { StepOptions, WorkflowContext } from "./context.ts";
import { type Workflow, workflow } from "./definition.ts";
import { ExampleHost } from "./example-host.ts";
import { DEFAULT_SAVINGS } from "./savings.ts";

type Host = ExampleHost<VirtualClock>;

function open(): Host {
  return new ExampleHost(new VirtualClock(), (ports) =>
    createNode(
      { store: new MemoryStore(), trace: SILENT, ...ports },
      { ...DEFAULT_CONFIG, defer_index: false },
    ),
  );
}

const LEASE_MS = 6_000;

function flow(onMessage: (ctx: WorkflowContext) => Promise<unknown>): Workflow {
  return workflow({
    name: "flow",
    version: "v1",
    initialState: 0,
    leaseMs: LEASE_MS,
    async onMessage(ctx) {
      await onMessage(ctx as WorkflowContext);
      return { state: 1 };
    },
  });
}

/** Runs one turn of it with all savings. */
async function ran(host: Host, one: Workflow, ...messages: string[]) {
  await host.send(one, "f", ...(messages.length === 0 ? ["go"] : messages));
  await host.clock.until(host.worker([one], DEFAULT_SAVINGS).runOnce());
  return host.turn("f");
}

/** Sleeps on the host's clock, outside any step. */
const idle = (host: Host, ms: number) => host.clock.sleep(ms);

it("one step and its turn are one request, and the step stands in the turn as any other", async () => {
  const host = open();
  let effect = "";
  const turn = await ran(
    host,
    flow((ctx) =>
      ctx.step("a", ({ effectId }) => {
        effect = effectId;
        return 1;
      }),
    ),
  );
  expect(host.calls).toEqual(["complete"]);
  expect(turn).toMatchObject({ status: "completed", steps: [{ key: "a", kind: "step", output: 1 }] });
  expect(effect).toMatch(/\/f\/[^/]+\/1\/m1\/a$/);
});

it("64 steps are 64 requests, each step saved before the next one begins", async () => {
  const host = open();
  const turn = await ran(
    host,
    flow(async (ctx) => {
      for (let n = 0; n < 64; n++)
        await ctx.step(`s${n}`, async () => {
          expect((await host.turn("f")).steps).toHaveLength(n);
          return n;
        });
    }),
  );
  expect(turn.steps.map(({ output }) => output)).toEqual(Array.from({ length: 64 }, (_, n) => n));
  expect(host.calls).toHaveLength(64);
});

it("a held step is saved at the next renewal, however long its handler idles", async () => {
  const host = open();
  const turn = await ran(
    host,
    flow(async (ctx) => {
      await ctx.step("a", () => 1);
      await idle(host, LEASE_MS);
    }),
  );
  expect(host.calls).toEqual(["heartbeat", "checkpoint", "heartbeat", "complete"]);
  expect(turn.steps).toHaveLength(1);
});

it.each<[string, (ctx: WorkflowContext) => Promise<unknown>, string[]]>([
  ["sleep", (ctx) => ctx.sleep("b", 1_000), ["checkpoint", "checkpoint"]],
  ["wait", (ctx) => ctx.waitForSignal("b", { name: "n", timeoutMs: 1_000 }), ["checkpoint", "waitSignal"]],
  [
    "child call",
    (ctx) => ctx.child("b", { name: "c", version: "v1" }, { message: 1, timeoutMs: 1_000 }),
    ["checkpoint", "startChild"],
  ],
])("a held step is saved before a %s, which goes on from it", async (_, then, calls) => {
  const host = open();
  const turn = await ran(
    host,
    flow(async (ctx) => {
      await ctx.step("a", () => 1);
      await then(ctx);
    }),
  );
  expect(host.calls).toEqual(calls);
  expect(turn.steps.map(({ key }) => key)).toEqual(["a", "b"]);
});

it("a held step goes with a completion that continues in another turn", async () => {
  const host = open();
  const pages = workflow({
    name: "pages",
    version: "v1",
    initialState: 0,
    async onMessage(ctx, state, left: number) {
      const read = await ctx.step("read", () => 1);
      return left > 1 ? ctx.continue(state + read, left - 1) : { state: state + read };
    },
  });
  await host.send(pages, "p", 3);
  const worker = host.worker([pages], DEFAULT_SAVINGS);
  const serving = worker.run();
  await host.clock.pass(100);
  worker.stop();
  await host.clock.until(serving);
  expect(await host.state("p")).toBe(3);
  expect(host.sent.map(({ name }) => name).slice(0, 4)).toEqual([
    "claim",
    "complete",
    "complete",
    "complete",
  ]);
});

it.each([
  ["fails", () => Promise.reject(new Error("no luck")), "queued"],
  ["breaks a rule", (ctx: WorkflowContext) => ctx.step("a", () => 2), "failed"],
])("a held step is kept when its handler %s", async (_, then, status) => {
  const host = open();
  let done = 0;
  const one = flow(async (ctx) => {
    await ctx.step("a", () => ++done);
    await then(ctx);
  });
  const turn = await ran(host, one);
  expect(host.calls).toEqual(["checkpoint", "fail"]);
  expect(turn).toMatchObject({ status, steps: [{ key: "a", output: 1 }] });
});

it("a held step whose checkpoint is under way is kept when its handler fails", async () => {
  const host = open();
  const one = flow(async (ctx) => {
    await ctx.step("a", () => 1);
    // The renewal has sent the checkpoint.
    await idle(host, LEASE_MS / 3 + 1);
    throw new Error("no luck");
  });
  host.intercept = async (name) => {
    if (name !== "checkpoint" || host.sent.filter((call) => call.name === name).length > 1) return null;
    await idle(host, 5);
    return { instead: err(failure("unavailable", "away", "away")) };
  };
  const turn = await ran(host, one);
  expect(host.calls).toEqual(["heartbeat", "checkpoint", "checkpoint", "fail"]);
  expect(turn).toMatchObject({ status: "queued", steps: [{ key: "a", output: 1 }] });
});

it("a held step is kept when its turn is given back, and no attempt is spent", async () => {
  const host = open();
  const one = flow(async (ctx) => {
    await ctx.step("a", () => 1);
    await idle(host, 1_000_000);
  });
  await host.send(one, "f", "go");
  const worker = host.worker([one], { ...DEFAULT_SAVINGS, drainMs: 1_000 });
  const serving = worker.run();
  await host.clock.pass(500);
  worker.stop();
  await host.clock.until(serving);
  expect(host.calls).toEqual(["checkpoint", "fail"]);
  expect(await host.turn("f")).toMatchObject({ waiting_for: "retry", steps: [{ key: "a" }] });
});

it("a held step that cannot be saved before its lease is over is not sent after it, though its turn is given back", async () => {
  const host = open();
  const one = flow(async (ctx) => {
    await ctx.step("a", () => 1);
    await idle(host, 1_000_000);
  });
  await host.send(one, "f", "go");
  const claimMs = LEASE_MS / 3 - 10;
  host.intercept = async (name, request) => {
    if (name === "heartbeat") return new Promise(() => undefined);
    if (name === "checkpoint") {
      await host.clock.sleep(20);
      return { instead: err(failure("unavailable", "away", "away")) };
    }
    if (name !== "claim") return null;
    const instead = await host.node.claim(request as never);
    await host.clock.sleep(claimMs);
    return { instead };
  };
  // Given back just before its renewal fails, so that less than a third of the lease is left.
  const drainMs = LEASE_MS - 30 - claimMs;
  const worker = host.worker([one], { ...DEFAULT_SAVINGS, claimNext: false, drainMs });
  const serving = worker.run();
  await host.clock.pass(claimMs);
  worker.stop();
  await host.clock.until(serving);
  expect(host.sent.filter(({ name }) => name === "checkpoint").length).toBeGreaterThan(0);
  expect(host.sent.filter(({ atMs }) => atMs > LEASE_MS)).toEqual([]);
});

it("a step that was lost with its attempt is done again under the same effect id", async () => {
  const host = open();
  const effects: string[] = [];
  const one = flow((ctx) => ctx.step("a", ({ effectId }) => effects.push(effectId)));
  await host.send(one, "f", "go");
  host.intercept = (name) => (name === "complete" ? { instead: err(failure("fenced", "c", "lost")) } : null);
  await host.clock.until(host.worker([one], DEFAULT_SAVINGS).runOnce());
  host.intercept = () => null;
  await host.clock.pass(LEASE_MS);
  await host.clock.until(host.worker([one], DEFAULT_SAVINGS).runOnce());
  expect(await host.turn("f")).toMatchObject({ status: "completed", steps: [{ key: "a", output: 2 }] });
  expect(effects[1]).toBe(effects[0]);
});

it("a step that was refused fails the attempt", async () => {
  const host = open();
  await host.send(
    flow(async () => undefined),
    "f",
    "go",
  );
  const refused = failure("over-limit", "value_too_large", "too large");
  host.intercept = (name) => (name === "checkpoint" ? { instead: err(refused) } : null);
  const one = flow(async (ctx) => {
    await ctx.step("a", () => 1);
    await ctx.step("b", () => 2);
  });
  await host.clock.until(host.worker([one], DEFAULT_SAVINGS).runOnce());
  expect(host.calls).toEqual(["checkpoint", "fail"]);
  expect(await host.turn("f")).toMatchObject({ status: "queued", error: "too large", steps: [] });
});

it.each<[string, StepOptions, string[]]>([
  ["is begun at the first renewal when it still runs then", {}, ["heartbeat", "operation", "heartbeat"]],
  ["is begun at once when it has a limit", { timeoutMs: 60_000 }, ["operation", "heartbeat", "heartbeat"]],
  [
    "is begun at once when it must report",
    { heartbeatTimeoutMs: 30_000 },
    ["operation", "heartbeat", "heartbeat"],
  ],
])("a step %s, and the engine knows its limits from then on", async (_, options, calls) => {
  const host = open();
  const turn = await ran(
    host,
    flow((ctx) =>
      ctx
        .step(
          "a",
          async () => {
            await idle(host, LEASE_MS - 500);
            const { operation } = await host.turn("f");
            expect(operation).toMatchObject({ key: "a", timeout_ms: options.timeoutMs ?? 300_000 });
          },
          options,
        )
        .then(
          () => undefined,
          () => undefined,
        ),
    ),
  );
  expect(host.calls.slice(0, 3)).toEqual(calls);
  expect(turn.error).toContain("must be a JSON value");
});

it("a step that ran past its limit before its start was recorded is given up by its worker", async () => {
  const host = open();
  const one = flow((ctx) => ctx.step("a", () => idle(host, 400_000)));
  const slow = { ...one, creation: (id: string) => ({ ...one.creation(id), lease_ms: 1_000_000 }) };
  await ran(host, slow);
  expect(host.clock.monotonicMs()).toBe(300_000);
  expect(host.calls).toEqual([]);
});

it("a step goes on where an earlier attempt had come to, without a start of its own", async () => {
  const host = open();
  const one = flow(async (ctx) => {
    await ctx.step("a", async (step) => {
      if (step.checkpoint === null) {
        await step.heartbeat("half", { checkpoint: 5 });
        throw new Error("no luck");
      }
      expect(step.checkpoint).toBe(5);
      return 1;
    });
  });
  await ran(host, one);
  expect(host.calls).toEqual(["operation", "progress", "fail"]);
  await host.clock.pass(10_000);
  await host.clock.until(host.worker([one], DEFAULT_SAVINGS).runOnce());
  expect(host.calls.slice(3)).toEqual(["complete"]);
});

it("a slot goes from turn to turn of one instance, and looks for others every 32 turns", async () => {
  const host = open();
  const one = flow(async (ctx) => ctx.step("a", () => 1));
  await host.send(one, "f", ...Array.from({ length: 40 }, (_, n) => n));
  const worker = host.worker([one], DEFAULT_SAVINGS);
  const serving = worker.run();
  await host.clock.pass(1_000);
  worker.stop();
  await host.clock.until(serving);
  const names = host.sent.map(({ name }) => name);
  expect(names.slice(0, 42)).toEqual([
    "claim",
    ...Array.from({ length: 32 }, () => "complete"),
    "claim",
    ...Array.from({ length: 8 }, () => "complete"),
  ]);
  expect(host.events.filter(({ end }) => end?.kind === "completed")).toHaveLength(40);
});

it("a single turn asks for no other", async () => {
  const host = open();
  await ran(
    host,
    flow(async () => undefined),
    "one",
    "two",
  );
  expect(host.sent.at(-1)).toMatchObject({
    name: "complete",
    request: expect.not.objectContaining({ next: expect.anything() }),
  });
  expect((await host.turn("f", 2)).status).toBe("queued");
});

it("after ten minutes a server is asked again for what it did not know", async () => {
  const host = open();
  const one = flow(async (ctx) => ctx.step("a", () => 1));
  await host.send(one, "f", 1, 2, 3);
  const carried: boolean[] = [];
  host.intercept = (name, request) => {
    if (name !== "complete" || typeof request !== "object" || request === null) return null;
    carried.push("steps" in request);
    return carried.length === 1 ? { instead: err(failure("invalid", "unknown_field", "steps")) } : null;
  };
  const worker = host.worker([one], { ...DEFAULT_SAVINGS, claimNext: false });
  await host.clock.until(worker.runOnce());
  await host.clock.until(worker.runOnce());
  await host.clock.pass(600_000);
  await host.clock.until(worker.runOnce());
  expect(carried).toEqual([true, false, false, true]);
  for (const number of [1, 2, 3])
    expect((await host.turn("f", number)).steps).toMatchObject([{ key: "a", output: 1 }]);
});
