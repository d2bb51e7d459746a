/**
 * A store is let in when it is found sound, remembered, and asked again in part; refused when it is not, whatever a
 * record in it says. Risk: a store that lies is believed, or a sound one is probed at each start.
 */
import { describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { NO_CONDITION, type ObjectStore } from "../ports/object-store.ts";
import { ADMISSION_PREFIX, type Admission, admitStore } from "./store-admission.ts";

let openings = 0;

function admit(
  stores: Readonly<Record<string, ObjectStore>>,
  identity = "http://here bucket/",
): Promise<Admission> {
  const manners = Object.entries(stores).map(([name, store]) => ({ name, store }));
  // Another process each time, so it issues other ids.
  const ids = countedIds(`opening-${++openings}`);
  return admitStore({ manners, identity, clock: new ManualClock(0), ids });
}

/** The store without conditions, as many a test server. */
function lenient(inner: ObjectStore): ObjectStore {
  return {
    get: (key) => inner.get(key),
    put: (key, body) => inner.put(key, body, NO_CONDITION),
    delete: (key) => inner.delete(key, NO_CONDITION),
    list: (request) => inner.list(request),
  };
}

/** The store as one that never takes a write on an etag: its quotes are wrong. */
function misquoted(inner: ObjectStore): ObjectStore {
  return {
    get: (key) => inner.get(key),
    put: (key, body, condition) =>
      inner.put(key, body, condition.kind === "if-match" ? { kind: "if-match", etag: "?" } : condition),
    delete: (key, condition) => inner.delete(key, condition),
    list: (request) => inner.list(request),
  };
}

async function keysIn(store: ObjectStore): Promise<readonly string[]> {
  const page = await store.list({ prefix: "", cursor: null, limit: 100 });
  return page.kind === "ok" ? page.entries.map(({ key }) => key) : ["?"];
}

describe("a sound store", () => {
  it("is probed once, within 40 requests with the adapter's own, and remembered", async () => {
    const store = new MemoryStore();
    const first = await admit({ kept: store, stripped: store });
    expect(first).toMatchObject({
      kind: "admitted",
      manner: { name: "kept" },
      findings: { etags: "of-the-body" },
    });
    expect(first.requests).toBeLessThanOrEqual(39);
    expect(await keysIn(store)).toEqual([`${ADMISSION_PREFIX}record.json`]);
    const second = await admit({ kept: store, stripped: store });
    expect(second).toMatchObject({ kind: "admitted", manner: { name: "kept" }, findings: null, requests: 3 });
  });

  it("is spoken to in the first manner in which it takes a write on the current etag", async () => {
    const store = new MemoryStore();
    const both = { kept: misquoted(store), stripped: store };
    const first = await admit(both);
    expect(first).toMatchObject({ kind: "admitted", manner: { name: "stripped" } });
    expect(first.requests).toBeLessThanOrEqual(39);
    expect(await admit(both)).toMatchObject({ manner: { name: "stripped" }, findings: null });
    expect(await keysIn(store)).toEqual([`${ADMISSION_PREFIX}record.json`]);
  });

  it("is probed again at another address, and when its record is damaged or of a manner that is ruled out", async () => {
    const store = new MemoryStore();
    await admit({ kept: store });
    expect(await admit({ kept: store }, "http://there bucket/")).toMatchObject({
      findings: { etags: "of-the-body" },
    });
    expect(await admit({ stripped: store }, "http://there bucket/")).toMatchObject({ findings: {} });
    await store.put(`${ADMISSION_PREFIX}record.json`, "damaged", NO_CONDITION);
    expect(await admit({ stripped: store }, "http://there bucket/")).toMatchObject({ findings: {} });
  });
});

describe("an unsafe store", () => {
  it("is refused with the reasons, and not remembered", async () => {
    const store = lenient(new MemoryStore());
    const refused = await admit({ kept: store, stripped: store });
    expect(refused.kind).toBe("refused");
    if (refused.kind !== "refused") return;
    expect(refused.breaches.map(({ property }) => property)).toContain("create-once");
    expect(await keysIn(store)).toEqual([]);
  });

  it("is refused although a record in it, from the time when it was sound, says otherwise", async () => {
    const inner = new MemoryStore();
    await admit({ kept: inner });
    expect((await admit({ kept: lenient(inner) })).kind).toBe("refused");
  });

  it("is refused when it takes a write on the current etag in no manner", async () => {
    const store = misquoted(new MemoryStore());
    expect(await admit({ kept: store, stripped: store })).toMatchObject({
      kind: "refused",
      breaches: [{ property: "current-etag-taken", message: expect.stringMatching(/quotes/) }],
    });
    expect(await keysIn(store)).toEqual([]);
  });
});

it("tells why when the store does not answer", async () => {
  const inner = new MemoryStore();
  const silent: ObjectStore = {
    get: (key) => inner.get(key),
    put: async () => ({ kind: "unknown-outcome", detail: "the store answered 403 AccessDenied" }),
    delete: (key, condition) => inner.delete(key, condition),
    list: (request) => inner.list(request),
  };
  const admission = await admit({ kept: silent, stripped: silent });
  expect(admission).toMatchObject({ kind: "inconclusive", why: expect.stringMatching(/403 AccessDenied/) });
  expect(admission.requests).toBeLessThanOrEqual(15);
});
