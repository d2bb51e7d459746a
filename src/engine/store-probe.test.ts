/**
 * The probe takes a store that keeps the contract, names what a store that does not keep it lacks, needs few requests
 * and leaves nothing behind. Risk: an engine on a store that ignores conditions. The simulated stores are probed in
 * `scenarios/store-probe.test.ts`.
 */
import { describe, expect, it } from "vitest";
import { countedIds, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import {
  conflict,
  lostAnswer,
  lostRequest,
  pass,
  ScriptedStore,
  throttled,
} from "../adapters/scripted-store.ts";
import { NO_CONDITION, type ObjectStore, type PutCondition } from "../ports/object-store.ts";
import { BUDGET } from "./probe-bench.ts";
import { type ProbeReport, probeStore } from "./store-probe.ts";

function probe(store: ObjectStore): Promise<ProbeReport> {
  return probeStore({ store, clock: new ManualClock(0), ids: countedIds("p") }, "probe/");
}

async function keysIn(store: ObjectStore): Promise<readonly string[]> {
  const page = await store.list({ prefix: "", cursor: null, limit: 100 });
  return page.kind === "ok" ? page.entries.map(({ key }) => key) : ["?"];
}

/** A memory store whose methods are replaced. */
function bent(change: (inner: MemoryStore) => Partial<ObjectStore>): ObjectStore {
  const inner = new MemoryStore({ etags: "counter" });
  return {
    get: (key) => inner.get(key),
    put: (key, body, condition) => inner.put(key, body, condition),
    delete: (key, condition) => inner.delete(key, condition),
    list: (request) => inner.list(request),
    ...change(inner),
  };
}

async function breachesOf(store: ObjectStore): Promise<readonly string[]> {
  const report = await probe(store);
  return report.kind === "unsafe" ? report.breaches.map(({ property }) => property) : [report.kind];
}

describe("a sound store", () => {
  it.each([
    ["content-hash", "not-found", "of-the-body"],
    ["counter", "precondition-failed", "of-the-write"],
    ["opaque", "not-found", "of-the-write"],
  ] as const)(
    "is sound with %s etags, and the probe tells what it does",
    async (etags, onMissingKey, found) => {
      const store = new MemoryStore({ etags, onMissingKey });
      await store.put("other", "x", NO_CONDITION);
      const report = await probe(store);
      expect(report).toMatchObject({
        kind: "sound",
        findings: {
          etags: found,
          onMissingKey,
          deleteConditions: "checked",
          losersHear: ["precondition-failed"],
          listOrder: "ascending",
          repeatsKeys: false,
          throttlesWrites: false,
        },
      });
      expect(report.requests).toBeLessThanOrEqual(BUDGET);
      expect(await keysIn(store)).toEqual(["other"]);
    },
  );

  it("is sound although some of its answers are lost, refused for the moment or throttled", async () => {
    const store = new ScriptedStore();
    store.puts = [pass, lostAnswer, pass, pass, conflict];
    const report = await probe(store);
    expect(report.kind).toBe("sound");
    expect(report.requests).toBeLessThanOrEqual(BUDGET);
    expect(await keysIn(store.beneath)).toEqual([]);
  });

  it("is given its time once it has throttled a write", async () => {
    const store = new ScriptedStore();
    store.puts = [pass, pass, pass, throttled(null)];
    expect(await probe(store)).toMatchObject({ kind: "sound", findings: { throttlesWrites: true } });
  });
});

describe("a store that does not answer", () => {
  it("is neither sound nor unsafe, and is not asked for ever (P4)", async () => {
    const store = new ScriptedStore();
    store.puts = Array(100).fill(lostRequest);
    const report = await probe(store);
    expect(report).toMatchObject({ kind: "inconclusive" });
    expect(report.requests).toBeLessThanOrEqual(BUDGET);
  });
});

describe("an unsafe store", () => {
  const put = (inner: MemoryStore, change: (condition: PutCondition) => PutCondition) => ({
    put: (key: string, body: string, condition: PutCondition) => inner.put(key, body, change(condition)),
  });

  it("is told to ignore conditions", async () => {
    const breaches = await breachesOf(bent((inner) => put(inner, () => NO_CONDITION)));
    expect(breaches).toEqual(["missing-key-refused", "create-once", "stale-etag-refused", "one-winner"]);
  });

  it("is told to refuse the etag that it gave", async () => {
    const quoted = (condition: PutCondition): PutCondition =>
      condition.kind === "if-match" ? { ...condition, etag: `"${condition.etag}"` } : condition;
    expect(await breachesOf(bent((inner) => put(inner, quoted)))).toEqual(["current-etag-taken"]);
  });

  it("is told to apply what it refuses", async () => {
    const store = bent((inner) => ({
      put: async (key, body, condition) => {
        const outcome = await inner.put(key, body, condition);
        if (outcome.kind !== "ok") await inner.put(key, body, NO_CONDITION);
        return outcome;
      },
    }));
    expect(await breachesOf(store)).toContain("refused-means-unchanged");
  });

  it("is told to hide a write from the read that follows", async () => {
    const store = bent(() => ({ get: () => Promise.resolve({ kind: "not-found" }) }));
    expect(await breachesOf(store)).toEqual(["read-after-write"]);
  });

  it("is told to leave out keys of a listing, and is cleared all the same (P3)", async () => {
    let beneath: MemoryStore | null = null;
    const store = bent((inner) => {
      beneath = inner;
      return { list: async () => ({ kind: "ok", entries: [], next: null }) };
    });
    expect(await breachesOf(store)).toEqual(["listing-complete"]);
    expect(await keysIn(beneath ?? new MemoryStore())).toEqual([]);
  });
});
