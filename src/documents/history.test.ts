/**
 * Segments of history and the memory of message ids, as objects. Risk: a turn dropped before it is written, two movers
 * that disagree, a segment of another believed, a block that cannot be followed.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, LOWEST, ManualClock } from "../adapters/manual-ports.ts";
import {
  hiddenRetry,
  lostAnswer,
  lostRequest,
  pass,
  preceded,
  ScriptedStore,
  throttled,
} from "../adapters/scripted-store.ts";
import { SILENT } from "../ports/trace.ts";
import { claimed, completed, completion, created, sent, T0 } from "../protocol/examples.ts";
import { KEEP_ALL } from "../protocol/retention.ts";
import { present } from "../std/assert.ts";
import { ok } from "../std/result.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { BlobObjects } from "./blob-objects.ts";
import { identityCodec, indexCodec, instanceCodec } from "./codec.ts";
import { NO_MEMORY } from "./conditional-write.ts";
import { History } from "./history.ts";
import { IdPages } from "./id-pages.ts";
import { Keys } from "./keys.ts";
import { segmentCodec } from "./record-codecs.ts";
import { Segments } from "./segments.ts";

const keys = new Keys({ tenant: "t", graph: "g", epoch: 1 });
const codecs = { identity: identityCodec, index: indexCodec };
const OWNER = { id: "i-1", life: 1 };
const KEY = keys.instance("i-1");
const WHOSE = { workflow_id: "i-1", incarnation: "life-1" };
const segment = (first: number) => keys.segment(OWNER, first);

let store: ScriptedStore;

beforeEach(() => {
  store = new ScriptedStore();
});

/** The history of a node that has done nothing yet. */
function node(tailChars = 64 * 1024): History {
  const ports = { store, clock: new ManualClock(T0), ids: countedIds("id"), random: LOWEST, trace: SILENT };
  const blobs = new BlobObjects(ports, keys, codecs);
  const objects = { segments: new Segments(ports, keys), pages: new IdPages(ports, keys), blobs };
  const rules = { ...KEEP_ALL, history_tail_chars: tailChars };
  return new History(ports, keys, codecs, objects, rules, async () => ok(null), NO_MEMORY);
}

/** An instance with that many completed turns and one queued. */
function finished(turns: number, segment_turns = 2, page_turns = 2): Instance {
  let instance: Instance = { ...created(), history_layout: { segment_turns, page_turns } };
  for (let turn = 1; turn <= turns; turn++) {
    const running = claimed(sent(instance, `m-${turn}`), `t${turn}`);
    instance = completed(running, completion(`t${turn}`, { turn }));
  }
  return sent(instance, "queued");
}

async function put(instance: Instance, sequence = 5): Promise<void> {
  const stamp = { sequence, write_id: `w${sequence}`, lineage: [] };
  await store.beneath.put(KEY, instanceCodec.encode(stamp, instance), { kind: "none" });
}

async function bodyOf(key: string): Promise<string | null> {
  const got = await store.beneath.get(key);
  return got.kind === "ok" ? got.body : null;
}

async function numbersIn(first: number): Promise<readonly number[] | null> {
  const body = await bodyOf(segment(first));
  const decoded = body === null ? null : segmentCodec.decode(body);
  return decoded?.ok ? decoded.value.turns.map((turn) => turn.number) : null;
}

async function identity(): Promise<Instance> {
  const decoded = instanceCodec.decode((await bodyOf(KEY)) ?? "");
  if (!decoded.ok) throw new Error(decoded.error);
  return decoded.value.value;
}

/** The instance after its turns have moved and were dropped. */
async function moved(instance: Instance): Promise<Instance> {
  await put(instance);
  expect(await node().move(instance)).toEqual({ ok: true, value: null });
  return identity();
}

describe("a move to history", () => {
  it("P20: begins when a block is full, and leaves what does not fill one", async () => {
    for (const [turns, through] of [
      [1, 0],
      [2, 2],
      [3, 2],
    ] as const)
      expect((await moved(finished(turns))).history_through).toBe(through);
    expect(store.putKeys).toEqual([segment(1), KEY, segment(1), KEY]);
    expect(await numbersIn(1)).toEqual([1, 2]);
  });

  it("P20: does not wait for a block when the tail is long", async () => {
    const instance = finished(3, 8);
    await put(instance);
    await node(100).move(instance);
    expect(await numbersIn(1)).toEqual([1, 2, 3]);
    expect((await identity()).history_through).toBe(3);
  });

  it("H1: cuts what has finished where blocks end, and writes it before the drop", async () => {
    const instance = finished(5);
    const after = await moved(instance);
    expect(store.putKeys).toEqual([segment(1), segment(3), KEY]);
    expect(after.turns.map((turn) => turn.number)).toEqual([5, 6]);
    expect(await node().turns(after, 1, 4)).toEqual({ ok: true, value: instance.turns.slice(0, 4) });
    expect(await node().turns(after, 2, 3)).toEqual({ ok: true, value: instance.turns.slice(1, 3) });
  });

  it("H8: the drop goes with the next write of the node that moved; another moves nothing twice", async () => {
    const instance = finished(2);
    await put(instance);
    const mover = node();
    await mover.follow(instance);
    expect(store.putKeys).toEqual([segment(1)]);
    expect(mover.carried(instance).history_through).toBe(2);
    expect(node().carried(instance)).toBe(instance);
    const other = node();
    await other.follow(instance);
    expect(store.putKeys).toEqual([segment(1), segment(1)]);
    expect(other.carried(instance)).toEqual(mover.carried(instance));
    const dropped = mover.carried(instance);
    expect(mover.carried(dropped)).toBe(dropped);
  });

  it.each([
    ["a lost answer", lostAnswer],
    ["a lost request", lostRequest],
    ["a hidden retry", hiddenRetry],
    ["a throttle", throttled(50)],
  ] as const)("H6: gets over %s", async (_, step) => {
    const instance = finished(4);
    await put(instance);
    store.puts = [step, pass, step] as never;
    expect((await node().move(instance)).ok).toBe(true);
    const read = await node().turns(await identity(), 1, 4);
    expect(read.ok && read.value.length).toBe(4);
  });

  it.each([1, 3])(
    "H6: drops nothing behind the segment from turn %i that could not be written",
    async (failing) => {
      const instance = finished(4);
      await put(instance);
      store.scripted = (key) => key === segment(failing);
      store.puts = Array(3).fill(lostRequest);
      expect(await node().move(instance)).toMatchObject({ ok: false, error: { kind: "unavailable" } });
      expect(await identity()).toEqual(instance);
    },
  );

  it("P94, H4: drops no marks before their page is there", async () => {
    const instance = finished(6);
    await put(instance);
    store.scripted = (key) => key === keys.idPage(OWNER, 1);
    store.puts = Array(3).fill(lostRequest);
    expect((await node().move(instance)).ok).toBe(false);
    expect(await identity()).toEqual(instance);
    store.putKeys.length = 0;
    expect((await moved(instance)).history_ids.length).toBe(2 * 2 * 4);
    expect(store.putKeys.slice(-2)).toEqual([keys.idPage(OWNER, 1), KEY]);
  });

  it("drops nothing of another life of the id", async () => {
    const instance = finished(2);
    await put({ ...instance, incarnation: "life-2" });
    expect(await node().move(instance)).toMatchObject({ ok: false, error: { kind: "not-found" } });
    expect((await identity()).turns.length).toBe(3);
  });
});

describe("two movers", () => {
  it("H2: the one that comes second takes over what is there, and goes on behind it", async () => {
    const early = finished(3, 4);
    await put(early);
    await node(100).follow(early);
    const later = finished(4, 4);
    expect((await moved(later)).history_through).toBe(4);
    expect([await numbersIn(1), await numbersIn(4)]).toEqual([[1, 2, 3], [4]]);
    expect(await node().turns(await identity(), 1, 4)).toEqual({ ok: true, value: later.turns.slice(0, 4) });
  });

  it("H2: the one that has seen less leaves it to who has seen more", async () => {
    await node().follow(finished(4, 4));
    const early = finished(3, 4);
    const mover = node(100);
    expect(await mover.follow(early)).toEqual({ ok: true, value: null });
    expect(mover.carried(early)).toBe(early);
  });

  it("H2: a segment that lands between look and write is taken over, too", async () => {
    const instance = finished(2);
    await put(instance);
    store.puts = [preceded(async () => node().follow(instance))];
    expect((await node().move(instance)).ok).toBe(true);
    expect((await identity()).history_through).toBe(2);
  });

  it.each([
    ["another text", "foreign"],
    [
      "another turn",
      segmentCodec.encode({ ...WHOSE, turns: finished(1).turns.map((t) => ({ ...t, attempt: 9 })) }),
    ],
    ["another place", segmentCodec.encode({ ...WHOSE, turns: finished(3).turns.slice(1, 3) })],
    ["a hole", segmentCodec.encode({ ...WHOSE, turns: finished(3).turns.filter((t) => t.number !== 2) })],
    [
      "another life",
      segmentCodec.encode({ ...WHOSE, incarnation: "x", turns: finished(2).turns.slice(0, 2) }),
    ],
    ["no turn", segmentCodec.encode({ ...WHOSE, turns: [] })],
  ])("H2: an object with %s is left alone, and the turns stay in the identity", async (_, body) => {
    const instance = finished(2);
    await put(instance);
    await store.beneath.put(segment(1), body, { kind: "none" });
    expect(await node().move(instance)).toMatchObject({ ok: false, error: { kind: "corrupt" } });
    expect(await bodyOf(segment(1))).toBe(body);
    expect(await identity()).toEqual(instance);
  });
});

describe("the memory of message ids", () => {
  it("P87, P89: finds the turn of a message that has moved, from the instance or a page, and none for another", async () => {
    const instance = await moved(finished(8));
    const cold = node();
    for (let n = 1; n <= 8; n++) {
      const found = await cold.turnOfMessage(instance, `m-${n}`);
      expect(found).toMatchObject({ ok: true, value: { number: n, message_id: `m-${n}` } });
    }
    expect(await cold.turnOfMessage(instance, "m-9")).toEqual({ ok: true, value: null });
  });

  it("P89: a mark that means another id is no proof", async () => {
    const instance = await moved(finished(2));
    const first = present(instance.history_ids.slice(0, 4), "a mark");
    const alike = { ...instance, history_ids: first + first };
    const found = await node().turnOfMessage(alike, "m-1");
    expect(found).toMatchObject({ ok: true, value: { number: 1 } });
    const other = await moved(finished(3));
    expect(await node().turnOfMessage({ ...other, history_ids: "AAAAAAAA" }, "m-1")).toEqual({
      ok: true,
      value: null,
    });
  });

  it("takes a missing or foreign page for corrupt", async () => {
    const instance = await moved(finished(8));
    const corrupt = { ok: false, error: { kind: "corrupt" } };
    await store.beneath.put(keys.idPage(OWNER, 3), (await bodyOf(keys.idPage(OWNER, 1))) ?? "", {
      kind: "none",
    });
    expect(await node().turnOfMessage(instance, "x")).toMatchObject(corrupt);
    await store.beneath.delete(keys.idPage(OWNER, 3), { kind: "none" });
    expect(await node().turnOfMessage(instance, "x")).toMatchObject(corrupt);
  });
});

describe("reading history", () => {
  it("takes a missing, damaged or foreign segment for corrupt", async () => {
    const instance = await moved(finished(4));
    const corrupt = { ok: false, error: { kind: "corrupt" } };
    expect(await node().turn({ ...instance, incarnation: "life-2" }, 1)).toMatchObject(corrupt);
    await store.beneath.put(segment(3), (await bodyOf(segment(1))) ?? "", { kind: "none" });
    expect(await node().turn(instance, 4)).toMatchObject(corrupt);
    await store.beneath.delete(segment(1), { kind: "none" });
    expect(await node().turn(instance, 2)).toMatchObject(corrupt);
  });
});

describe("an erasure", () => {
  it("H3: takes every segment of a block, the first one last, also when one is damaged", async () => {
    for (const damaged of [false, true]) {
      const early = finished(3, 4);
      await node(100).follow(early);
      await node().follow(finished(4, 4));
      if (damaged) await store.beneath.put(segment(1), "damaged", { kind: "none" });
      const ports = {
        store,
        clock: new ManualClock(T0),
        ids: countedIds("id"),
        random: LOWEST,
        trace: SILENT,
      };
      const layout = { segment_turns: 4, page_turns: 4 };
      expect(await new Segments(ports, keys).erase(OWNER, layout, 0, 4)).toEqual({ ok: true, value: null });
      expect([await bodyOf(segment(1)), await bodyOf(segment(4))]).toEqual([null, null]);
    }
  });
});
