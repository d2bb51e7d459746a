/**
 * The semantics of the object-store port as one suite that every store runs: memory, simulated, and remote ones.
 *
 * `open` answers an empty store; a store with a shared bucket makes it empty with a fresh root prefix. The store
 * must be free of faults: an answer that leaves the outcome open fails a test, except in the races, where a
 * store with `uncertainRaces` may answer so to a loser.
 *
 * Each title names the rule of the port's header (O1 to O6) that it holds the store to. O3 (a write without an
 * outcome may land later) permits and does not demand, so nothing here tests it.
 * Not covered: durability over a restart, bodies above 1 MiB, listing while keys change.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compareKeys } from "../std/sorted-keys.ts";
import {
  type Etag,
  type GetOutcome,
  IF_ABSENT,
  ifMatch,
  type ListCursor,
  type ListEntry,
  NO_CONDITION,
  type ObjectStore,
  type PutCondition,
  type PutOutcome,
} from "./object-store.ts";
import type { EtagMode, MissingKeyAnswer } from "./semantics.ts";

/** Where stores may differ. What is left out is not tested, or either way is allowed. */
export interface StoreTraits {
  readonly etags?: EtagMode;
  /** The answer to an `if-match` on a key that is not there. */
  readonly onMissingKey?: MissingKeyAnswer;
  /** `ignored`: a delete takes place whatever its condition says (Ceph). Default: `checked`. */
  readonly deleteConditions?: "checked" | "ignored";
  /** `none`: a listing shows its keys in any order (S3 Express). Default: `ascending`, by their UTF-8 bytes. */
  readonly listOrder?: "ascending" | "none";
  /** Losers of a race may be told `unknown-outcome` or `throttled`. Default: false. */
  readonly uncertainRaces?: boolean;
}

export interface OpenStore {
  readonly store: ObjectStore;
  close(): Promise<void>;
}

/** The store of the running test, and shorthands that fail the test on an unexpected answer. */
interface Bench {
  readonly traits: StoreTraits;
  store(): ObjectStore;
  /** Writes and expects `ok`. */
  write(key: string, body: string, condition?: PutCondition): Promise<Etag>;
  remove(key: string): Promise<void>;
  read(key: string): Promise<GetOutcome>;
  /** Every key that a listing shows, page by page; sorted when the store promises no order. Pages keep the limit. */
  keys(prefix: string, limit?: number, startAfter?: string | null): Promise<readonly string[]>;
  entries(prefix: string): Promise<readonly ListEntry[]>;
}

const RACERS = 20;
const NEVER_ISSUED = "0123456789abcdef0123456789abcdef";

/** Declares the suite under `name`. */
export function describeObjectStore(
  name: string,
  open: () => Promise<OpenStore>,
  traits: StoreTraits = {},
): void {
  describe(`object store contract: ${name}`, () => {
    let opened: OpenStore | null = null;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened?.close();
      opened = null;
    });
    const bench = benchOf(() => {
      if (opened === null) throw new Error("the store is not open");
      return opened.store;
    }, traits);
    describe("create", () => testCreate(bench));
    describe("replace", () => testReplace(bench));
    describe("delete", () => testDelete(bench));
    describe("bodies and etags", () => testBodies(bench));
    describe("list", () => testList(bench));
    describe("list order", () => testListOrder(bench));
    describe("start-after", () => testStartAfter(bench));
    describe("races", () => testRaces(bench));
  });
}

function benchOf(store: () => ObjectStore, traits: StoreTraits): Bench {
  const list = async (
    prefix: string,
    limit: number,
    startAfter: string | null = null,
  ): Promise<readonly ListEntry[]> => {
    const entries: ListEntry[] = [];
    let cursor: ListCursor | null = null;
    do {
      const page = await store().list({ prefix, startAfter, cursor, limit });
      if (page.kind !== "ok") return expect.fail(`list answered ${page.kind}`);
      expect(page.entries.length).toBeLessThanOrEqual(limit);
      entries.push(...page.entries);
      cursor = page.next;
    } while (cursor !== null);
    return entries;
  };
  return {
    traits,
    store,
    async write(key, body, condition = NO_CONDITION) {
      const outcome = await store().put(key, body, condition);
      if (outcome.kind !== "ok") return expect.fail(`put ${key} answered ${outcome.kind}`);
      return outcome.etag;
    },
    async remove(key) {
      expect(await store().delete(key, NO_CONDITION)).toEqual({ kind: "ok" });
    },
    read: (key) => store().get(key),
    async keys(prefix, limit = 1000, startAfter = null) {
      const found = (await list(prefix, limit, startAfter)).map((entry) => entry.key);
      return traits.listOrder === "none" ? found.sort(compareKeys) : found;
    },
    entries: (prefix) => list(prefix, 1000),
  };
}

function testCreate({ store, write, remove, read }: Bench): void {
  it("answers not-found to a get of a key that was never written", async () => {
    expect(await read("k")).toEqual({ kind: "not-found" });
  });

  it("creates an absent key once and returns the etag that a get shows (O1, O5)", async () => {
    const etag = await write("k", "one", IF_ABSENT);
    expect(await read("k")).toEqual({ kind: "ok", body: "one", etag });
  });

  it("refuses a second create and leaves the first body (O2)", async () => {
    const etag = await write("k", "one", IF_ABSENT);
    expect(await store().put("k", "two", IF_ABSENT)).toEqual({ kind: "precondition-failed" });
    expect(await read("k")).toEqual({ kind: "ok", body: "one", etag });
  });

  it("refuses a second create with the very same body, too (O2)", async () => {
    await write("k", "one", IF_ABSENT);
    expect(await store().put("k", "one", IF_ABSENT)).toEqual({ kind: "precondition-failed" });
  });

  it("creates again after a delete (O4)", async () => {
    await write("k", "one", IF_ABSENT);
    await remove("k");
    const etag = await write("k", "two", IF_ABSENT);
    expect(await read("k")).toEqual({ kind: "ok", body: "two", etag });
  });

  it("creates an absent key without a condition", async () => {
    const etag = await write("k", "one");
    expect(await read("k")).toEqual({ kind: "ok", body: "one", etag });
  });

  it("keeps keys apart that differ only in case, a trailing slash or a dot segment", async () => {
    const keys = ["a/k", "a/K", "a/k/", "a//k", "a/./k", "a/../k", "a/k ", "a/k%20"];
    for (const key of keys) await write(key, `body of ${key}`, IF_ABSENT);
    for (const key of keys) expect(await read(key)).toMatchObject({ kind: "ok", body: `body of ${key}` });
  });
}

function testReplace({ store, write, remove, read, entries, traits }: Bench): void {
  it("replaces under the current etag and returns the new one (O1, O5)", async () => {
    const first = await write("k", "one");
    const second = await write("k", "two", ifMatch(first));
    expect(second).not.toBe(first);
    expect(await read("k")).toEqual({ kind: "ok", body: "two", etag: second });
  });

  it("takes the etag of a get as the condition of a put", async () => {
    await write("k", "one");
    const seen = await read("k");
    if (seen.kind !== "ok") return expect.fail(seen.kind);
    await write("k", "two", ifMatch(seen.etag));
    expect(await read("k")).toMatchObject({ body: "two" });
  });

  it("refuses a stale etag and leaves the current body (O2)", async () => {
    const first = await write("k", "one");
    const second = await write("k", "two", ifMatch(first));
    expect(await store().put("k", "three", ifMatch(first))).toEqual({ kind: "precondition-failed" });
    expect(await read("k")).toEqual({ kind: "ok", body: "two", etag: second });
  });

  it("refuses an etag that it never issued (O2)", async () => {
    await write("k", "one");
    expect(await store().put("k", "two", ifMatch(NEVER_ISSUED))).toEqual({ kind: "precondition-failed" });
    expect(await read("k")).toMatchObject({ body: "one" });
  });

  it("refuses the etag of another key (O2)", async () => {
    await write("k", "one");
    const other = await write("other", "something else");
    expect(await store().put("k", "two", ifMatch(other))).toEqual({ kind: "precondition-failed" });
    expect(await read("k")).toMatchObject({ body: "one" });
  });

  it("never creates a key by if-match (O2)", async () => {
    const outcome = await store().put("k", "one", ifMatch(NEVER_ISSUED));
    expectMissingKey(outcome.kind, traits);
    expect(await read("k")).toEqual({ kind: "not-found" });
  });

  it("never brings a deleted key back by if-match (O2)", async () => {
    const etag = await write("k", "one");
    await remove("k");
    expectMissingKey((await store().put("k", "two", ifMatch(etag))).kind, traits);
    expect(await read("k")).toEqual({ kind: "not-found" });
    expect(await entries("")).toEqual([]);
  });

  it("overwrites without a condition, whatever is there (O1)", async () => {
    await write("k", "one");
    const second = await write("k", "two");
    expect(await read("k")).toEqual({ kind: "ok", body: "two", etag: second });
  });

  it("shows every write of a long chain to the read that follows it (O5)", async () => {
    let etag = await write("k", "0", IF_ABSENT);
    for (let i = 1; i <= 20; i++) {
      etag = await write("k", `${i}`, ifMatch(etag));
      expect(await read("k")).toEqual({ kind: "ok", body: `${i}`, etag });
    }
  });
}

function expectMissingKey(kind: string, traits: StoreTraits): void {
  expect(traits.onMissingKey === undefined ? MISSING_KEY_ANSWERS : [traits.onMissingKey]).toContain(kind);
}
const MISSING_KEY_ANSWERS = ["not-found", "precondition-failed"];

function testDelete({ store, write, remove, read, entries, keys, traits }: Bench): void {
  it("deletes, and a later get says not-found (O5)", async () => {
    await write("k", "one");
    await remove("k");
    expect(await read("k")).toEqual({ kind: "not-found" });
    expect(await entries("")).toEqual([]);
  });

  it("answers ok to a delete of a key that is not there", async () => {
    await remove("k");
    await write("k", "one");
    await remove("k");
    await remove("k");
    expect(await read("k")).toEqual({ kind: "not-found" });
  });

  it("deletes no other key", async () => {
    for (const key of ["k", "k/", "k/a", "ka"]) await write(key, key);
    await remove("k");
    expect(await keys("")).toEqual(["k/", "k/a", "ka"]);
  });

  it("deletes under the current etag", async () => {
    const etag = await write("k", "one");
    expect(await store().delete("k", ifMatch(etag))).toEqual({ kind: "ok" });
    expect(await read("k")).toEqual({ kind: "not-found" });
  });

  it.runIf(traits.deleteConditions !== "ignored")("refuses a delete under a stale etag (O2)", async () => {
    const first = await write("k", "one");
    await write("k", "two");
    expect(await store().delete("k", ifMatch(first))).toEqual({ kind: "precondition-failed" });
    expect(await read("k")).toMatchObject({ kind: "ok", body: "two" });
  });

  it.runIf(traits.deleteConditions !== "ignored")("finds nothing to delete by if-match (O2)", async () => {
    expectMissingKey((await store().delete("k", ifMatch(NEVER_ISSUED))).kind, traits);
  });
}

function testBodies({ write, remove, read, entries, traits }: Bench): void {
  it.each([
    ["empty", ""],
    ["one mebibyte", "0123456789abcdef".repeat(65_536)],
    ["non-ASCII", "héllo wörld – ± ∑ 漢字 かな 🜁🜂 \u{10ffff} \ufeff e\u0301"],
    ["control characters and line ends", "a\r\nb\nc\rd\te\u0000f\u001f\u2028\u2029"],
    ["JSON", '{"format":"x","n":1.5,"text":"\\u0000"}'],
  ])("returns a body unchanged: %s (O1)", async (_name, body) => {
    const etag = await write("k", body, IF_ABSENT);
    expect(await read("k")).toEqual({ kind: "ok", body, etag });
  });

  it.runIf(traits.etags === "content-hash")(
    "gives equal bodies equal etags, over keys and time",
    async () => {
      const first = await write("k", "A");
      expect(await write("other", "A")).toBe(first);
      expect(await write("k", "B")).not.toBe(first);
      expect(await write("k", "A")).toBe(first);
      await remove("k");
      expect(await write("k", "A", IF_ABSENT)).toBe(first);
    },
  );

  it.runIf(traits.etags === "counter" || traits.etags === "opaque")(
    "never issues an etag twice, not even for an equal body",
    async () => {
      const etags = [
        await write("k", "A"),
        await write("other", "A"),
        await write("k", "B"),
        await write("k", "A"),
      ];
      await remove("k");
      etags.push(await write("k", "A", IF_ABSENT));
      expect(new Set(etags).size).toBe(etags.length);
    },
  );

  it("gives different bodies of one key different etags (O1)", async () => {
    const etags = new Set<Etag>();
    for (let i = 0; i < 50; i++) etags.add(await write("k", `body ${i}`));
    expect(etags.size).toBe(50);
  });

  it("lists the same etags that gets show", async () => {
    for (const key of ["a", "b", "c"]) await write(key, `body of ${key}`);
    await write("b", "again");
    const listed = await entries("");
    expect(listed).toHaveLength(3);
    for (const { key, etag } of listed) expect(await read(key)).toMatchObject({ kind: "ok", etag });
  });
}

function testList({ write, remove, keys }: Bench): void {
  it("lists nothing in an empty store", async () => {
    expect(await keys("")).toEqual([]);
  });

  it("lists only keys with the prefix, and the key equal to it (O6)", async () => {
    for (const key of ["a", "a/1", "a/2", "ab", "b/a/1"]) await write(key, "x");
    expect(await keys("a")).toEqual(["a", "a/1", "a/2", "ab"]);
    expect(await keys("a/")).toEqual(["a/1", "a/2"]);
    expect(await keys("a/3")).toEqual([]);
    expect(await keys("")).toEqual(["a", "a/1", "a/2", "ab", "b/a/1"]);
  });

  it("shows all keys and no other with pages of any size (O6)", async () => {
    for (const key of ["p/1", "p/2", "p/3", "p/4", "q"]) await write(key, "x");
    for (const limit of [1, 2, 3, 4, 5])
      expect(await keys("p/", limit)).toEqual(["p/1", "p/2", "p/3", "p/4"]);
  });

  it("shows each of many keys once, page by page, while nothing changes (O6)", async () => {
    const written = Array.from({ length: 57 }, (_, i) => `walk/${String(i).padStart(3, "0")}`);
    for (const key of written.toReversed()) await write(key, "x");
    expect(await keys("walk/", 10)).toEqual(written);
  });

  it("shows a create and a delete to the list that follows", async () => {
    await write("a", "x");
    await write("b", "x");
    await remove("a");
    expect(await keys("")).toEqual(["b"]);
    await write("a", "x");
    expect(await keys("")).toEqual(["a", "b"]);
  });
}

/** Ascending in UTF-8 bytes. UTF-16 order would put the last one before the private-use and full-width ones. */
const IN_ORDER = [
  "a",
  "a-b",
  "a.b",
  "a/",
  "a/b",
  "a0",
  "aB",
  "a_b",
  "ab",
  "aé",
  "a漢",
  "a\ue000",
  "aｂ",
  "a🜁",
];

function testListOrder({ write, keys, traits }: Bench): void {
  it.runIf(traits.listOrder !== "none")(
    "orders keys by their UTF-8 bytes where it promises an order",
    async () => {
      for (const key of IN_ORDER.toReversed()) await write(key, "x");
      expect(await keys("a")).toEqual(IN_ORDER);
      expect(await keys("a", 3)).toEqual(IN_ORDER);
    },
  );

  it("goes on behind any key of a listing (O6)", async () => {
    for (const key of IN_ORDER) await write(key, "x");
    expect((await keys("a", 1)).toSorted(compareKeys)).toEqual(IN_ORDER);
  });
}

function testStartAfter({ write, keys }: Bench): void {
  it("starts strictly after a key, whether it is there or not, page by page (O6)", async () => {
    for (const key of IN_ORDER) await write(key, "x");
    for (const [at, key] of IN_ORDER.entries()) {
      const following = IN_ORDER.slice(at + 1);
      expect((await keys("a", 2, key)).toSorted(compareKeys)).toEqual(following);
      expect((await keys("a", 1000, `${key}\u0000`)).toSorted(compareKeys)).toEqual(following);
    }
    expect((await keys("a", 2, "A")).toSorted(compareKeys)).toEqual(IN_ORDER);
    expect(await keys("a", 2, "b")).toEqual([]);
  });
}

function testRaces({ store, write, read, traits }: Bench): void {
  const refusals = ["precondition-failed", "conflict"];
  if (traits.uncertainRaces === true) refusals.push("unknown-outcome", "throttled");

  /** Puts at the same time: one winner, whose body stands. */
  async function race(condition: PutCondition): Promise<void> {
    const bodies = Array.from({ length: RACERS }, (_, i) => `racer ${i}`);
    const outcomes = await Promise.all(bodies.map((body) => store().put("k", body, condition)));
    const winners = outcomes.flatMap((outcome, i) =>
      outcome.kind === "ok" ? [{ i, etag: outcome.etag }] : [],
    );
    const losers = outcomes.filter((outcome: PutOutcome) => outcome.kind !== "ok");
    expect(winners).toHaveLength(1);
    for (const loser of losers) expect(refusals).toContain(loser.kind);
    expect(await read("k")).toEqual({ kind: "ok", body: `racer ${winners[0]?.i}`, etag: winners[0]?.etag });
  }

  it("lets exactly one of 20 concurrent creates win (O2, O4)", async () => {
    await race(IF_ABSENT);
  });

  it("lets exactly one of 20 concurrent replacements of one etag win (O2, O4)", async () => {
    await race(ifMatch(await write("k", "before")));
  });

  it("loses no increment of a counter that 5 writers raise by compare and swap (O4)", async () => {
    await write("k", "0");
    const raise = async () => {
      for (let done = false; !done; ) {
        const seen = await read("k");
        if (seen.kind !== "ok") return expect.fail(seen.kind);
        const outcome = await store().put("k", `${Number(seen.body) + 1}`, ifMatch(seen.etag));
        done = outcome.kind === "ok";
        if (!done && outcome.kind !== "precondition-failed") expect(refusals).toContain(outcome.kind);
      }
    };
    await Promise.all(Array.from({ length: 5 }, raise));
    expect(await read("k")).toMatchObject({ body: "5" });
  });
}
