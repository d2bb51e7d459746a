/**
 * The scheduling index. Risk: an old entry over a newer one, an entry where nobody looks for it, work that is never told.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedIds, LOWEST, ManualClock } from "../adapters/manual-ports.ts";
import { followed, lostRequest, ScriptedStore } from "../adapters/scripted-store.ts";
import { SILENT } from "../ports/trace.ts";
import { T0 } from "../protocol/examples.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import { identityCodec, indexCodec } from "./codec.ts";
import type { StorePorts } from "./conditional-write.ts";
import { Keys } from "./keys.ts";
import { IndexObject, shardOf } from "./scheduling-index.ts";

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

  it("X12: a read that an own write overtakes does not bring back what was there before", async () => {
    await index.mend(new Map([["a", entry(1)]]));
    store.gets = [followed(() => index.mend(new Map([["a", entry(2, RUNNING)]])))];
    expect(await index.read()).toEqual({ ok: true, value: new Map([["a", entry(2, RUNNING)]]) });
    expect(index.storedEntry("a")).toEqual(entry(2, RUNNING));
  });

  it("X12: a read that found nothing does not hide what was created meanwhile", async () => {
    store.gets = [followed(() => index.mend(new Map([["a", entry(1)]])))];
    expect(await index.read()).toEqual({ ok: true, value: new Map([["a", entry(1)]]) });
  });

  it("X12: a write that is answered late does not hide what was read meanwhile", async () => {
    await index.mend(new Map([["a", entry(1)]]));
    const other = new IndexObject({ ...ports, store: store.beneath }, keys, codecs);
    const meanwhile = async () => {
      await other.mend(new Map([["a", entry(3)]]));
      await index.read();
    };
    store.puts = [followed(meanwhile)];
    await index.mend(new Map([["a", entry(2, RUNNING)]]));
    expect(index.storedEntry("a")).toEqual(entry(3));
  });

  it("X12: an index that was made again is seen by the next read, though its numbers are lower", async () => {
    for (const sequence of [1, 2, 3])
      await index.mend(new Map([["a", entry(sequence, { ready_at_ms: sequence })]]));
    await store.beneath.delete(keys.index, { kind: "none" });
    expect(await index.read()).toEqual({ ok: true, value: new Map() });
  });

  it("W5: a damaged index is corrupt and is left alone", async () => {
    await store.beneath.put(keys.index, "{", { kind: "none" });
    const corrupt = { ok: false, error: { kind: "corrupt" } };
    expect(await index.read()).toMatchObject(corrupt);
    expect(await index.mend(new Map([["a", entry(1)]]))).toMatchObject(corrupt);
    expect(await bodyOf(keys.index)).toBe("{");
  });
});

describe("an index in shards", () => {
  const ids = Array.from({ length: 40 }, (_, n) => `i-${n}`);
  const all = new Map(ids.map((id) => [id, entry(1)]));
  const cut = (shards: number, defers = false) =>
    new IndexObject(ports, keys, codecs, undefined, { shards, defers });

  it("X9: has each entry in the shard of its id, and one write for each shard of a mend", async () => {
    expect(await cut(4).mend(all)).toMatchObject({ ok: true, value: { changed: 40 } });
    const written = [0, 1, 2, 3].map((shard) => keys.indexShard(shard, 4));
    expect(store.putKeys.toSorted()).toEqual(written);
    for (const [shard, key] of written.entries()) {
      const decoded = indexCodec.decode((await bodyOf(key)) ?? "");
      const there = decoded.ok ? [...decoded.value.value.entries.keys()] : [];
      expect(there).toEqual(ids.filter((id) => shardOf(id, 4) === shard));
      expect(there.length).toBeGreaterThan(4);
    }
    const read = await cut(4).read();
    expect(read.ok && [...read.value.keys()].toSorted()).toEqual(ids.toSorted());
  });

  it.each([false, true])(
    "X10: takes over what an older version left in one object (deferred: %s)",
    async (defers) => {
      await index.mend(all);
      const before = await bodyOf(keys.index);
      const now = cut(4, defers);
      const read = await now.read();
      expect(read.ok && read.value.size).toBe(40);
      await now.flush();
      expect(await bodyOf(keys.index)).toBe(before);
      const others = await cut(4).read();
      expect(others.ok && others.value.get("i-7")).toEqual(entry(1));
    },
  );

  it("X10: what is taken over gives way to what the shards say already", async () => {
    await index.mend(all);
    await cut(4).mend(new Map([["i-7", entry(3, RUNNING)]]));
    const read = await cut(4).read();
    expect(read.ok && read.value.get("i-7")).toEqual(entry(3, RUNNING));
  });

  it("X11: a damaged shard hides the others from nobody who looks for work, and is told to who asks for all", async () => {
    await cut(4).mend(all);
    await store.beneath.put(keys.indexShard(shardOf("i-7", 4), 4), "{", { kind: "none" });
    const now = cut(4);
    const found = await now.refresh(0);
    expect(found.ok && found.value.size).toBe(
      ids.filter((id) => shardOf(id, 4) !== shardOf("i-7", 4)).length,
    );
    expect(await now.read()).toMatchObject({ ok: false, error: { kind: "corrupt" } });
    expect(await now.read(ids.filter((id) => shardOf(id, 4) === 0))).toMatchObject({
      ok: shardOf("i-7", 4) !== 0,
    });
  });

  it("X8: reads a shard that stays the same once in six polls, and one that changes in each", async () => {
    const clock = new ManualClock(T0);
    ports = { ...ports, clock };
    await cut(4).mend(all);
    const now = cut(4);
    const asked: string[] = [];
    ports.store.get = ((get) => (key: string) => {
      asked.push(key);
      return get.call(store, key);
    })(store.get);
    const polls = async (times: number) => {
      asked.length = 0;
      for (let n = 1; n <= times; n++) {
        clock.pass(1_000);
        await new IndexObject({ ...ports, store: store.beneath }, keys, codecs, undefined, {
          shards: 4,
          defers: false,
        }).mend(new Map([["i-7", entry(100 + clock.monotonicMs(), { ready_at_ms: n })]]));
        await now.refresh(1_000);
      }
      return asked;
    };
    await polls(16);
    const reads = await polls(24);
    const own = keys.indexShard(shardOf("i-7", 4), 4);
    expect(reads.filter((key) => key === own).length).toBe(24);
    expect(reads.filter((key) => key !== own).length).toBe(3 * 4);
  });
});
