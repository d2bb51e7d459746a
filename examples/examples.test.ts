/**
 * Every example runs: on samples, on the real engine in this process, and over HTTP. Risk: an example that nobody ran.
 */
import { describe, expect, it } from "vitest";
import { countedIds } from "../src/adapters/manual-ports.ts";
import { MemoryStore } from "../src/adapters/memory-store.ts";
import { VirtualClock } from "../src/adapters/virtual-clock.ts";
import {
  BatonClient,
  createNode,
  DEFAULT_CONFIG,
  localClient,
  testWorkflow,
  WorkflowWorker,
} from "../src/index.ts";
import type { HttpClient } from "../src/ports/http.ts";
import { SILENT } from "../src/ports/trace.ts";
import { Bench, TOKENS } from "../src/server/bench.contract.ts";
import { counter, counterDemo } from "./counter.ts";
import { crawler, crawlerDemo } from "./crawler.ts";
import type { Demo } from "./demo.ts";
import { review, reviewDemo } from "./review.ts";
import { type Agency, carless, sagaDemo, trip } from "./saga.ts";

const random = { below: () => 0 };

function inProcess(clock: VirtualClock) {
  const ports = { store: new MemoryStore(), clock, ids: countedIds("id"), random, trace: SILENT };
  return localClient(createNode(ports, { ...DEFAULT_CONFIG, defer_index: false }), { clock, random });
}

async function overHttp(clock: VirtualClock) {
  const bench = await Bench.open({ clock });
  const http: HttpClient = {
    send: async (request) => ({ kind: "answer", response: await bench.server.handle(request) }),
  };
  return new BatonClient({ url: "http://example", apiKey: TOKENS.api, http, clock, random });
}

const DEMOS: readonly (readonly [string, Demo, unknown])[] = [
  ["counter", counterDemo, 3],
  ["review", reviewDemo, "Draft for: an answer to Ms Lind"],
  ["crawler", crawlerDemo, 510],
  ["saga", sagaDemo, { ok: false, why: "car: none left" }],
];

describe.each(DEMOS)("the example %s", (name, demo, expected) => {
  it.each([
    ["on a node in this process", inProcess],
    ["over HTTP", overHttp],
  ])("comes to its result %s", async (_, open) => {
    const clock = new VirtualClock();
    const client = await open(clock);
    const worker = new WorkflowWorker(client, demo.workflows, { worker: "w", concurrency: 2 });
    const serving = worker.run();
    expect(await clock.until(demo.run(client, name))).toEqual(expected);
    worker.stop();
    await clock.until(serving);
    expect(clock.sleeping).toBe(0);
  });
});

describe("on samples", () => {
  it("the counter continues itself", async () => {
    const run = await testWorkflow(counter, { messages: [{ add: 2, remaining: 3 }, { add: 1 }] });
    expect([run.state, run.turns.length]).toEqual([{ count: 7 }, 4]);
  });

  it("the review delivers nothing that was not approved", async () => {
    const keys = async (signals: { name: string; value: { approved: boolean } }[]) =>
      (await testWorkflow(review, { messages: [{ task: "t" }], signals })).effects.map(({ key }) => key);
    expect(await keys([])).toEqual(["draft"]);
    expect(await keys([{ name: "approval", value: { approved: false } }])).toEqual(["draft"]);
    expect(await keys([{ name: "approval", value: { approved: true } }])).toEqual(["draft", "deliver"]);
  });

  it("the trip gives back what it has booked, last first, and keeps what it could book", async () => {
    const cancelled: string[] = [];
    const agency: Agency = {
      ...carless,
      cancel: async (part) => {
        cancelled.push(part);
      },
    };
    const refused = await testWorkflow(trip(agency), { messages: [{ parts: ["flight", "hotel", "car"] }] });
    expect(cancelled).toEqual(["hotel", "flight"]);
    expect([refused.state, refused.result]).toEqual([{ trips: 0 }, { ok: false, why: "car: none left" }]);
    expect((await testWorkflow(trip(agency), { messages: [{ parts: ["flight"] }] })).state).toEqual({
      trips: 1,
    });
  });
});

it("the crawler goes on behind the last page that it saved", async () => {
  const clock = new VirtualClock();
  const client = inProcess(clock);
  const read: number[] = [];
  const work = crawler(async (page) => {
    read.push(page);
    if (page === 2 && read.length === 3) throw new Error("the line broke");
    return { words: 10 };
  });
  const handle = await client.workflows.start(work, "c");
  await handle.send({ pages: 4 }, { id: "m" });
  const worker = new WorkflowWorker(client, [work], { worker: "w" });
  const serving = worker.run();
  expect(await clock.until(handle.result(1))).toBe(40);
  expect(read).toEqual([0, 1, 2, 2, 3]);
  expect(await handle.turn(1)).toMatchObject({ attempt: 2, steps: [{ key: "crawl", output: 40 }] });
  worker.stop();
  await clock.until(serving);
});
