/**
 * Blobs. Risk: the sweep takes a value that something can still name, or never takes one that nothing can; a blob comes
 * back in another life of its instance (catalogue B11, B31, B47; I15).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { followed, ScriptedStore } from "../adapters/scripted-store.ts";
import { atEveryStop } from "../adapters/stopping-store.ts";
import type { ObjectStore } from "../ports/object-store.ts";
import type { Json } from "../std/json.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { EngineConfig } from "./config.ts";
import type { Engine } from "./engine.ts";
import { failed, got, instanceWith, KEYS, leaseOf, nodeOver, taken } from "./example-nodes.ts";

const ID = { workflow_id: "i-1" };
const KEEP: Partial<EngineConfig> = {
  history_keep_turns: 1,
  history_keep_ms: 0,
};

let store: ScriptedStore;
let clock: ManualClock;
let a: Engine;

beforeEach(async () => {
  store = new ScriptedStore();
  clock = new ManualClock(1_000_000);
  a = nodeOver(store, clock, countedIds("id"), {}, KEEP);
  await instanceWith(a, "i-1");
});

async function put(value: Json = "large", engine = a): Promise<string> {
  return (await got(engine.putBlob({ ...ID, value }))).reference;
}

async function blobKeys(of: ObjectStore = store): Promise<number> {
  const listed = await of.list({ prefix: KEYS.blobs({ id: "i-1", life: 1 }), cursor: null, limit: 1_000 });
  return listed.kind === "ok" ? listed.entries.length : -1;
}

/** A turn of its own message, with one step. */
async function turn(
  { message = null, output = null, state = null }: { message?: Json; output?: Json; state?: Json } = {},
  engine: Engine = a,
): Promise<number> {
  clock.pass(10);
  const { number } = await got(engine.getInstance("i-1")).then(async (view) =>
    got(engine.sendMessage({ ...ID, id: `m-${view.sequence}`, message })),
  );
  const task = await taken(engine);
  const at = { ...leaseOf(task), position: 0, key: "k", kind: "step" as const };
  await got(engine.checkpoint({ ...at, output }));
  await got(engine.complete({ ...leaseOf(task), state }));
  return number;
}

async function turns(count: number, engine: Engine = a): Promise<void> {
  for (let n = 0; n < count; n++) await turn({}, engine);
}

describe("a blob", () => {
  it("is read by its reference, and by that of its own instance only", async () => {
    const reference = await put({ text: "é".repeat(100_000) });
    expect(reference).toMatch(/^blob:000000000001-[0-9a-f]{8}-id-\d+$/);
    expect((await got(a.getBlob("i-1", reference))).value).toEqual({ text: "é".repeat(100_000) });
    await instanceWith(a, "i-2");
    expect(await failed(a.getBlob("i-2", reference))).toMatchObject({ code: "blob_not_found" });
    expect(await failed(a.getBlob("i-1", `${reference}0`))).toMatchObject({ code: "blob_not_found" });
    expect(await failed(a.getBlob("i-1", "blob:1"))).toMatchObject({ kind: "invalid" });
    expect(await failed(a.putBlob({ workflow_id: "i-9", value: 1 }))).toMatchObject({ kind: "not-found" });
  });

  it.each([-1, 0, 1])("holds 8 MiB of JSON, %i bytes more", async (more) => {
    const value = "x".repeat(LIMITS.blobBytes - 2 + more);
    const reply = await a.putBlob({ ...ID, value });
    expect(reply.ok ? "kept" : reply.error.kind).toBe(more > 0 ? "over-limit" : "kept");
    expect(await blobKeys()).toBe(more > 0 ? 0 : 1);
  });

  it("goes with its instance and is no later life's", async () => {
    const reference = await put();
    await got(a.deleteInstance(ID));
    expect(await blobKeys()).toBe(0);
    await instanceWith(a, "i-1");
    expect(await failed(a.getBlob("i-1", reference))).toMatchObject({ code: "blob_not_found" });
    await turn({ message: reference });
  });

  it("R5: is taken back when its instance was deleted while it was put", async () => {
    store.scripted = (key) => key.includes("/blobs/");
    store.puts = [followed(() => nodeOver(store.beneath, clock, countedIds("c")).deleteInstance(ID))];
    expect(await failed(a.putBlob({ ...ID, value: 1 }))).toMatchObject({ kind: "not-found" });
    expect(await blobKeys()).toBe(0);
  });
});

describe("the sweep", () => {
  it("P91: takes what nothing named and leaves what a kept turn or the state names", async () => {
    const [lost, inOutput, inState] = [await put(1), await put(2), await put(3)];
    for (let n = 0; n < 9; n++) await turn({ output: { deep: [inOutput] }, state: { value: inState } });
    expect(await failed(a.getBlob("i-1", lost))).toMatchObject({ code: "blob_not_found" });
    expect((await got(a.getBlob("i-1", inOutput))).value).toBe(2);
    expect((await got(a.getBlob("i-1", inState))).value).toBe(3);
  });

  it("P92: leaves what a message in the inbox names, until that turn is gone", async () => {
    await turns(3);
    const inInbox = await put(4);
    for (let n = 0; n < 6; n++) await got(a.sendMessage({ ...ID, id: `first-${n}`, message: n }));
    await got(a.sendMessage({ ...ID, id: "waits", message: { inInbox } }));
    await turns(6);
    expect((await got(a.inbox(ID))).entries[0]?.message_id).toBe("waits");
    expect((await got(a.getInstance("i-1"))).history_pruned_through).toBeGreaterThan(4);
    expect((await got(a.getBlob("i-1", inInbox))).value).toBe(4);
    await turns(30);
    expect(await failed(a.getBlob("i-1", inInbox))).toMatchObject({ code: "blob_not_found" });
  });

  it("P92: takes it once the last that named it is gone", async () => {
    const reference = await put();
    await turn({ state: { reference } });
    await turns(6);
    expect(await blobKeys()).toBe(0);
  });

  it("P90: what was given up may not be named again, and nothing is written then", async () => {
    const reference = await put();
    await turns(8);
    const before = await got(a.getInstance("i-1"));
    const reply = a.sendMessage({ ...ID, id: "late", message: { reference } });
    expect(await failed(reply)).toMatchObject({ kind: "conflict", code: "blob_gone" });
    expect(await got(a.getInstance("i-1"))).toEqual(before);
    await got(a.sendMessage({ ...ID, id: "late", message: { text: ` ${reference}` } }));
  });

  it.each([255, 256, 257])("P93: %i older blobs in a state", async (count) => {
    const references: string[] = [];
    for (let n = 0; n < count; n++) references.push(await put(n));
    await got(a.sendMessage({ ...ID, id: "m", message: 1 }));
    const task = await taken(a);
    const reply = await a.complete({ ...leaseOf(task), state: references });
    expect(reply.ok ? "kept" : reply.error.code).toBe(count > LIMITS.namedBlobs ? "too_many_blobs" : "kept");
  });

  it("stops anywhere without taking a named blob, and the next node takes the rest", async () => {
    const stops = await atEveryStop(
      async () => {
        clock = new ManualClock(1_000_000);
        const memory = new MemoryStore();
        const ids = countedIds("id");
        const node = nodeOver(memory, clock, ids, {}, KEEP);
        await instanceWith(node, "i-1");
        const named = await put("named", node);
        await put("lost", node);
        for (let n = 0; n < 3; n++) await turn({ state: named }, node);
        return { scene: { memory, ids, named }, store: memory };
      },
      async (stopping, { ids, named }) => {
        const node = nodeOver(stopping, clock, ids, {}, KEEP);
        await put("unnamed", node);
        for (let n = 0; n < 2; n++) await turn({ state: named }, node);
      },
      async ({ memory, ids, named }) => {
        const other = nodeOver(memory, clock, ids, {}, KEEP);
        clock.pass(120_000);
        await got(other.reconcile());
        const { current_turn } = await got(other.getInstance("i-1"));
        if (current_turn !== null) {
          const task = await taken(other);
          await got(other.complete({ ...leaseOf(task), state: named }));
        }
        for (let n = 0; n < 4; n++) await turn({ state: named }, other);
        await got(other.reconcile());
        expect((await got(other.getBlob("i-1", named))).value).toBe("named");
        expect(await blobKeys(memory)).toBe(1);
      },
    );
    expect(stops).toBeGreaterThan(20);
  });
});
