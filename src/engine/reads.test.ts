/**
 * Lists and pages. Risk: an instance or turn that no page shows, or two pages show.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { lostRequest, ScriptedStore } from "../adapters/scripted-store.ts";
import type { Engine } from "./engine.ts";
import {
  completionOf,
  failed,
  got,
  instanceWith,
  KEYS,
  leaseOf,
  nodeOver,
  taken,
  work,
} from "./example-nodes.ts";

let store: ScriptedStore;
let clock: ManualClock;
let engine: Engine;

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(1_000_000);
  engine = nodeOver(store, clock, countedIds("id"));
});

/** In the order of their bytes; as keys, `a.json` stands after `a-b.json` and before `a.b.json`. */
const IDS = [".", "..", "-", "A", "__proto__", "a", "a-b", "a.b", "a_b", "i-1", "i-10", "i-2", "z"].sort();

async function pages(limit: number): Promise<string[][]> {
  const found: string[][] = [];
  let after: string | null = null;
  do {
    const page: { instances: readonly { id: string }[]; next_after: string | null } = await got(
      engine.listInstances({ after, limit }),
    );
    found.push(page.instances.map(({ id }) => id));
    after = page.next_after;
  } while (after !== null);
  return found;
}

describe("a list of instances", () => {
  it.each([1, 2, 5, 13, 100])("shows each once, in the order of ids, with pages of %i", async (limit) => {
    for (const id of [...IDS].reverse()) await instanceWith(engine, id);
    const found = await pages(limit);
    expect(found.flat()).toEqual(IDS);
    expect(found.length).toBe(Math.ceil(IDS.length / limit));
  });

  it("is one empty page without instances, and ends after the last", async () => {
    expect(await pages(5)).toEqual([[]]);
    await instanceWith(engine, "a");
    expect(await got(engine.listInstances({ after: "a" }))).toEqual({ instances: [], next_after: null });
    expect((await got(engine.listInstances({ after: "A" }))).instances.length).toBe(1);
    expect((await got(engine.listInstances({}))).next_after).toBeNull();
  });

  it("passes over objects that are no instance's", async () => {
    await instanceWith(engine, "a");
    for (const name of [".json", "b/c.json", "note.txt", "é.json"])
      await store.beneath.put(`${KEYS.instances}${name}`, "foreign", { kind: "none" });
    expect(await pages(5)).toEqual([["a"]]);
    expect(await got(engine.reconcile())).toEqual({ instances: 1, repaired: 0, unread: 0 });
  });

  it("is unavailable, not empty, when the store does not list", async () => {
    await instanceWith(engine, "a");
    store.lists = [lostRequest, lostRequest];
    expect(await failed(engine.listInstances({}))).toMatchObject({ kind: "unavailable" });
    expect(await failed(engine.reconcile())).toMatchObject({ kind: "unavailable" });
  });
});

describe("a history", () => {
  async function numbers(limit: number): Promise<number[][]> {
    const found: number[][] = [];
    let after: number | null = null;
    do {
      const page: { turns: readonly { number: number }[]; next_after: number | null } = await got(
        engine.history({ workflow_id: "i-1", after, limit }),
      );
      found.push(page.turns.map(({ number }) => number));
      after = page.next_after;
    } while (after !== null);
    return found;
  }

  it.each([
    [1, [[1], [2], [3], [4], [5]]],
    [2, [[1, 2], [3, 4], [5]]],
    [5, [[1, 2, 3, 4, 5]]],
    [50, [[1, 2, 3, 4, 5]]],
  ])("shows finished turns once, oldest first, with pages of %i", async (limit, expected) => {
    await instanceWith(engine, "i-1", "a", "b", "c", "d", "e", "f");
    await work(engine, 5);
    expect(await numbers(limit)).toEqual(expected);
  });

  it("is read in two round trips however long the page: the identity, then all its turns at once", async () => {
    await instanceWith(engine, "i-1", ...Array.from({ length: 52 }, (_, n) => `m-${n}`));
    await work(engine, 52);
    const trips: number[] = [];
    let asked = 0;
    const get = store.get.bind(store);
    store.get = async (key) => {
      // What is asked before the first answer comes is one round trip.
      asked += 1;
      if (asked === 1)
        setImmediate(() => {
          trips.push(asked);
          asked = 0;
        });
      await new Promise((resolve) => setImmediate(resolve));
      return get(key);
    };
    const page = await got(engine.history({ workflow_id: "i-1" }));
    expect(page.turns.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, n) => n + 1));
    expect(trips).toEqual([1, 50]);
  });

  it("spans the turns that have moved and those that are about to", async () => {
    await instanceWith(engine, "i-1", "a", "b", "c");
    await work(engine, 1);
    store.scripted = (key) => key.includes("/history/");
    store.puts = Array(100).fill(lostRequest);
    await work(engine, 2);
    expect((await got(engine.getInstance("i-1"))).history_through).toBe(1);
    expect(await numbers(2)).toEqual([[1, 2], [3]]);
  });

  it("shows neither queued, running nor failed turns, and nothing after its end", async () => {
    await instanceWith(engine, "i-1", "a", "b", "c");
    await work(engine, 1);
    const task = await taken(engine);
    expect(await numbers(5)).toEqual([[1]]);
    await got(engine.fail({ ...leaseOf(task), error: "x", non_retryable: true }));
    expect(await numbers(5)).toEqual([[1]]);
    expect(await got(engine.history({ workflow_id: "i-1", after: 9 }))).toEqual({
      turns: [],
      next_after: null,
    });
    expect(await failed(engine.history({ workflow_id: "nobody" }))).toMatchObject({ kind: "not-found" });
  });
});

describe("one turn", () => {
  it("is read from wherever it is, the same before and after its move", async () => {
    await instanceWith(engine, "i-1", "a");
    const task = await taken(engine);
    store.scripted = (key) => key.includes("/history/");
    store.puts = Array(3).fill(lostRequest);
    await got(engine.complete(completionOf(task)));
    const before = await got(engine.getTurn("i-1", 1));
    await got(engine.reconcile());
    expect((await got(engine.getInstance("i-1"))).history_through).toBe(1);
    expect(await got(engine.getTurn("i-1", 1))).toEqual(before);
  });

  it("with an ended lease is shown as queued again", async () => {
    await instanceWith(engine, "i-1", "a");
    await taken(engine);
    expect((await got(engine.getTurn("i-1", 1))).status).toBe("running");
    clock.pass(1_000);
    expect(await got(engine.getTurn("i-1", 1))).toMatchObject({
      status: "queued",
      attempt: 1,
      deadline_ms: null,
    });
  });
});
