/**
 * Interrupted work and damaged objects. Risk: a turn lost between two places, an object overwritten that a person
 * should look at.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { lostRequest, ScriptedStore } from "../adapters/scripted-store.ts";
import { instanceCodec } from "../documents/codec.ts";
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
  V1,
  work,
} from "./example-nodes.ts";

let store: ScriptedStore;
let clock: ManualClock;
let a: Engine;
let b: Engine;

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(1_000_000);
  const ids = countedIds("id");
  a = nodeOver(store, clock, ids);
  b = nodeOver(store, clock, ids);
});

const isHistory = (key: string) => key.includes("/history/");
const exists = async (key: string) => (await store.beneath.get(key)).kind === "ok";

/** From now on nothing is written under such keys, until it heals. */
function broken(matches: (key: string) => boolean): () => void {
  store.scripted = matches;
  store.puts = Array(1_000).fill(lostRequest);
  return () => {
    store.puts = [];
  };
}

describe("an interrupted move", () => {
  it("D2: is answered as done without its segment, and finished by the next operations of any node", async () => {
    await instanceWith(a, "i-1", "m-1", "m-2");
    const task = await taken(a);
    const heal = broken(isHistory);
    await got(a.complete(completionOf(task)));
    expect(await got(a.getInstance("i-1"))).toMatchObject({ history_through: 0, completed_turns: 1 });
    expect((await got(a.history({ workflow_id: "i-1" }))).turns.map((turn) => turn.number)).toEqual([1]);
    expect(await got(b.sendMessage({ workflow_id: "i-1", id: "m-1", message: 1 }))).toMatchObject({
      number: 1,
    });
    heal();
    const next = await taken(b);
    expect(await exists(KEYS.segment({ id: "i-1", life: 1 }, 1))).toBe(true);
    await got(b.heartbeat(leaseOf(next)));
    expect((await got(a.getInstance("i-1"))).history_through).toBe(1);
    expect(await got(b.getTurn("i-1", 1))).toMatchObject({ status: "completed", result: "r1" });
  });

  it("H8: is dropped by the next write of the node that has moved it, and by the listing of another", async () => {
    await instanceWith(a, "i-1", "m-1");
    const task = await taken(a);
    await got(a.complete(completionOf(task)));
    expect(await exists(KEYS.segment({ id: "i-1", life: 1 }, 1))).toBe(true);
    expect((await got(a.getInstance("i-1"))).history_through).toBe(0);
    expect(await got(b.complete(completionOf(task)))).toMatchObject({ number: 1, status: "completed" });
    const writes = store.putKeys.length;
    await got(a.sendMessage({ workflow_id: "i-1", id: "m-2", message: 1 }));
    expect(store.putKeys.slice(writes)).toEqual([KEYS.instance("i-1"), KEYS.index]);
    expect((await got(a.getInstance("i-1"))).history_through).toBe(1);
    await work(a, 1);
    await got(b.reconcile());
    expect((await got(a.getInstance("i-1"))).history_through).toBe(2);
  });

  it("D7: a repeat is answered from the instance as it is stored, and writes no drop", async () => {
    await instanceWith(a, "i-1", "m-1");
    await work(a, 1);
    const writes = store.putKeys.length;
    expect(await got(a.sendMessage({ workflow_id: "i-1", id: "m-1", message: 1 }))).toMatchObject({
      number: 1,
    });
    expect(await got(a.control({ workflow_id: "i-1", action: "resume" }))).toMatchObject({
      history_through: 0,
    });
    expect(store.putKeys.length).toBe(writes);
  });

  it("is finished by the periodic listing when no operation comes", async () => {
    await instanceWith(a, "i-1", "m-1");
    const heal = broken(isHistory);
    await work(a, 1);
    heal();
    expect(await got(b.reconcile())).toMatchObject({ instances: 1, unread: 0 });
    expect(await got(a.getInstance("i-1"))).toMatchObject({ history_through: 1 });
  });

  it("D3: keeps at most a block and eight finished turns in the identity, then refuses until they can move", async () => {
    await instanceWith(a, "i-1", ...Array.from({ length: 10 }, (_, n) => `m-${n}`));
    const heal = broken(isHistory);
    await work(a, 9);
    expect(await got(a.claim({ worker: "w", workflows: [V1] }))).toBeNull();
    const c = nodeOver(store, clock, countedIds("c"), {}, { remember_identities: false });
    const send = () => c.sendMessage({ workflow_id: "i-1", id: "new", message: 1 });
    expect(await failed(send())).toMatchObject({ kind: "unavailable", code: "history_behind" });
    expect((await got(a.getInstance("i-1"))).pending_messages).toBe(1);
    heal();
    expect(await got(send())).toMatchObject({ number: 11 });
    expect((await got(a.getInstance("i-1"))).history_through).toBe(9);
    clock.pass(1_000);
    await work(b, 2);
    const { turns } = await got(a.history({ workflow_id: "i-1" }));
    expect(turns.map((turn) => turn.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe("a damaged object", () => {
  async function damage(key: string): Promise<() => Promise<void>> {
    const read = await store.beneath.get(key);
    const body = read.kind === "ok" ? read.body.replace('"document":{', '"document":{ ') : "damaged";
    await store.beneath.put(key, body, { kind: "none" });
    return async () => {
      expect(await store.beneath.get(key)).toMatchObject({ kind: "ok", body });
    };
  }
  const CORRUPT = { kind: "corrupt", code: "object_corrupt" };

  it("W5: an identity is answered as corrupt by every call and is left as it is", async () => {
    await instanceWith(a, "i-1", "m-1");
    const task = await taken(a);
    const isLeft = await damage(KEYS.instance("i-1"));
    // What goes out on a version that the node remembers meets another one, and cannot tell what became of the own write.
    expect(await failed(a.heartbeat(leaseOf(task)))).toMatchObject({ kind: "unknown-outcome" });
    const calls = [
      a.createInstance({ id: "i-1", ...V1, state: { n: 0 }, lease_ms: 1_000 }),
      a.getInstance("i-1"),
      a.listInstances({}),
      a.sendMessage({ workflow_id: "i-1", id: "m-2", message: 1 }),
      a.history({ workflow_id: "i-1" }),
      a.getTurn("i-1", 1),
      a.heartbeat(leaseOf(task)),
      a.checkpoint({ ...leaseOf(task), position: 0, key: "k", kind: "step", output: 1 }),
      a.complete(completionOf(task)),
      a.fail({ ...leaseOf(task), error: "x" }),
    ];
    for (const call of calls) expect(await failed(call)).toMatchObject(CORRUPT);
    expect(await got(a.reconcile())).toEqual({ instances: 1, repaired: 0, unread: 1 });
    await isLeft();
  });

  it("D4, W5: an identity under another instance's key is corrupt: it would be moved to the other's history", async () => {
    await instanceWith(a, "i-1", "m-1");
    const read = await store.beneath.get(KEYS.instance("i-1"));
    await store.beneath.put(KEYS.instance("i-2"), read.kind === "ok" ? read.body : "", { kind: "none" });
    expect(await failed(a.getInstance("i-2"))).toMatchObject(CORRUPT);
    expect(await failed(a.sendMessage({ workflow_id: "i-2", id: "m-2", message: 1 }))).toMatchObject(CORRUPT);
    expect(await got(a.reconcile())).toMatchObject({ instances: 2, unread: 1 });
    expect(await got(a.getInstance("i-1"))).toMatchObject({ pending_messages: 1 });
  });

  it("W5: the index is answered as corrupt by claims and listing, and never overwritten", async () => {
    await instanceWith(a, "i-1", "m-1");
    const isLeft = await damage(KEYS.index);
    expect(await failed(b.claim({ worker: "w", workflows: [V1] }))).toMatchObject(CORRUPT);
    expect(await failed(b.reconcile())).toMatchObject(CORRUPT);
    await got(b.sendMessage({ workflow_id: "i-1", id: "m-2", message: 1 }));
    await isLeft();
  });

  it("W5: a segment or a page in history is answered as corrupt and never overwritten", async () => {
    await instanceWith(a, "i-1", "m-1");
    const task = await taken(a);
    await got(a.complete(completionOf(task)));
    await got(a.reconcile());
    const left = [await damage(KEYS.segment({ id: "i-1", life: 1 }, 1))];
    expect(await failed(a.getTurn("i-1", 1))).toMatchObject(CORRUPT);
    expect(await failed(a.history({ workflow_id: "i-1" }))).toMatchObject(CORRUPT);
    expect(await failed(a.complete(completionOf(task)))).toMatchObject(CORRUPT);
    expect(await failed(a.sendMessage({ workflow_id: "i-1", id: "m-1", message: 1 }))).toMatchObject(CORRUPT);
    expect(await got(a.sendMessage({ workflow_id: "i-1", id: "m-2", message: 1 }))).toMatchObject({
      number: 2,
    });
    for (let n = 3; n <= 6; n++) await got(a.sendMessage({ workflow_id: "i-1", id: `m-${n}`, message: 1 }));
    await work(a, 5);
    await got(a.reconcile());
    left.push(await damage(KEYS.idPage({ id: "i-1", life: 1 }, 1)));
    expect(await failed(b.sendMessage({ workflow_id: "i-1", id: "new", message: 1 }))).toMatchObject(CORRUPT);
    for (const isLeft of left) await isLeft();
  });

  it("a foreign object where a turn is to move keeps the turn in the identity, and the instance works on while there is room", async () => {
    await instanceWith(a, "i-1", ...Array.from({ length: 10 }, (_, n) => `m-${n}`));
    await store.beneath.put(KEYS.segment({ id: "i-1", life: 1 }, 1), "foreign", { kind: "none" });
    await work(a, 2);
    expect(await got(a.getInstance("i-1"))).toMatchObject({ completed_turns: 2, history_through: 0 });
    expect(await store.beneath.get(KEYS.segment({ id: "i-1", life: 1 }, 1))).toMatchObject({
      body: "foreign",
    });
    const read = await store.beneath.get(KEYS.instance("i-1"));
    const decoded = instanceCodec.decode(read.kind === "ok" ? read.body : "");
    expect(decoded).toMatchObject({ ok: true, value: { value: { history_through: 0, completed_turns: 2 } } });
    await work(a, 7);
    const send = a.sendMessage({ workflow_id: "i-1", id: "new", message: 1 });
    expect(await failed(send)).toMatchObject({
      ...CORRUPT,
      message: expect.stringContaining(KEYS.segment({ id: "i-1", life: 1 }, 1)),
    });
  });
});
