/**
 * Deletion and the lives of an id. Risk: a deletion that dies half-way leaves something behind or loses the id; a later
 * life meets the turns, tokens or late writes of the one before (catalogue B31, B48, B49, B77).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import {
  followed,
  Gate,
  InFlight,
  lostAnswer,
  lostRequest,
  preceded,
  ScriptedStore,
} from "../adapters/scripted-store.ts";
import { atEveryStop } from "../adapters/stopping-store.ts";
import { indexCodec } from "../documents/codec.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import type { EngineNode } from "./engine.ts";
import {
  completionOf,
  failed,
  got,
  instanceWith,
  KEYS,
  leaseOf,
  nodeOver,
  taken,
  V1,
  work,
} from "./example-nodes.ts";

const ID = { workflow_id: "i-1" };
const T0 = 1_000_000;

async function keysOf(store: ObjectStore): Promise<readonly string[]> {
  const listed = await store.list({ prefix: "", cursor: null, limit: 1_000 });
  return listed.kind === "ok" ? listed.entries.map(({ key }) => key) : [];
}

async function indexed(store: ObjectStore): Promise<readonly string[]> {
  const read = await store.get(KEYS.index);
  const decoded = indexCodec.decode(read.kind === "ok" ? read.body : "");
  return decoded.ok ? [...decoded.value.value.entries.keys()] : [];
}

let store: ScriptedStore;
let clock: ManualClock;
let a: EngineNode;
let b: EngineNode;

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(T0);
  const ids = countedIds("id");
  a = nodeOver(store, clock, ids);
  b = nodeOver(store, clock, ids);
});

describe("a deleted instance", () => {
  it("leaves a tombstone without payload and an empty index, and nothing of it is found", async () => {
    await instanceWith(a, "i-1", "m-1", "m-2", "m-3");
    await work(a, 2);
    expect(await got(a.deleteInstance(ID))).toEqual({ deleted: true });
    expect(await keysOf(store.beneath)).toEqual([KEYS.index, KEYS.instance("i-1")]);
    expect(await indexed(store.beneath)).toEqual([]);
    const read = await store.beneath.get(KEYS.instance("i-1"));
    expect(read.kind === "ok" ? read.body : "").not.toMatch(/message|state|"turns"/);
    for (const reply of [
      b.getInstance("i-1"),
      b.getTurn("i-1", 1),
      b.history(ID),
      b.inbox(ID),
      b.sendMessage({ ...ID, id: "m-4", message: 1 }),
      b.signal({ ...ID, turn: 3, id: "s", name: "n", value: 1 }),
      b.control({ ...ID, action: "pause" }),
    ])
      expect(await failed(reply)).toMatchObject({ kind: "not-found", code: "instance_not_found" });
    expect((await got(b.listInstances({}))).instances).toEqual([]);
    expect(await got(b.claim({ worker: "w", workflows: [V1] }))).toBeNull();
    expect(await got(b.reconcile())).toEqual({ instances: 0, repaired: 0, unread: 0 });
  });

  it("is answered as deleted to the one call that ended it", async () => {
    expect(await got(a.deleteInstance(ID))).toEqual({ deleted: false });
    await instanceWith(a, "i-1");
    expect(await got(a.deleteInstance(ID))).toEqual({ deleted: true });
    expect(await got(b.deleteInstance(ID))).toEqual({ deleted: false });
    expect((await failed(a.deleteInstance({ workflow_id: "no/name" }))).kind).toBe("invalid");
  });

  it("P80: fences the attempt that held its turn", async () => {
    await instanceWith(a, "i-1", "m-1");
    const task = await taken(b);
    await got(a.deleteInstance(ID));
    for (const reply of [b.heartbeat(leaseOf(task)), b.complete(completionOf(task))])
      expect(await failed(reply)).toMatchObject({ kind: "not-found" });
  });

  it("lists pages without holes", async () => {
    for (const id of ["i-1", "i-2", "i-3", "i-4"]) await instanceWith(a, id);
    for (const id of ["i-2", "i-4"]) await got(a.deleteInstance({ workflow_id: id }));
    const first = await got(a.listInstances({ limit: 1 }));
    expect(first).toMatchObject({ instances: [{ id: "i-1" }], next_after: "i-1" });
    const second = await got(a.listInstances({ limit: 2, after: first.next_after }));
    expect(second).toMatchObject({ instances: [{ id: "i-3" }], next_after: null });
  });

  it("L4: costs the listing one read, once", async () => {
    await instanceWith(a, "i-1");
    await got(a.deleteInstance(ID));
    await got(b.reconcile());
    let reads = 0;
    store.scripted = () => true;
    store.gets = Array(9).fill((send: () => Promise<unknown>) => {
      reads += 1;
      return send();
    });
    await got(b.reconcile());
    expect(reads).toBe(0);
  });
});

describe("a deletion that stops anywhere", () => {
  it("P81, P82: is finished by the next node, and nothing is left and nothing lost", async () => {
    const stops = await atEveryStop(
      async () => {
        const memory = new MemoryStore();
        const ids = countedIds("id");
        const node = nodeOver(memory, new ManualClock(T0), ids);
        await instanceWith(node, "i-1", "m-1", "m-2");
        await instanceWith(node, "i-2", "n-1");
        await work(node, 1);
        return { scene: { memory, ids, node }, store: memory };
      },
      (stopping, { ids }) => nodeOver(stopping, new ManualClock(T0), ids).deleteInstance(ID),
      async ({ memory, ids }) => {
        const other = nodeOver(memory, new ManualClock(T0), ids);
        await got(other.reconcile());
        const left = await other.getInstance("i-1");
        if (left.ok) {
          expect(left.value.completed_turns + left.value.pending_messages).toBe(2);
          await got(other.deleteInstance(ID));
        }
        await got(other.reconcile());
        const kept = (await keysOf(memory)).filter((key) => !key.includes("i-2"));
        expect(kept).toEqual([KEYS.index, KEYS.instance("i-1")]);
        expect(await indexed(memory)).toEqual(["i-2"]);
        await instanceWith(other, "i-1", "m-1");
        expect(await got(other.getTurn("i-1", 1))).toMatchObject({ status: "queued" });
      },
    );
    expect(stops).toBeGreaterThan(8);
  });
});

describe("a later life of an id", () => {
  async function lived(): Promise<void> {
    await instanceWith(a, "i-1", "m-1", "m-2");
    await work(a, 1);
  }

  it("P83: begins with turn 1, new effect ids and the old message ids free again", async () => {
    await lived();
    const old = await taken(a);
    await got(a.deleteInstance(ID));
    await instanceWith(b, "i-1", "m-2", "m-1");
    const task = await taken(b);
    expect(task.turn).toMatchObject({ number: 1, message_id: "m-2", attempt: 1 });
    expect(task.effect_prefix).not.toBe(old.effect_prefix);
    expect(
      await failed(b.complete(completionOf({ ...old, turn: { ...old.turn, number: 1 } }))),
    ).toMatchObject({
      kind: "fenced",
    });
    await got(b.complete(completionOf(task)));
    expect(await got(b.getTurn("i-1", 1))).toMatchObject({ message_id: "m-2" });
    expect(await keysOf(store.beneath)).toContain(KEYS.segment({ id: "i-1", life: 2 }, 1));
  });

  it("is not reached by the writes of the one before that land late", async () => {
    await lived();
    const task = await taken(a);
    const late = new InFlight();
    const isOld = (key: string) => key.includes("/i-i-1/") || key.endsWith("/i-1.json");
    store.scripted = isOld;
    store.puts = Array(20).fill(late.hold);
    void a.complete(completionOf(task));
    await new Promise(setImmediate);
    store.puts = [];
    await got(b.deleteInstance(ID));
    await instanceWith(b, "i-1", "m-1");
    const before = await got(b.getInstance("i-1"));
    await late.land();
    expect(await got(b.getInstance("i-1"))).toEqual(before);
    await work(b, 1);
    expect(await got(b.history(ID))).toMatchObject({ turns: [{ number: 1, message_id: "m-1" }] });
  });

  it("H8: a mover that finds the instance deleted with its drop takes back what it wrote", async () => {
    await lived();
    store.scripted = (key) => key.includes("/segments/");
    store.puts = Array(3).fill(lostRequest);
    await work(a, 1);
    const other = nodeOver(store.beneath, clock, countedIds("c"));
    store.puts = [preceded(() => other.deleteInstance(ID))];
    await got(a.reconcile());
    expect(await keysOf(store.beneath)).toEqual([KEYS.index, KEYS.instance("i-1")]);
  });

  it("D2: is erased once the move that its last completion did not wait for has ended", async () => {
    await lived();
    store.scripted = (key) => key.includes("/segments/");
    const gate = new Gate();
    store.puts = [gate.hold];
    await work(a, 1);
    const deleted = got(a.deleteInstance(ID));
    await new Promise(setImmediate);
    expect(await keysOf(store.beneath)).toContain(KEYS.instance("i-1"));
    gate.open();
    expect(await deleted).toEqual({ deleted: true });
    expect(await keysOf(store.beneath)).toEqual([KEYS.index, KEYS.instance("i-1")]);
  });

  it("D6, X3: a write found in the lineage, and a late index entry, bring nothing back", async () => {
    await instanceWith(a, "i-1");
    const other = nodeOver(store.beneath, clock, countedIds("c"));
    store.scripted = (key) => key === KEYS.instance("i-1");
    store.puts = [followed(() => other.deleteInstance(ID), lostAnswer)];
    expect(await got(a.sendMessage({ ...ID, id: "m-1", message: 1 }))).toMatchObject({ number: 1 });
    expect(await indexed(store.beneath)).toEqual([]);
    await instanceWith(other, "i-2");
    store.scripted = (key) => key === KEYS.index;
    store.puts = [preceded(() => other.deleteInstance({ workflow_id: "i-2" }))];
    await got(a.sendMessage({ workflow_id: "i-2", id: "m-1", message: 1 }));
    expect(await indexed(store.beneath)).toEqual([]);
  });

  it("D5: a call that has met one life does nothing to the next", async () => {
    await instanceWith(a, "i-1");
    const other = nodeOver(store.beneath, clock, countedIds("c"));
    const anew = async () => {
      await other.deleteInstance(ID);
      await instanceWith(other, "i-1");
    };
    store.scripted = (key) => key === KEYS.instance("i-1");
    store.puts = [preceded(anew)];
    expect(await failed(a.sendMessage({ ...ID, id: "m-1", message: 1 }))).toMatchObject({
      kind: "unavailable",
      code: "instance_recreated",
    });
    store.puts = [preceded(anew)];
    expect(await failed(a.deleteInstance(ID))).toMatchObject({ code: "instance_recreated" });
    expect(await got(a.getInstance("i-1"))).toMatchObject({ pending_messages: 0 });
  });

  it("N2: a claim that an entry leads to a tombstone removes the entry", async () => {
    await instanceWith(a, "i-1", "m-1");
    const read = await store.beneath.get(KEYS.index);
    await got(b.deleteInstance(ID));
    const stale = indexCodec.decode(read.kind === "ok" ? read.body : "");
    if (!stale.ok) throw new Error(stale.error);
    const stamp = { sequence: 90, write_id: "x", lineage: [] };
    await store.beneath.put(KEYS.index, indexCodec.encode(stamp, stale.value.value), { kind: "none" });
    const c = nodeOver(store, clock, countedIds("c"));
    expect(await got(c.claim({ worker: "w", workflows: [V1] }))).toBeNull();
    expect(await indexed(store.beneath)).toEqual([]);
  });
});
