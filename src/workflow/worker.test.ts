/**
 * A worker on the real engine. Risk: a worker that is right against a made-up server, and wrong against this one.
 */
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../adapters/memory-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import { DEFAULT_CONFIG } from "../engine/config.ts";
import { createNode } from "../engine/node.ts";
import { SILENT } from "../ports/trace.ts";
import { workflow } from "./definition.ts";
import { ExampleHost } from "./example-host.ts";
import { WorkflowError, WorkflowWait } from "./workflow-errors.ts";

function open() {
  return new ExampleHost(new VirtualClock(), (ports) =>
    createNode(
      { store: new MemoryStore(), trace: SILENT, ...ports },
      { ...DEFAULT_CONFIG, defer_index: false },
    ),
  );
}

const counter = workflow({
  name: "counter",
  version: "v1",
  initialState: { count: 0 },
  async onMessage(ctx, state, message: { add: number; remaining?: number }) {
    const amount = await ctx.step("add", () => message.add);
    const next = { count: state.count + amount };
    if ((message.remaining ?? 0) > 1)
      return ctx.continue(next, { ...message, remaining: (message.remaining ?? 0) - 1 });
    return { state: next, result: next.count };
  },
});

describe("a turn", () => {
  it("saves its step, its state and its result, and continues itself", async () => {
    const host = open();
    await host.send(counter, "c", { add: 2, remaining: 2 });
    await host.drain(counter);
    expect(await host.state("c")).toEqual({ count: 4 });
    const [first, second] = [await host.turn("c", 1), await host.turn("c", 2)];
    expect(first).toMatchObject({ status: "completed", state_after: { count: 2 }, continued_to: 2 });
    expect(first.steps).toMatchObject([{ key: "add", kind: "step", output: 2 }]);
    expect(second).toMatchObject({ status: "completed", result: 4, origin: { kind: "continuation" } });
    expect(host.calls).toEqual([..."operation checkpoint complete ".repeat(2).trim().split(" ")]);
    expect(host.clock.sleeping).toBe(0);
  });

  it("sleeps without a worker and goes on where it was, in the same attempt", async () => {
    const host = open();
    let done = 0;
    const sleeper = workflow({
      name: "sleeper",
      version: "v1",
      initialState: 0,
      async onMessage(ctx) {
        await ctx.step("before", () => ++done);
        await ctx.sleep("rest", 60_000);
        return { state: await ctx.step("after", () => ++done), result: ctx.attempt };
      },
    });
    await host.send(sleeper, "s", "go");
    expect(await host.once(sleeper)).toBe(true);
    expect((await host.turn("s")).status).toBe("waiting");
    expect(await host.once(sleeper)).toBe(false);
    await host.clock.pass(60_000);
    expect(await host.once(sleeper)).toBe(true);
    expect(await host.turn("s")).toMatchObject({ status: "completed", state_after: 2, result: 1 });
    expect(host.calls.filter((name) => name === "checkpoint")).toHaveLength(3);
  });

  it("takes a signal that is there already, and waits for one that is not, until the time is out", async () => {
    const host = open();
    const asks = workflow({
      name: "asks",
      version: "v1",
      initialState: null,
      async onMessage(ctx) {
        const first = await ctx.waitForSignal<number>("first", { name: "n", timeoutMs: 1_000 });
        const second = await ctx.waitForSignal<number>("second", { name: "n", timeoutMs: 1_000 });
        const third = await ctx.waitForSignal<number>("third", { name: "n", timeoutMs: 5_000 });
        return { state: null, result: [first, second, third] };
      },
    });
    await host.send(asks, "a", "go");
    const tell = (id: string, value: number) =>
      host.node.signal({ workflow_id: "a", turn: 1, id, name: "n", value });
    await tell("e1", 1);
    await host.once(asks);
    expect((await host.turn("a")).waiting_for).toBe("signal");
    await tell("e2", 2);
    await host.once(asks);
    expect(await host.once(asks)).toBe(false);
    await host.clock.pass(5_000);
    await host.once(asks);
    expect((await host.turn("a")).result).toEqual([
      { received: true, value: 1 },
      { received: true, value: 2 },
      { received: false, value: null },
    ]);
  });

  it("starts a child and takes its end as the step's value", async () => {
    const host = open();
    const parent = workflow({
      name: "parent",
      version: "v1",
      initialState: null,
      async onMessage(ctx) {
        const child = await ctx.child<number>("work", counter, { message: { add: 5 }, timeoutMs: 10_000 });
        return { state: null, result: child.received ? child.value.result : "late" };
      },
    });
    await host.send(parent, "p", "go");
    const worker = host.worker([parent, counter]);
    for (let turns = 0; turns < 4; turns++) await host.clock.until(worker.runOnce());
    expect(await host.turn("p")).toMatchObject({ status: "completed", result: 5 });
  });

  it("brings the state of an older version to its own before its first step", async () => {
    const host = open();
    await host.send(counter, "c", { add: 1 });
    await host.drain(counter);
    const second = workflow({
      name: "counter",
      version: "v2",
      initialState: { total: 0 },
      migrations: { v1: (state) => ({ total: (state as { count: number }).count }) },
      async onMessage(ctx, state, message: { add: number }) {
        const add = await ctx.step("add", () => message.add);
        return { state: { total: state.total + add } };
      },
    });
    await host.node.sendMessage({ workflow_id: "c", id: "m9", message: { add: 10 } });
    await host.drain(second);
    expect(await host.state("c")).toEqual({ total: 11 });
    expect((await host.turn("c", 2)).migrations).toMatchObject([{ from: "v1", to: "v2" }]);
  });

  it("keeps a large value in a blob and reads it in a replay", async () => {
    const host = open();
    const large = workflow({
      name: "large",
      version: "v1",
      initialState: null,
      async onMessage(ctx) {
        const reference = await ctx.step("make", ({ putBlob }) => putBlob("x".repeat(100_000)));
        await ctx.sleep("rest", 1_000);
        return { state: null, result: (await ctx.getBlob<string>(reference)).length };
      },
    });
    await host.send(large, "l", "go");
    await host.once(large);
    await host.clock.pass(1_000);
    await host.once(large);
    expect((await host.turn("l")).result).toBe(100_000);
  });

  it("sends back what it could not do, once, whatever becomes of its attempts", async () => {
    const host = open();
    let attempts = 0;
    const batch = workflow({
      name: "batch",
      version: "v1",
      initialState: 0,
      async onMessage(ctx, state, message: { requeue?: unknown }) {
        if (message.requeue !== undefined) return { state: state + 1 };
        const sent = await ctx.requeue("again", [{ instance: "i1", error: "busy" }]);
        if (++attempts === 1) throw new Error("after the requeue");
        return { state, result: sent.attempt };
      },
    });
    await host.send(batch, "b", {});
    await host.once(batch);
    await host.clock.pass(1_000);
    await host.once(batch);
    expect(await host.turn("b")).toMatchObject({ status: "completed", result: 1, attempt: 2 });
    await host.clock.pass(60_000);
    await host.drain(batch);
    expect(await host.state("b")).toBe(1);
  });
});

describe("a failure", () => {
  const failing = (error: () => unknown) =>
    workflow({
      name: "failing",
      version: "v1",
      initialState: null,
      async onMessage(ctx) {
        await ctx.step("first", () => 1);
        throw error();
      },
    });

  it("is tried again with the saved steps, three times by default", async () => {
    const host = open();
    const broken = failing(() => new Error("no luck"));
    await host.send(broken, "f", "go");
    for (const backOffMs of [1_000, 2_000, 0]) {
      expect(await host.once(broken)).toBe(true);
      await host.clock.pass(backOffMs);
    }
    expect(await host.turn("f")).toMatchObject({ status: "failed", attempt: 3, error: "no luck" });
    expect(host.calls).toEqual(["operation", "checkpoint", "fail", "fail", "fail"]);
  });

  it("that is final ends the turn at the first attempt", async () => {
    const host = open();
    const broken = failing(() => new WorkflowError("never"));
    await host.send(broken, "f", "go");
    await host.once(broken);
    expect(await host.turn("f")).toMatchObject({ status: "failed", attempt: 1, error: "never" });
  });

  it("that waits spends no attempt, by a node whose clock is far from the worker's", async () => {
    const host = open();
    const clock = host.clock;
    const broken = failing(() => new WorkflowWait(clock.wallMs() + 1, "later"));
    await host.send(broken, "f", "go");
    for (let n = 0; n < 5; n++) {
      await host.once(broken);
      expect(await host.turn("f")).toMatchObject({ status: "waiting", waiting_for: "retry", attempt: 1 });
      await host.clock.pass(2_001);
    }
  });

  it("is told with its first 1,000 characters, none of them cut in two", async () => {
    const host = open();
    const broken = failing(() => new Error(`${"x".repeat(999)}\u{1f600} and more`));
    await host.send(broken, "f", "go");
    await host.once(broken);
    expect((await host.turn("f")).error).toBe("x".repeat(999));
  });
});

describe("a lease", () => {
  const slow = (ms: number, host: { clock: VirtualClock }) =>
    workflow({
      name: "slow",
      version: "v1",
      initialState: null,
      leaseMs: 3_000,
      async onMessage(ctx) {
        await ctx.step("work", () => host.clock.sleep(ms, ctx.signal).then(() => ctx.signal.aborted));
        return { state: null };
      },
    });

  it("is renewed each third of it while the work goes on", async () => {
    const host = open();
    await host.send(slow(9_500, host), "s", "go");
    await host.once(slow(9_500, host));
    expect((await host.turn("s")).status).toBe("completed");
    const beats = host.sent.filter(({ name }) => name === "heartbeat").map(({ atMs }) => atMs);
    expect(beats).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000]);
    expect(host.clock.sleeping).toBe(0);
  });

  it("that a person ended by cancelling the turn ends the work, and nothing more is sent", async () => {
    const host = open();
    const work = slow(30_000, host);
    await host.send(work, "s", "go");
    const run = host.worker([work]).runOnce();
    await host.clock.pass(500);
    await host.node.control({ workflow_id: "s", action: "cancel_turn", turn: 1 });
    await host.clock.until(run);
    expect(host.calls).toEqual(["operation", "heartbeat"]);
    expect(host.events.at(-1)?.end).toMatchObject({ kind: "lost" });
    expect(host.clock.monotonicMs()).toBe(1_000);
    expect(host.clock.sleeping).toBe(0);
  });

  it("that cannot be renewed in a third of it is given up", async () => {
    const host = open();
    const work = slow(30_000, host);
    await host.send(work, "s", "go");
    host.intercept = (name) => (name === "heartbeat" ? new Promise(() => undefined) : null);
    await host.clock.until(host.worker([work]).runOnce());
    expect(host.calls).toEqual(["operation", "heartbeat"]);
    expect(host.clock.monotonicMs()).toBe(2_000);
  });

  it("is renewed before the work begins when the claim took long", async () => {
    const host = open();
    const work = slow(10, host);
    await host.send(work, "s", "go");
    const { node, clock } = host;
    host.intercept = async (name, request) => {
      if (name !== "claim") return null;
      const answer = await node.claim(request as never);
      await clock.sleep(1_500);
      return { instead: answer };
    };
    await host.clock.until(host.worker([work]).runOnce());
    expect(host.calls).toEqual(["heartbeat", "operation", "checkpoint", "complete"]);
  });

  it("that ran out before the claim's answer came begins nothing", async () => {
    const host = open();
    let ran = false;
    const work = workflow({
      name: "late",
      version: "v1",
      initialState: null,
      leaseMs: 3_000,
      onMessage() {
        ran = true;
        return { state: null };
      },
    });
    await host.send(work, "s", "go");
    const { node, clock } = host;
    host.intercept = async (name, request) => {
      if (name !== "claim") return null;
      const answer = await node.claim(request as never);
      await clock.sleep(3_000);
      return { instead: answer };
    };
    await host.clock.until(host.worker([work]).runOnce());
    expect([ran, host.calls]).toEqual([false, ["heartbeat"]]);
    expect(host.events.at(-1)?.end).toMatchObject({ kind: "lost" });
  });

  it("may be shorter than the wait of the claim that brings it", async () => {
    const host = open();
    const work = slow(10, host);
    const worker = host.worker([work]);
    const serving = worker.run();
    await host.clock.pass(8_000);
    await host.send(work, "s", "go");
    await host.clock.pass(2_000);
    worker.stop();
    await host.clock.until(serving);
    expect(host.calls).toEqual(["heartbeat", "operation", "checkpoint", "complete"]);
  });
});

describe("the limits of a step", () => {
  const limited = (host: { clock: VirtualClock }, ms: number, options: { heartbeatTimeoutMs?: number }) =>
    workflow({
      name: "limited",
      version: "v1",
      initialState: null,
      async onMessage(ctx) {
        const work = async () => host.clock.sleep(ms);
        await ctx.step("work", () => work().then(() => null), { timeoutMs: 5_000, ...options });
        return { state: null };
      },
    });

  it.each([
    ["of its execution", 5_001, {}, 5_000],
    ["of silence", 2_001, { heartbeatTimeoutMs: 2_000 }, 2_000],
  ])("end the attempt without a word: %s", async (_, ms, options, atMs) => {
    const host = open();
    const work = limited(host, ms, options);
    await host.send(work, "l", "go");
    await host.once(work);
    expect(host.calls).toEqual(["operation"]);
    expect(host.events.at(-1)?.end).toMatchObject({ kind: "lost" });
    expect(host.clock.monotonicMs()).toBe(atMs);
    // The engine agrees: the attempt is over for it, too.
    expect((await host.turn("l")).status).toBe("queued");
  });
});
