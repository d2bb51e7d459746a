/**
 * Retention in the store. Risk: pruning that stops half-way loses a kept turn or leaves a pruned one; a message id that
 * counts as new again is recognised twice or never (catalogue I15, I16, B69, B70, B77).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { pass, preceded, ScriptedStore } from "../adapters/scripted-store.ts";
import { atEveryStop } from "../adapters/stopping-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import type { EngineConfig } from "./config.ts";
import type { Engine } from "./engine.ts";
import { completionOf, failed, got, instanceWith, KEYS, nodeOver, taken, work } from "./example-nodes.ts";

const ID = { workflow_id: "i-1" };
const KEEP: Partial<EngineConfig> = {
  history_keep_turns: 2,
  history_keep_ms: 1_000,
};
const HISTORY = KEYS.history({ id: "i-1", life: 1 });

let store: ScriptedStore;
let clock: ManualClock;
let ids: Ids;
let a: Engine;

beforeEach(async () => {
  store = new ScriptedStore();
  clock = new ManualClock(1_000_000);
  ids = countedIds("id");
  a = nodeOver(store, clock, ids, {}, KEEP);
  await instanceWith(a, "i-1");
});

async function historyKeys(of: ObjectStore): Promise<readonly string[]> {
  const listed = await of.list({ prefix: HISTORY, cursor: null, limit: 1_000 });
  return listed.kind === "ok" ? listed.entries.map(({ key }) => key.slice(HISTORY.length)) : [];
}

/** One message and its turn, some time later. */
async function turn(engine: Engine, id: string, passMs = 2_000): Promise<number> {
  clock.pass(passMs);
  const { number } = await got(engine.sendMessage({ ...ID, id, message: { id } }));
  await work(engine, 1);
  return number;
}

async function turns(engine: Engine, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await turn(engine, `m-${n}`);
}

describe("a pruned turn", () => {
  it("is not found, its pages begin behind it, and its objects go with the moves that follow", async () => {
    await turns(a, 1, 6);
    await got(a.reconcile());
    const { history_through, history_pruned_through } = await got(a.getInstance("i-1"));
    expect({ history_through, history_pruned_through }).toEqual({
      history_through: 6,
      history_pruned_through: 4,
    });
    expect(await failed(a.getTurn("i-1", 4))).toMatchObject({ kind: "not-found", code: "turn_not_found" });
    const page = await got(a.history({ ...ID, limit: 1 }));
    expect(page).toMatchObject({ turns: [{ number: 5 }], next_after: 5 });
    await got(a.reconcile());
    const left = (await historyKeys(store)).filter((key) => key.startsWith("segments/"));
    expect(left).toEqual(["segments/000000000005.json", "segments/000000000006.json"]);
  });

  it("is pruned and erased by the listing when no turn follows", async () => {
    for (let n = 1; n <= 6; n++) await turn(a, `m-${n}`, 1);
    expect(await got(a.getInstance("i-1"))).toMatchObject({ history_pruned_through: 0 });
    clock.pass(2_000);
    await got(a.reconcile());
    expect(await got(a.getInstance("i-1"))).toMatchObject({ history_pruned_through: 4 });
    await got(a.reconcile());
    expect((await historyKeys(store)).filter((key) => key.startsWith("segments/")).length).toBe(2);
  });

  it("H3: its message id counts as new; that of a kept one does not", async () => {
    await turns(a, 1, 5);
    expect(await got(a.sendMessage({ ...ID, id: "m-5", message: { id: "m-5" } }))).toMatchObject({
      number: 5,
    });
    expect(await turn(a, "m-1")).toBe(6);
    expect(await got(a.sendMessage({ ...ID, id: "m-1", message: { id: "m-1" } }))).toMatchObject({
      number: 6,
    });
    expect((await failed(a.sendMessage({ ...ID, id: "m-1", message: 9 }))).kind).toBe("conflict");
  });

  it("fences the repeat of its completion", async () => {
    await got(a.sendMessage({ ...ID, id: "m-1", message: 1 }));
    const task = await taken(a);
    await got(a.complete(completionOf(task)));
    expect((await got(a.complete(completionOf(task)))).status).toBe("completed");
    await turns(a, 2, 6);
    expect(await failed(a.complete(completionOf(task)))).toMatchObject({ kind: "not-found" });
  });
});

describe("the memory of message ids", () => {
  it("P87, P89: every id has one kept turn at most, over many pages and repeats", async () => {
    const newest = new Map<string, number>();
    for (let n = 0; n < 40; n++) {
      const id = `m-${(n * 7) % 11}`;
      const number = await turn(a, id);
      const earlier = newest.get(id);
      const { history_pruned_through: pruned } = await got(a.getInstance("i-1"));
      if (number === earlier) expect(earlier).toBeGreaterThan(pruned);
      newest.set(id, number);
    }
    for (let n = 0; n < 3; n++) await got(a.reconcile());
    expect((await historyKeys(store)).length).toBeLessThan(2 + 3);
    await got(a.deleteInstance(ID));
    expect(await historyKeys(store)).toEqual([]);
  });

  it("P94: pages are written before their marks leave the instance, read once by a node, and erased when pruned", async () => {
    const keeping = nodeOver(store, clock, ids, {}, { ...KEEP, history_keep_turns: 100 });
    await turns(keeping, 1, 9);
    await got(keeping.reconcile());
    const pages = async () => (await historyKeys(store)).filter((key) => key.startsWith("ids/"));
    expect(await pages()).toEqual(
      ["000000000001", "000000000003", "000000000005"].map((n) => `ids/${n}.json`),
    );
    const cold = nodeOver(store, clock, countedIds("c"), {}, { ...KEEP, history_keep_turns: 100 });
    store.scripted = (key) => key.includes("/history/");
    store.gets = Array(9).fill(pass);
    for (const n of [1, 5]) {
      expect(await got(cold.sendMessage({ ...ID, id: `m-${n}`, message: { id: `m-${n}` } }))).toMatchObject({
        number: n,
      });
    }
    // Three pages once, and the segment of each of the two: again where the answer was found on a remembered version.
    expect(store.gets.length).toBe(9 - 3 - 3);
    store.gets = [];
    await turns(a, 10, 11);
    for (let n = 0; n < 4; n++) await got(a.reconcile());
    expect(await pages()).toEqual([]);
  });
});

describe("H9: a turn that is pruned while it is looked up", () => {
  it("is not found by a read and left open by a repeat, which then is new", async () => {
    a = nodeOver(store, clock, countedIds("a"), {}, { ...KEEP, remember_identities: false });
    await turns(a, 1, 3);
    await got(a.reconcile());
    const other = nodeOver(store.beneath, clock, countedIds("c"), {}, KEEP);
    const prune = async () => {
      await turns(other, 4, 5);
      for (let n = 0; n < 2; n++) await other.reconcile();
    };
    store.scripted = (key) => key === KEYS.segment({ id: "i-1", life: 1 }, 3);
    store.gets = [preceded(prune)];
    expect(await failed(a.getTurn("i-1", 3))).toMatchObject({ kind: "not-found" });
    store.scripted = (key) => key === KEYS.segment({ id: "i-1", life: 1 }, 5);
    store.gets = [
      preceded(async () => {
        await turns(other, 6, 7);
        for (let n = 0; n < 2; n++) await other.reconcile();
      }),
    ];
    const repeat = { ...ID, id: "m-5", message: { id: "m-5" } };
    expect(await failed(a.sendMessage(repeat))).toMatchObject({
      kind: "unavailable",
      code: "history_moved_on",
    });
    expect(await got(a.sendMessage(repeat))).toMatchObject({ number: 8 });
  });
});

describe("pruning that stops anywhere", () => {
  it("P86: loses no kept turn, and the next node leaves nothing behind", async () => {
    const stops = await atEveryStop(
      async () => {
        clock = new ManualClock(1_000_000);
        const memory = new MemoryStore();
        const counted = countedIds("id");
        const node = nodeOver(memory, clock, counted, {}, KEEP);
        await instanceWith(node, "i-1");
        await turns(node, 1, 8);
        clock.pass(2_000);
        await got(node.sendMessage({ ...ID, id: "m-1", message: { id: "m-1" } }));
        return { scene: { memory, counted }, store: memory };
      },
      async (stopping, { counted }) => {
        const node = nodeOver(stopping, clock, counted, {}, KEEP);
        await work(node, 1);
        await node.reconcile();
      },
      async ({ memory, counted }) => {
        const other = nodeOver(memory, clock, counted, {}, KEEP);
        clock.pass(5_000);
        if ((await got(other.getInstance("i-1"))).completed_turns < 9) await work(other, 1);
        for (let n = 0; n < 3; n++) await got(other.reconcile());
        const page = await got(other.history(ID));
        expect(page.turns.map((one) => one.number)).toEqual([8, 9]);
        const turnsLeft = (await historyKeys(memory)).filter((key) => key.startsWith("segments/"));
        expect(turnsLeft.length).toBe(2);
        for (const [id, number] of [
          ["m-8", 8],
          ["m-1", 9],
        ] as const)
          expect(await got(other.sendMessage({ ...ID, id, message: { id } }))).toMatchObject({ number });
        expect(await got(other.sendMessage({ ...ID, id: "m-2", message: 1 }))).toMatchObject({ number: 10 });
      },
    );
    expect(stops).toBeGreaterThan(10);
  });
});
