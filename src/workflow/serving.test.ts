/**
 * A worker that serves: how many turns at once, when it claims, how it stops. Risk: idle claims by the dozen, turns that
 * are dropped at a stop.
 */
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../adapters/memory-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import { DEFAULT_CONFIG } from "../engine/config.ts";
import { createNode } from "../engine/node.ts";
import { SILENT } from "../ports/trace.ts";
import { err } from "../std/result.ts";
import { failure } from "../vocabulary/errors.ts";
import { workflow } from "./definition.ts";
import { ExampleHost } from "./example-host.ts";

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

describe("a worker that serves", () => {
  it("runs as many turns at once as it may, and finds new work at once", async () => {
    const host = open();
    let running = 0;
    let most = 0;
    const work = workflow({
      name: "work",
      version: "v1",
      initialState: null,
      async onMessage(ctx) {
        await ctx.step("work", async () => {
          most = Math.max(most, ++running);
          await host.clock.sleep(1_000);
          running--;
          return null;
        });
        return { state: null };
      },
    });
    for (let n = 0; n < 10; n++) await host.send(work, `w${n}`, "go");
    const worker = host.worker([work], { concurrency: 3 });
    const serving = worker.run();
    await host.clock.pass(4_500);
    worker.stop();
    await host.clock.until(serving);
    expect(most).toBe(3);
    expect(host.events.filter(({ end }) => end?.kind === "completed")).toHaveLength(10);
    expect(host.clock.sleeping).toBe(0);
  });

  it("has at most one claim that waits", async () => {
    const host = open();
    const worker = host.worker([counter], { concurrency: 5 });
    const serving = worker.run();
    await host.clock.pass(25_000);
    const waits = host.sent.map(({ request }) => (request as { wait_ms: number }).wait_ms);
    expect(waits.filter((ms) => ms === 10_000)).toHaveLength(3);
    expect(waits).toHaveLength(3 + 4);
    worker.stop();
    await host.clock.until(serving);
  });

  it("claims again after trouble of the server, later each time, and ends at a refusal", async () => {
    const host = open();
    const trouble = [1, 2, 3].map(() => err(failure("unavailable", "busy", "the server is busy")));
    const refused = err(failure("forbidden", "unauthorized", "the key is unknown"));
    host.intercept = () => ({ instead: trouble.shift() ?? refused });
    await expect(host.clock.until(host.worker([counter]).run())).rejects.toMatchObject({
      name: "BatonError",
      code: "unauthorized",
    });
    expect(host.sent.map(({ atMs }) => atMs)).toEqual([0, 125, 125 + 250, 125 + 250 + 500]);
  });

  const forever = (host: { clock: VirtualClock }) =>
    workflow({
      name: "forever",
      version: "v1",
      initialState: null,
      async onMessage(ctx) {
        await ctx.step("first", () => 1);
        await ctx.step("work", async () => {
          await host.clock.sleep(200_000);
          return null;
        });
        return { state: null };
      },
    });

  it("lets held turns end for 30 s, then gives them back with their steps and without an attempt", async () => {
    const host = open();
    const work = forever(host);
    await host.send(work, "f", "go");
    const worker = host.worker([work]);
    const serving = worker.run();
    await host.clock.pass(1_000);
    worker.stop();
    await host.clock.until(serving);
    expect(host.clock.monotonicMs()).toBe(31_000);
    expect(await host.turn("f")).toMatchObject({ status: "waiting", waiting_for: "retry", attempt: 1 });
    expect(host.events.at(-1)?.end).toMatchObject({ kind: "deferred", told: true });
    await host.clock.pass(2_000);
    const claimed = await host.node.claim({ worker: "x", workflows: [work.served] });
    expect(claimed).toMatchObject({ ok: true, value: { turn: { attempt: 1, steps: [{ key: "first" }] } } });
  });

  it("gives them back at once at the second stop", async () => {
    const host = open();
    const work = forever(host);
    await host.send(work, "f", "go");
    const worker = host.worker([work]);
    const serving = worker.run();
    await host.clock.pass(1_000);
    worker.stop();
    await host.clock.pass(1_000);
    worker.stop();
    await host.clock.until(serving);
    expect(host.clock.monotonicMs()).toBe(2_000);
    expect((await host.turn("f")).status).toBe("waiting");
  });

  it("gives back what a claim brings after the stop, without running it", async () => {
    const host = open();
    let ran = false;
    const work = workflow({
      name: "late",
      version: "v1",
      initialState: null,
      onMessage() {
        ran = true;
        return { state: null };
      },
    });
    const stop = new AbortController();
    const serving = host.worker([work]).run({ signal: stop.signal });
    await host.clock.pass(500);
    stop.abort();
    await host.send(work, "l", "go");
    await host.clock.until(serving);
    expect(ran).toBe(false);
    expect(await host.turn("l")).toMatchObject({ status: "waiting", waiting_for: "retry" });
  });

  it("stops with the reason when it is given a turn of code that it does not have", async () => {
    const host = open();
    await host.send(counter, "c", { add: 1 });
    const { node } = host;
    host.intercept = async (name, request) =>
      name === "claim"
        ? { instead: await node.claim({ ...(request as object), workflows: [counter.served] } as never) }
        : null;
    const other = workflow({
      name: "other",
      version: "v1",
      initialState: null,
      onMessage: () => ({ state: 1 }),
    });
    await expect(host.clock.until(host.worker([other]).run())).rejects.toThrow("does not have");
    expect(await host.turn("c")).toMatchObject({ status: "waiting", waiting_for: "retry" });
  });
});
