/**
 * The client against the real server, and a worker on it. Risk: two sides that each follow the contract as they read it.
 */
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import type { HttpClient, HttpOutcome, HttpRequest } from "../ports/http.ts";
import { Bench, TOKENS } from "../server/bench.contract.ts";
import { DOCUMENTED, type WorkerSavings, WorkflowError, workflow } from "../workflow/index.ts";
import { WorkflowWorker } from "../workflow/worker.ts";
import { WorkflowClient } from "./client.ts";
import { HttpEngine } from "./http-engine.ts";

const counter = workflow({
  name: "counter",
  version: "v1",
  initialState: { count: 0 },
  leaseMs: 6_000,
  async onMessage(ctx, state, message: { add: number; remaining?: number }) {
    if (message.add < 0) throw new WorkflowError("only up");
    const count = state.count + (await ctx.step("add", () => message.add));
    const remaining = (message.remaining ?? 1) - 1;
    if (remaining > 0) return ctx.continue({ count }, { ...message, remaining });
    return { state: { count }, result: count };
  },
});

/** A hop that may lose the answer of a request after it was handled. */
async function open(loses: (request: HttpRequest, times: number) => boolean = () => false) {
  const clock = new VirtualClock();
  const bench = await Bench.open({ clock });
  const seen = new Map<string, number>();
  const requests: string[] = [];
  const http: HttpClient = {
    async send(request): Promise<HttpOutcome> {
      const { target = "" } = { target: request.target.split("?")[0] };
      requests.push(target.split("/").slice(-1)[0] ?? "");
      const response = await bench.server.handle(request);
      const times = (seen.get(target) ?? 0) + 1;
      seen.set(target, times);
      return loses(request, times) ? { kind: "no-answer", detail: "lost" } : { kind: "answer", response };
    },
  };
  const random = { below: () => 0 };
  const engine = new HttpEngine({ http, clock, random, apiKey: TOKENS.api });
  const client = new WorkflowClient(engine, { clock, random });
  const serve = async (turns: number, savings: Partial<WorkerSavings> = {}) => {
    const worker = new WorkflowWorker(client, [counter], { worker: "w", ...savings });
    for (let n = 0; n < turns; n++) expect(await clock.until(worker.runOnce())).toBe(true);
  };
  return { clock, client, requests, serve };
}

describe("a client", () => {
  it("starts an instance, sends it a message and gets its reply, across a continuation", async () => {
    const { clock, client, serve } = await open();
    const handle = await client.workflows.start(counter, "c");
    const turn = await handle.send({ add: 2, remaining: 2 }, { id: "m1", origin: { kind: "app" } });
    await serve(2);
    const reply: number = await clock.until(handle.result(turn.number));
    expect(reply).toBe(4);
    expect(await handle.status()).toMatchObject({ state: { count: 4 }, status: "idle", completed_turns: 2 });
    const finished: number[] = [];
    for await (const { number } of handle.turns({ limit: 1 })) finished.push(number);
    expect(finished).toEqual([1, 2]);
  });

  it("is told the same by a repeat of each call that may be repeated", async () => {
    const { client, serve } = await open();
    const handle = await counter.start(client, "c");
    await counter.start(client, "c");
    const [first, second] = [
      await handle.send({ add: 1 }, { id: "m" }),
      await handle.send({ add: 1 }, { id: "m" }),
    ];
    expect(second.number).toBe(first.number);
    await handle.signal("note", { a: 1 }, { turn: 1, id: "e" });
    expect((await handle.signal("note", { a: 1 }, { turn: 1, id: "e" })).signals).toHaveLength(1);
    await serve(1);
    expect([await handle.delete(), await handle.delete()]).toEqual([true, false]);
  });

  it("controls what it names, and sees what is still to be done", async () => {
    const { client, serve } = await open();
    const handle = await client.workflows.start(counter, "c");
    await handle.send({ add: -1 }, { id: "bad" });
    await handle.send({ add: 1 }, { id: "good" });
    await serve(1);
    expect((await handle.inbox({ payloads: true })).entries).toMatchObject([
      { turn: 1, status: "failed", error: "only up", message: { add: -1 } },
      { turn: 2, status: "queued" },
    ]);
    expect((await client.workflows.inbox({ workflow_type: "counter" })).instances).toHaveLength(1);
    await expect(handle.result(1)).rejects.toMatchObject({ name: "BatonError", code: "turn_failed" });
    expect((await handle.skip(1)).status).toBe("queued");
    expect((await handle.pause()).status).toBe("paused");
    await handle.resume();
    await serve(1);
    expect((await client.workflows.get("c")).state).toEqual({ count: 1 });
    expect((await client.workflows.list({ limit: 10 })).instances).toHaveLength(1);
  });

  it("keeps and reads blobs", async () => {
    const { client } = await open();
    await client.workflows.start(counter, "c");
    const reference = await client.workflows.blobs.putJson({ big: "x".repeat(100_000) }, { workflowId: "c" });
    const value = await client.workflows.blobs.getJson(reference, { workflowId: "c" });
    expect(value).toMatchObject({ big: expect.stringMatching(/^x{100000}$/) });
  });

  it("throws what a refusal says, and sends nothing that is not JSON", async () => {
    const { client, requests } = await open();
    await expect(client.workflows.get("nobody")).rejects.toMatchObject({
      name: "BatonError",
      kind: "not-found",
      status: 404,
      retryable: false,
      requestId: expect.stringMatching(/./),
    });
    const sent = requests.length;
    const handle = client.workflows.handle<unknown>("c");
    await expect(handle.send({ at: new Date(0) }, { id: "m" })).rejects.toThrow("must be a JSON value");
    expect(requests).toHaveLength(sent);
  });

  it("creates and deletes its graph", async () => {
    const { client } = await open();
    expect(await client.graph.create()).toEqual({ epoch: 1, created: false });
    expect(await client.graph.delete()).toBe(true);
    expect(await client.graph.create()).toEqual({ epoch: 2, created: true });
  });

  it("says that a turn has not ended when it is not waited for long enough", async () => {
    const { clock, client } = await open();
    const handle = await client.workflows.start(counter, "c");
    await handle.send({ add: 1 }, { id: "m" });
    const asked = handle.result(1, { timeoutMs: 5_000 });
    await expect(clock.until(asked)).rejects.toMatchObject({ code: "turn_not_ended", retryable: true });
    expect(clock.monotonicMs()).toBe(5_000);
  });
});

describe("a worker over HTTP", () => {
  const none = ["operation", "checkpoint"];
  it.each([
    ["as documented", DOCUMENTED, [], ["operation", "checkpoint", "complete"]],
    ["with all that a worker saves itself", {}, none, ["complete"]],
  ] as const)(
    "does each thing once although the first answer to each repeatable call is lost: %s",
    async (_, savings, never, twice) => {
      const once = new Set(["claim", "heartbeat", "fail", "control"]);
      const { clock, client, serve, requests } = await open(({ target }, times) => {
        const name = target.split("?")[0]?.split("/").at(-1) ?? "";
        return times === 1 && !once.has(name);
      });
      const handle = await clock.until(client.workflows.start(counter, "c"));
      await clock.until(handle.send({ add: 5 }, { id: "m" }));
      await serve(1, savings);
      expect(await clock.until(handle.status())).toMatchObject({ state: { count: 5 }, completed_turns: 1 });
      for (const name of twice) expect(requests.filter((one) => one === name)).toHaveLength(2);
      for (const name of never) expect(requests).not.toContain(name);
    },
  );

  it("serves on after a claim whose answer was lost: the lease ends by itself", async () => {
    const { clock, client } = await open(({ target }, times) => target.includes("/claim") && times === 1);
    const handle = await client.workflows.start(counter, "c");
    await handle.send({ add: 5 }, { id: "m" });
    const worker = new WorkflowWorker(client, [counter], { worker: "w" });
    const serving = worker.run();
    await clock.until(handle.result(1));
    worker.stop();
    await clock.until(serving);
    expect((await handle.turn(1)).attempt).toBe(2);
  });
});
