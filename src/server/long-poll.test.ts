/**
 * Risk: a worker waits although there is work, work goes to a worker that has hung up, or a stopping server keeps everybody
 * waiting. On a clock that jumps when nothing more can happen.
 */
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../adapters/memory-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import type { Abortable } from "../std/cancel.ts";
import { Bench, bodyOf, CLAIM, W } from "./bench.contract.ts";

const OTHER = { worker: "o", workflows: [{ workflow_type: "other", version: "v1" }] };

async function open(store = new MemoryStore()): Promise<{ bench: Bench; clock: VirtualClock }> {
  const clock = new VirtualClock();
  const bench = await Bench.open({ store, clock });
  for (const [id, workflow_type] of [
    ["i", "counter"] as const,
    ["j", "counter"] as const,
    ["o", "other"] as const,
  ])
    await bench.post(`${W}/instances`, { id, workflow_type, version: "v1" });
  return { bench, clock };
}

const send = (bench: Bench, workflow_id: string) =>
  bench.post(`${W}/instances/message`, { workflow_id, id: "m", message: 1 });

/** The claimed instance, or null, and when it was answered. */
async function claim(
  bench: Bench,
  clock: VirtualClock,
  waitMs: number,
  body: object = CLAIM,
  gone?: Abortable,
) {
  const asked = gone === undefined ? {} : { gone };
  const response = await bench.post(`${W}/turns/claim`, { ...body, wait_ms: waitMs }, asked);
  return [bodyOf(response).task?.turn.workflow_id ?? null, clock.monotonicMs()];
}

describe("a claim that waits", () => {
  it("is answered null when its wait is over, and never waits more than ten seconds", async () => {
    const { bench, clock } = await open();
    expect(await clock.until(claim(bench, clock, 2_500))).toEqual([null, 2_500]);
    expect(await clock.until(claim(bench, clock, 3_600_000))).toEqual([null, 12_500]);
  });

  it("wakes at once for work that this node admits", async () => {
    const { bench, clock } = await open();
    const waits = claim(bench, clock, 10_000);
    const sends = clock.sleep(1_234).then(() => send(bench, "i"));
    expect(await clock.until(waits)).toEqual(["i", 1_234]);
    await sends;
  });

  it("hears of another node's work within the poll interval", async () => {
    const store = new MemoryStore();
    const { bench, clock } = await open(store);
    const other = new Bench({ store, clock });
    const waits = claim(bench, clock, 10_000);
    const sends = clock.sleep(1_200).then(() => send(other, "i"));
    const [id, atMs] = await clock.until(waits);
    expect(id).toBe("i");
    expect(atMs).toBeLessThanOrEqual(2_200);
    await sends;
  });

  it("is woken one for one, and only by work of its own", async () => {
    const { bench, clock } = await open();
    const waits = Promise.all([
      claim(bench, clock, 10_000),
      claim(bench, clock, 10_000),
      claim(bench, clock, 3_000, OTHER),
    ]);
    const sends = clock.sleep(1_100).then(async () => {
      await send(bench, "i");
      await send(bench, "j");
    });
    const answers = await clock.until(waits);
    expect(
      answers
        .slice(0, 2)
        .map(([id]) => id)
        .sort(),
    ).toEqual(["i", "j"]);
    expect(answers.map(([, atMs]) => atMs)).toEqual([1_100, 1_100, 3_000]);
    await sends;
  });

  it("hands a ring on when it leaves with other work", async () => {
    const { bench, clock } = await open();
    const both = { worker: "b", workflows: [...CLAIM.workflows, ...OTHER.workflows] };
    const waits = Promise.all([claim(bench, clock, 10_000, both), claim(bench, clock, 10_000, OTHER)]);
    // In one moment, so the first waiter is still looking for the first when the second is rung for.
    const sends = clock.sleep(1_100).then(() => Promise.all([send(bench, "i"), send(bench, "o")]));
    const answers = await clock.until(waits);
    expect(answers.map(([, atMs]) => atMs)).toEqual([1_100, 1_100]);
    await sends;
  });

  it("takes nothing once its caller has hung up", async () => {
    const { bench, clock } = await open();
    const gone = new AbortController();
    const waits = claim(bench, clock, 10_000, CLAIM, gone.signal);
    const events = clock.sleep(500).then(async () => {
      gone.abort();
      await send(bench, "i");
    });
    expect(await clock.until(waits)).toEqual([null, 500]);
    await events;
    expect((await clock.until(claim(bench, clock, 0)))[0]).toBe("i");
  });

  it("is answered at once when the server is stopped, and none waits after that", async () => {
    const { bench, clock } = await open();
    const waits = claim(bench, clock, 10_000);
    const events = clock.sleep(700).then(() => bench.server.drain());
    expect(await clock.until(waits)).toEqual([null, 700]);
    await events;
    expect(await clock.until(claim(bench, clock, 10_000))).toEqual([null, 700]);
  });

  it("ends with the graph that it waits in", async () => {
    const { bench, clock } = await open();
    const waits = claim(bench, clock, 10_000);
    const events = clock.sleep(700).then(() => bench.post("/v1/graph/delete", {}));
    expect((await clock.until(waits))[0]).toBeNull();
    await events;
  });

  it("leaves no sleep behind", async () => {
    const { bench, clock } = await open();
    const waits = claim(bench, clock, 10_000);
    const sends = clock.sleep(100).then(() => send(bench, "i"));
    await clock.until(waits);
    await sends;
    expect(clock.sleeping).toBe(0);
  });
});
