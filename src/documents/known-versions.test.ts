/**
 * What a node remembers. Risk: an old version taken for the present one, memory without a bound, writes refused for ever.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../adapters/manual-ports.ts";
import { lostAnswer, ScriptedStore } from "../adapters/scripted-store.ts";
import { SILENT } from "../ports/trace.ts";
import { CALLER } from "./backoff.ts";
import type { Loaded } from "./conditional-write.ts";
import { conditionalWrite } from "./conditional-write.ts";
import { KnownVersions } from "./known-versions.ts";
import { adding, CLOSED, counted, MARKS_KEY, Marker, type Marks, marksCodec } from "./marks.ts";

let store: ScriptedStore;
let clock: ManualClock;
let other: Marker;
let memory: KnownVersions<Marks>;
let writes: number;
let asked: string[];

beforeEach(() => {
  store = new ScriptedStore();
  clock = new ManualClock(0);
  other = new Marker("other", store.beneath, clock);
  memory = new KnownVersions();
  writes = 0;
  asked = [];
});

const add = (mark: string) => {
  const ids = { next: () => `own-${++writes}` };
  const ports = { store: counted(store, asked), clock, ids, random: { below: () => 0 }, trace: SILENT };
  return conditionalWrite(ports, MARKS_KEY, marksCodec, CALLER, adding(mark), memory);
};
const marks = async () => (await other.read())?.value;
const requests = () => asked.join(" ");

describe("a write on a remembered version", () => {
  it("W6: goes out without a read, and answers as any other", async () => {
    await add("a");
    await add("b");
    expect(await marks()).toEqual(["a", "b"]);
    expect(requests()).toBe("get put put");
  });

  it("W6: is sent before its caller goes on, when nothing has to be waited for", async () => {
    await add("a");
    const added = add("b");
    expect(requests()).toBe("get put put");
    await added;
  });

  it("W6: reads before it answers or refuses", async () => {
    await add("a");
    await other.add("closed");
    expect(await add("a")).toMatchObject({ ok: true, value: { reply: "there", wrote: false } });
    expect(await add("b")).toEqual({ ok: false, error: CLOSED });
  });

  it("K1: is refused when another has written, and is decided again on what is there", async () => {
    await add("a");
    await other.add("o");
    expect(await add("b")).toMatchObject({ ok: true, value: { before: ["a", "o"] } });
    expect(await marks()).toEqual(["a", "o", "b"]);
    expect(clock.sleeps).toEqual([]);
  });

  it("W2: is found by its write id when its answer was lost", async () => {
    await add("a");
    store.puts = [lostAnswer];
    expect(await add("b")).toMatchObject({ ok: true, value: { reply: "added", wrote: true } });
    expect(await marks()).toEqual(["a", "b"]);
  });
});

const version = (sequence: number, etag = `e${sequence}`, value: Marks = []): Loaded<Marks> => ({
  stamp: { sequence, write_id: `w${sequence}`, lineage: [] },
  value,
  etag,
});

describe("what is remembered", () => {
  it("K2: an overtaken read brings no older version back", () => {
    memory.wrote("k", version(3), 1);
    memory.read("k", version(2), 1);
    expect(memory.recall("k")?.etag).toBe("e3");
  });

  it("K2: what is gone, or was refused, is forgotten", () => {
    memory.wrote("k", version(1), 1);
    memory.read("k", null, 0);
    expect(memory.recall("k")).toBeNull();
    memory.wrote("k", version(2), 1);
    memory.forget("k", false);
    expect(memory.recall("k")).toBeNull();
  });

  it("K3: after a refusal it reads first, until a read shows what was remembered", () => {
    memory.wrote("k", version(1), 1);
    memory.forget("k", true);
    memory.read("k", version(2), 1);
    expect(memory.recall("k")).toBeNull();
    memory.read("k", version(3), 1);
    expect(memory.recall("k")).toBeNull();
    memory.read("k", version(3), 1);
    expect(memory.recall("k")?.etag).toBe("e3");
  });

  it("K3: doubts one kind of document and not the other", () => {
    memory = new KnownVersions((value) => value.length);
    memory.wrote("k", version(1), 1);
    memory.forget("k", true);
    memory.wrote("k", version(2, "e2", ["held"]), 1);
    expect(memory.recall("k")?.etag).toBe("e2");
    memory.wrote("k", version(3), 1);
    expect(memory.recall("k")).toBeNull();
  });

  it("K4: is bounded by number and by size, the oldest going first", () => {
    for (let n = 0; n < 5_000; n++) memory.wrote(`k${n}`, version(1), 1);
    expect(memory.recall("k0")).toBeNull();
    expect(memory.recall("k4999")).not.toBeNull();
    memory.wrote("large", version(1), 40 * 1024 * 1024);
    expect(memory.recall("k4999")).toBeNull();
  });
});
