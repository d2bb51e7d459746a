/**
 * Risk: a turn is handed to nobody, to two, or to a claim that cannot take it; or a waiter is told of nothing after it was
 * given something.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import type { Abortable } from "../std/cancel.ts";
import type { EngineNode } from "./engine.ts";
import { got, KEYS, nodeOver, V1 } from "./example-nodes.ts";

let clock: VirtualClock;
let node: EngineNode;
let puts: string[];

beforeEach(async () => {
  const memory = new MemoryStore();
  puts = [];
  clock = new VirtualClock();
  const store = {
    get: memory.get.bind(memory),
    delete: memory.delete.bind(memory),
    list: memory.list.bind(memory),
    put(...args: Parameters<MemoryStore["put"]>) {
      puts.push(args[0]);
      return memory.put(...args);
    },
  };
  node = nodeOver(store, clock, countedIds("id"));
  await got(node.createInstance({ id: "i", ...V1, state: { n: 0 } }));
});

const claims = (worker: string, version = "v1", gone?: Abortable) =>
  got(node.claim({ worker, workflows: [{ ...V1, version }], wait_ms: 5_000 }, gone));
const sends = (id: string) => got(node.sendMessage({ workflow_id: "i", id, message: 1 }));
const later = <T>(ms: number, act: () => Promise<T>) => clock.sleep(ms).then(act);

describe("a message that a claim waits for", () => {
  it("is admitted and claimed in one write of the identity", async () => {
    const waiting = claims("w");
    const before = puts.length;
    const sent = await clock.until(later(100, () => sends("m")));
    expect(sent).toMatchObject({ number: 1, status: "running", worker: "w" });
    const task = await clock.until(waiting);
    expect(task?.turn).toMatchObject({ number: 1, attempt: 1, worker: "w" });
    expect(puts.slice(before).filter((key) => key === KEYS.instance("i"))).toHaveLength(1);
  });

  it("goes to the claim that has waited longest", async () => {
    const both = Promise.all([claims("first"), claims("second")]);
    await clock.until(later(100, () => sends("m")));
    const [first, second] = await clock.until(both);
    expect([first?.turn.number ?? null, second]).toEqual([1, null]);
  });

  it("is left to later claims when nobody who waits serves its version, or listens", async () => {
    const gone = new AbortController();
    const waiting = Promise.all([claims("other", "v2"), claims("left", "v1", gone.signal)]);
    gone.abort();
    expect(await clock.until(later(100, () => sends("m")))).toMatchObject({ status: "queued" });
    expect(await clock.until(waiting)).toEqual([null, null]);
    expect((await got(node.claim({ worker: "w", workflows: [V1] })))?.turn.number).toBe(1);
  });

  it("stays queued behind a pause, and the claim goes on waiting", async () => {
    await got(node.control({ workflow_id: "i", action: "pause" }));
    const waiting = claims("w");
    expect(await clock.until(later(100, () => sends("m")))).toMatchObject({ status: "queued" });
    await clock.until(later(100, () => got(node.control({ workflow_id: "i", action: "resume" }))));
    expect((await clock.until(waiting))?.turn.number).toBe(1);
  });
});
