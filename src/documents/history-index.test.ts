/**
 * History objects and the scheduling index. Risk: a turn dropped before it is written, two texts of one turn, an old
 * entry over a newer one.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, LOWEST, ManualClock } from "../adapters/manual-ports.ts";
import {
  hiddenRetry,
  lostAnswer,
  lostRequest,
  pass,
  ScriptedStore,
  throttled,
} from "../adapters/scripted-store.ts";
import { SILENT } from "../ports/trace.ts";
import { claimed, completed, completion, created, sent, T0 } from "../protocol/examples.ts";
import { KEEP_ALL } from "../protocol/retention.ts";
import { ok } from "../std/result.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { BlobObjects } from "./blob-objects.ts";
import { identityCodec, indexCodec, instanceCodec } from "./codec.ts";
import { NO_MEMORY, type StorePorts } from "./conditional-write.ts";
import { History } from "./history.ts";
import { Keys } from "./keys.ts";
import { MessageIndex } from "./message-index.ts";
import { messageCodec, turnCodec } from "./record-codecs.ts";
import { IndexObject } from "./scheduling-index.ts";

const keys = new Keys({ tenant: "t", graph: "g", epoch: 1 });
const codecs = { identity: identityCodec, index: indexCodec };
const OWNER = { id: "i-1", life: 1 };
const KEY = keys.instance("i-1");
const stamp = (sequence: number) => ({ sequence, write_id: `w${sequence}`, lineage: [] });

let store: ScriptedStore;
let history: History;
let index: IndexObject;
let ports: StorePorts;

beforeEach(() => {
  store = new ScriptedStore();
  ports = { store, clock: new ManualClock(T0), ids: countedIds("id"), random: LOWEST, trace: SILENT };
  history = new History(
    ports,
    keys,
    codecs,
    new MessageIndex(ports, keys),
    new BlobObjects(ports, keys, codecs),
    KEEP_ALL,
    async () => ok(null),
    NO_MEMORY,
  );
  index = new IndexObject(ports, keys, codecs);
});

/** An instance with two completed turns and one queued. */
function finished(): Instance {
  const one = completed(claimed(sent(created(), "a"), "t1"), completion("t1"));
  const two = completed(claimed(sent(one, "b"), "t2"), completion("t2", { turn: 2 }));
  return sent(two, "c");
}

async function put(instance: Instance, sequence = 5): Promise<void> {
  await store.beneath.put(KEY, instanceCodec.encode(stamp(sequence), instance), { kind: "none" });
}

async function bodyOf(key: string): Promise<string | null> {
  const got = await store.beneath.get(key);
  return got.kind === "ok" ? got.body : null;
}

async function identity(): Promise<Instance> {
  const decoded = instanceCodec.decode((await bodyOf(KEY)) ?? "");
  if (!decoded.ok) throw new Error(decoded.error);
  return decoded.value.value;
}

describe("a move to history", () => {
  it("H1, H2: writes turn and message objects, and only then drops the turns", async () => {
    const instance = finished();
    await put(instance);
    expect(await history.move(instance)).toEqual({ ok: true, value: null });
    expect(store.putKeys.indexOf(KEY)).toBe(4);
    expect((await identity()).turns.map((turn) => turn.number)).toEqual([3]);
    expect((await identity()).history_through).toBe(2);
    const owner = { workflow_id: "i-1", incarnation: "life-1" };
    expect(await bodyOf(keys.turn(OWNER, 1))).toBe(
      turnCodec.encode({ ...owner, turn: instance.turns[0] as never }),
    );
    const record = { ...owner, message_id: "b", turn: 2 };
    expect(await bodyOf(keys.message(OWNER, 0, "b"))).toBe(messageCodec.encode(record));
    expect(await history.turn(await identity(), 2)).toEqual({ ok: true, value: instance.turns[1] });
  });

  it("H1: writes nothing a second time and is content with what another mover wrote", async () => {
    const instance = finished();
    await put(instance);
    await history.move(instance);
    await put(instance, 9);
    expect(await history.move(instance)).toEqual({ ok: true, value: null });
    expect((await identity()).history_through).toBe(2);
    expect(await history.move(await identity())).toEqual({ ok: true, value: null });
  });

  it.each([
    ["a lost answer", lostAnswer],
    ["a lost request", lostRequest],
    ["a hidden retry", hiddenRetry],
    ["a throttle", throttled(50)],
  ] as const)("H2: gets over %s", async (_, step) => {
    const instance = finished();
    await put(instance);
    store.puts = [step, pass, step] as never;
    expect((await history.move(instance)).ok).toBe(true);
    for (const turn of [1, 2]) expect((await history.turn(await identity(), turn)).ok).toBe(true);
  });

  it.each([0, 1, 2, 3])("H2: drops nothing when object %i could not be written", async (failing) => {
    const instance = finished();
    await put(instance);
    const names = [
      keys.turn(OWNER, 1),
      keys.message(OWNER, 0, "a"),
      keys.turn(OWNER, 2),
      keys.message(OWNER, 0, "b"),
    ];
    store.scripted = (key) => key === names[failing];
    store.puts = Array(3).fill(lostRequest);
    expect(await history.move(instance)).toMatchObject({ ok: false, error: { kind: "unavailable" } });
    expect(await identity()).toEqual(instance);
  });

  it("H1: leaves an object with another text alone and keeps the turns in the identity", async () => {
    const instance = finished();
    await put(instance);
    await store.beneath.put(keys.turn(OWNER, 2), "foreign", { kind: "none" });
    expect(await history.move(instance)).toMatchObject({ ok: false, error: { kind: "corrupt" } });
    expect(await bodyOf(keys.turn(OWNER, 2))).toBe("foreign");
    expect(await identity()).toEqual(instance);
  });

  it("drops nothing of another life of the id", async () => {
    const instance = finished();
    await put({ ...instance, incarnation: "life-2" });
    expect(await history.move(instance)).toMatchObject({ ok: false, error: { kind: "not-found" } });
    expect((await identity()).turns.length).toBe(3);
  });
});

describe("reading history", () => {
  it("H3: finds the turn of a message that has moved, and none for another id", async () => {
    await put(finished());
    await history.move(finished());
    const instance = await identity();
    expect(await history.turnOfMessage(instance, "b")).toEqual({ ok: true, value: 2 });
    expect(await history.turnOfMessage(instance, "c")).toEqual({ ok: true, value: null });
  });

  it("takes a missing, damaged or foreign object for corrupt", async () => {
    await put(finished());
    await history.move(finished());
    const instance = await identity();
    const corrupt = { ok: false, error: { kind: "corrupt" } };
    const other = { ...instance, incarnation: "life-2" };
    expect(await history.turn(other, 1)).toMatchObject(corrupt);
    expect(await history.turnOfMessage(other, "a")).toMatchObject(corrupt);
    const first = (await bodyOf(keys.turn(OWNER, 1))) ?? "";
    await store.beneath.put(keys.turn(OWNER, 2), first, { kind: "none" });
    expect(await history.turn(instance, 2)).toMatchObject(corrupt);
    await store.beneath.put(keys.message(OWNER, 0, "a"), "{}", { kind: "none" });
    expect(await history.turnOfMessage(instance, "a")).toMatchObject(corrupt);
    await store.beneath.delete(keys.turn(OWNER, 1), { kind: "none" });
    expect(await history.turn(instance, 1)).toMatchObject(corrupt);
  });
});

function entry(sequence: number, fields: Partial<IndexEntry> = {}): IndexEntry {
  return { workflow_type: "t", version: "v", status: "queued", ready_at_ms: T0, sequence, ...fields };
}
const RUNNING = { status: "running", ready_at_ms: T0 + 60_000 } as const;

async function stored(id: string): Promise<IndexEntry | undefined> {
  const read = await new IndexObject(ports, keys, codecs).read();
  return read.ok ? read.value.get(id) : undefined;
}

describe("the scheduling index", () => {
  it("is empty before its first entry, and holds any id", async () => {
    expect(await index.read()).toEqual({ ok: true, value: new Map() });
    for (const id of ["__proto__", "a", "10", "9"])
      expect(await index.mend(new Map([[id, entry(1)]]))).toMatchObject({ ok: true, value: { changed: 1 } });
    for (const id of ["__proto__", "a", "10", "9"]) expect(await stored(id)).toEqual(entry(1));
  });

  it("X1: takes a later entry and never an earlier or the same one", async () => {
    await index.mend(new Map([["a", entry(5, RUNNING)]]));
    for (const sequence of [4, 5]) {
      expect(await index.mend(new Map([["a", entry(sequence)]]))).toMatchObject({ value: { changed: 0 } });
      expect(await stored("a")).toEqual(entry(5, RUNNING));
    }
    expect(await index.mend(new Map([["a", entry(6)]]))).toMatchObject({ value: { changed: 1 } });
    expect(await stored("a")).toEqual(entry(6));
  });

  it("X1: an older entry that comes late does not replace a newer one that changed nothing", async () => {
    await index.mend(new Map([["a", entry(5)]]));
    expect(await index.mend(new Map([["a", entry(7)]]))).toMatchObject({ value: { changed: 0 } });
    await index.mend(new Map([["a", entry(6, RUNNING)]]));
    expect(await stored("a")).toEqual(entry(7));
  });

  it("writes nothing when nothing is news, and one object for many entries", async () => {
    const many = new Map(["a", "b", "c"].map((id) => [id, entry(1)]));
    expect(await index.mend(many)).toMatchObject({ value: { changed: 3 } });
    expect(await index.mend(many)).toMatchObject({ value: { changed: 0 } });
    expect(store.putKeys.length).toBe(1);
  });

  it("X2: gives up after a few tries and leaves what is there", async () => {
    await index.mend(new Map([["a", entry(1)]]));
    store.puts = Array(3).fill(lostRequest);
    expect((await index.mend(new Map([["a", entry(2, RUNNING)]]))).ok).toBe(false);
    expect(await stored("a")).toEqual(entry(1));
    expect(store.putKeys.length).toBe(4);
  });

  it("X2: keeps what it could not write: sees it itself, and writes it with its next update", async () => {
    await index.mend(new Map([["a", entry(1)]]));
    store.puts = Array(3).fill(lostRequest);
    await index.mend(new Map([["a", entry(2, RUNNING)]]));
    const seen = await index.read();
    expect(seen.ok && seen.value.get("a")).toEqual(entry(2, RUNNING));
    expect(await index.mend(new Map([["b", entry(1)]]))).toMatchObject({ value: { changed: 1 } });
    expect(await stored("a")).toEqual(entry(2, RUNNING));
    expect(await stored("b")).toEqual(entry(1));
  });

  it("X2: what it could not write gives way to what others wrote later", async () => {
    await index.mend(new Map([["a", entry(1)]]));
    store.puts = Array(3).fill(lostRequest);
    await index.mend(new Map([["a", entry(2, RUNNING)]]));
    const other = new IndexObject({ ...ports, store: store.beneath }, keys, codecs);
    await other.mend(new Map(), new Map([["a", 3]]));
    await index.mend(new Map([["b", entry(1)]]));
    const left = await other.read();
    expect(left.ok && [...left.value.keys()]).toEqual(["b"]);
  });

  it("X5: updates that come while one is written share one write, and each hears of its own", async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `i-${n}`);
    await index.mend(new Map([["i-7", entry(9)]]));
    const answers = await Promise.all(ids.map((id) => index.mend(new Map([[id, entry(1)]]))));
    for (const [n, answer] of answers.entries())
      expect(answer).toMatchObject({ ok: true, value: { changed: n === 7 ? 0 : 1 } });
    expect(store.putKeys.length).toBe(3);
    for (const id of ids) expect(await stored(id)).toEqual(entry(id === "i-7" ? 9 : 1));
  });

  it("X5: a group that fails says so to each, and the next one is written", async () => {
    store.puts = Array(3).fill(lostRequest);
    const first = index.mend(new Map([["a", entry(1)]]));
    const second = index.mend(new Map([["b", entry(1)]]));
    expect((await first).ok).toBe(false);
    expect((await second).ok).toBe(true);
    expect(await stored("a")).toEqual(entry(1));
  });

  it("X4: of two updates of one instance in a group the later version counts, whichever comes last", async () => {
    await index.mend(new Map([["a", entry(1)]]));
    await Promise.all([
      index.mend(new Map([["x", entry(1)]])),
      index.mend(new Map([["a", entry(7, RUNNING)]])),
      index.mend(new Map(), new Map([["a", 5]])),
      index.mend(new Map([["b", entry(2)]])),
      index.mend(new Map(), new Map([["b", 3]])),
    ]);
    const left = await index.read();
    expect(left.ok && [...left.value.keys()]).toEqual(["a", "x"]);
  });

  it("W5: a damaged index is corrupt and is left alone", async () => {
    await store.beneath.put(keys.index, "{", { kind: "none" });
    const corrupt = { ok: false, error: { kind: "corrupt" } };
    expect(await index.read()).toMatchObject(corrupt);
    expect(await index.mend(new Map([["a", entry(1)]]))).toMatchObject(corrupt);
    expect(await bodyOf(keys.index)).toBe("{");
  });
});
