/**
 * Risk: claims that wait cost the more the more of them there are, or miss what another node has written; or a rest goes on
 * when nobody waits any more. What the way over HTTP adds is in `../server/long-poll.test.ts`.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import { SILENT } from "../ports/trace.ts";
import { ok } from "../std/result.ts";
import type { Engine } from "./engine.ts";
import { got, instanceWith, KEYS, nodeOver, V1 } from "./example-nodes.ts";
import { type Source, Waits } from "./waits.ts";

let clock: VirtualClock;
let reads: number[];
let node: Engine;
let other: Engine;

beforeEach(async () => {
  const memory = new MemoryStore();
  clock = new VirtualClock();
  reads = [];
  const watched = {
    put: memory.put.bind(memory),
    delete: memory.delete.bind(memory),
    list: memory.list.bind(memory),
    get(key: string) {
      if (key === KEYS.index) reads.push(clock.monotonicMs());
      return memory.get(key);
    },
  };
  node = nodeOver(watched, clock, countedIds("n"));
  other = nodeOver(memory, clock, countedIds("o"));
  await instanceWith(other, "i");
});

const claims = (wait_ms: number, worker = "w") => got(node.claim({ worker, workflows: [V1], wait_ms }));
const later = <T>(ms: number, act: () => Promise<T>) => clock.sleep(ms).then(act);
const sends = (id: string) => got(other.sendMessage({ workflow_id: "i", id, message: 1 }));

describe("claims that wait", () => {
  it("return at the end of their wait, at most ten seconds, and leave nothing behind that rests", async () => {
    expect(await clock.until(claims(2_500))).toBeNull();
    expect(clock.monotonicMs()).toBe(2_500);
    expect(await clock.until(claims(1e9))).toBeNull();
    expect(clock.monotonicMs()).toBe(12_500);
    await clock.pass(0);
    expect(clock.sleeping).toBe(0);
  });

  it("V5: are polled for once each interval, however many wait, from an interval after the first came", async () => {
    await clock.until(claims(1));
    reads.length = 0;
    const all = Array.from({ length: 50 }, (_, n) => later(10 * n, () => claims(5_000, `w-${n}`)));
    await clock.until(Promise.all(all));
    expect(reads).toEqual([1_001, 2_001, 3_001, 4_001, 5_001]);
  });

  it("V5: are polled for once each interval, also when the first one's look took longer than that", async () => {
    const polls: number[] = [];
    const source: Source = {
      look: ({ worker }) => clock.sleep(worker === "first" ? 2_500 : 0).then(() => ok(null)),
      poll() {
        polls.push(clock.monotonicMs());
        return clock.sleep(300).then(() => []);
      },
    };
    const waits = new Waits(clock, SILENT, 1_000);
    const claim = (worker: string) =>
      waits.claim(source, { worker, workflows: [V1], wait_ms: 6_000 }, undefined);
    await clock.until(Promise.all([claim("first"), later(2_600, () => claim("second"))]));
    expect(polls).toEqual([2_500, 3_800, 5_100, 6_400, 7_700]);
  });

  it("V5: are not polled for while each comes after the one before it has left", async () => {
    await clock.until(claims(1));
    reads.length = 0;
    for (let n = 0; n < 8; n++) await clock.until(claims(500));
    expect(reads).toEqual([]);
    await clock.until(claims(2_000));
    expect(reads.length).toBeGreaterThan(0);
  });

  it("V1: hear of another node's work with the next poll, and one of them takes it", async () => {
    const waiting = Promise.all([claims(1_900, "a"), claims(1_900, "b"), claims(1_900, "c")]);
    await clock.until(later(300, () => sends("m")));
    const tasks = await clock.until(waiting);
    expect(tasks.map((task) => task?.turn.message_id ?? null)).toEqual(["m", null, null]);
    expect(tasks[0]?.turn.deadline_ms).toBe(1_001_000 + 1_000);
  });
});
