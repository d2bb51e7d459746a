/**
 * Risk: the embedded store breaks the port's contract, alone or beside other openings of the same directory.
 *
 * The contract runs in one store, each test below a root of its own: to make a store takes many waits for the disk.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeObjectStore, type StoreTraits } from "../../ports/object-store.contract.ts";
import { IF_ABSENT, ifMatch, NO_CONDITION, type ObjectStore } from "../../ports/object-store.ts";
import { type EmbeddedStore, openEmbeddedStore } from "./embedded-store.ts";

const TRAITS: StoreTraits = { etags: "opaque", onMissingKey: "not-found" };
const folder = mkdtempSync(join(tmpdir(), "baton-embedded-"));
const stores: EmbeddedStore[] = [];

async function open(): Promise<EmbeddedStore> {
  const opened = await openEmbeddedStore(join(folder, "deep", "store"));
  return opened.ok ? opened.value : expect.fail(opened.error.message);
}

beforeAll(async () => {
  stores.push(...(await Promise.all([open(), open()])));
});
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  rmSync(folder, { recursive: true });
});

/** What lies below a root; each request goes to the next store. */
function below(root: string, those: readonly ObjectStore[]): ObjectStore {
  let turn = 0;
  const next = () => those[turn++ % those.length] ?? expect.fail("a store");
  return {
    get: (key) => next().get(root + key),
    put: (key, body, condition) => next().put(root + key, body, condition),
    delete: (key, condition) => next().delete(root + key, condition),
    async list({ prefix, startAfter = null, ...rest }) {
      const from = startAfter === null ? null : root + startAfter;
      const page = await next().list({ ...rest, prefix: root + prefix, startAfter: from });
      if (page.kind !== "ok") return page;
      return {
        ...page,
        entries: page.entries.map(({ key, etag }) => ({ key: key.slice(root.length), etag })),
      };
    },
  };
}

let roots = 0;
for (const [name, used] of [
  ["embedded", 1],
  ["embedded, two openings in turn", 2],
] as const) {
  const openStore = async () => ({
    store: below(`${++roots}/`, stores.slice(0, used)),
    close: () => Promise.resolve(),
  });
  describeObjectStore(name, openStore, TRAITS);
}

/** The store that the tests share. */
function shared(): EmbeddedStore {
  return stores[0] ?? expect.fail("a store");
}

test("a write is read through every opening as soon as it is acknowledged (O5)", async () => {
  const [one = shared(), other = shared()] = stores;
  for (let n = 0; n < 50; n++) {
    expect(await one.put("seen", `${n}`, NO_CONDITION)).toMatchObject({ kind: "ok" });
    expect(await other.get("seen")).toMatchObject({ kind: "ok", body: `${n}` });
  }
});

test("the writes of one group take effect in the order they were asked for", async () => {
  const store = shared();
  const [made, again, replaced, gone, remade] = await Promise.all([
    store.put("order", "1", IF_ABSENT),
    store.put("order", "2", IF_ABSENT),
    store.put("order", "3", NO_CONDITION),
    store.delete("order", NO_CONDITION),
    store.put("order", "4", IF_ABSENT),
  ]);
  expect([made, again, replaced, gone, remade].map(({ kind }) => kind)).toEqual([
    "ok",
    "precondition-failed",
    "ok",
    "ok",
    "ok",
  ]);
  expect(await store.get("order")).toEqual({
    kind: "ok",
    body: "4",
    etag: remade.kind === "ok" && remade.etag,
  });
});

test("more writes at once than one group takes are all written", async () => {
  const keys = Array.from({ length: 1_300 }, (_, i) => `many/${String(i).padStart(4, "0")}`);
  const outcomes = await Promise.all(keys.map((key) => shared().put(key, key, IF_ABSENT)));
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(["ok"]));
  const page = await shared().list({ prefix: "many/", cursor: null, limit: 1_000 });
  expect(page).toMatchObject({ kind: "ok", next: keys[999] });
});

test("a key or a body may hold any text", async () => {
  for (const text of ["", "\u0000", "a\u0000b", "\u{10ffff}", "../..", "x".repeat(5_000)]) {
    const put = await shared().put(`any/${text}`, text, IF_ABSENT);
    expect(await shared().get(`any/${text}`)).toEqual({
      kind: "ok",
      body: text,
      etag: put.kind === "ok" && put.etag,
    });
  }
});

test("a closed store answers everything with an unknown outcome, and what was asked before is written", async () => {
  const store = await open();
  const asked = store.put("last", "words", IF_ABSENT);
  await store.close();
  await store.close();
  const etag = await asked;
  expect(etag).toMatchObject({ kind: "ok" });
  expect(await shared().get("last")).toMatchObject({ kind: "ok", body: "words" });
  const closed = { kind: "unknown-outcome", detail: "the store is closed" };
  expect(await store.get("last")).toEqual(closed);
  expect(await store.put("last", "more", NO_CONDITION)).toEqual(closed);
  expect(await store.delete("last", ifMatch("x"))).toEqual(closed);
  expect(await store.list({ prefix: "", cursor: null, limit: 1 })).toEqual(closed);
});
