/**
 * The scheduling index. Risk: an old entry over a newer one.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, LOWEST, ManualClock } from "../adapters/manual-ports.ts";
import { lostRequest, ScriptedStore } from "../adapters/scripted-store.ts";
import { SILENT } from "../ports/trace.ts";
import { T0 } from "../protocol/examples.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import { identityCodec, indexCodec } from "./codec.ts";
import type { StorePorts } from "./conditional-write.ts";
import { Keys } from "./keys.ts";
import { IndexObject } from "./scheduling-index.ts";

const keys = new Keys({ tenant: "t", graph: "g", epoch: 1 });
const codecs = { identity: identityCodec, index: indexCodec };

let store: ScriptedStore;
let index: IndexObject;
let ports: StorePorts;

beforeEach(() => {
  store = new ScriptedStore();
  ports = { store, clock: new ManualClock(T0), ids: countedIds("id"), random: LOWEST, trace: SILENT };
  index = new IndexObject(ports, keys, codecs);
});

async function bodyOf(key: string): Promise<string | null> {
  const got = await store.beneath.get(key);
  return got.kind === "ok" ? got.body : null;
}

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
