/**
 * Without faults the simulated store keeps the port's contract in every sound profile, and its record tells the whole
 * truth: who sent what, when the store acted, what the sender heard.
 */
import { describe, expect, it } from "vitest";
import { describeObjectStore, type StoreTraits } from "../../src/ports/object-store.contract.ts";
import { IF_ABSENT, ifMatch, NO_CONDITION } from "../../src/ports/object-store.ts";
import { SOUND_PROFILES } from "./profiles/index.ts";
import { HARNESS } from "./simulated-store.ts";
import { drivenStore, openBench } from "./store-bench.ts";

for (const profile of SOUND_PROFILES) {
  const traits: StoreTraits = {
    etags: profile.etags,
    onMissingKey: profile.onMissingKey,
    deleteConditions: profile.deleteConditions,
    listOrder: profile.listOrder,
  };
  // The suite writes faster than some stores allow; that they throttle is a test of its own.
  const unlimited = { ...profile, writesPerSecond: null };
  describeObjectStore(`simulated ${profile.name}`, () => drivenStore(unlimited), traits);
}

describe("the record of a simulated store", () => {
  it("holds every operation with its times, its verdict and what the sender heard", async () => {
    const bench = await openBench({ "store-request-ms": 3, "store-answer-ms": 2 });
    const a = bench.client("a");
    await bench.ask(() => a.get("k"));
    await bench.ask(() => a.put("k", "one", IF_ABSENT));
    await bench.ask(() => a.put("k", "two", IF_ABSENT));
    const [get, put, refused] = bench.store.operations;
    expect(get).toMatchObject({
      id: 1,
      kind: "get",
      key: "k",
      verdict: "absent",
      outcome: { kind: "not-found" },
    });
    expect(put).toEqual({
      id: 2,
      process: "a",
      incarnation: 1,
      kind: "put",
      key: "k",
      condition: IF_ABSENT,
      body: "one",
      sentAtMs: put?.sentAtMs,
      appliedAtMs: (put?.sentAtMs ?? 0) + 3,
      verdict: "applied",
      version: 0,
      answeredAtMs: (put?.sentAtMs ?? 0) + 6,
      outcome: { kind: "ok", etag: "g1" },
      faults: [],
    });
    expect(refused).toMatchObject({ id: 3, verdict: "precondition-failed", version: null });
    expect(bench.store.operationCount).toBe(3);
  });

  it("holds the whole chain of a key, deletions included, each with its operation", async () => {
    const bench = await openBench();
    const a = bench.client("a");
    await bench.ask(() => a.put("k", "one", IF_ABSENT));
    await bench.ask(() => a.put("k", "two", ifMatch("g1")));
    await bench.ask(() => a.delete("k", NO_CONDITION));
    await bench.ask(() => a.delete("k", NO_CONDITION));
    await bench.ask(() => a.put("k", "one", IF_ABSENT));
    const chain = bench.store.chains.get("k") ?? [];
    expect(chain.map(({ index, body, etag }) => [index, body, etag])).toEqual([
      [0, "one", "g1"],
      [1, "two", "g2"],
      [2, null, ""],
      [3, "one", "g4"],
    ]);
    expect(chain.map(({ operation }) => operation.version)).toEqual([0, 1, 2, 3]);
    expect(bench.store.operations.map(({ verdict }) => verdict)).toEqual([
      "applied",
      "applied",
      "applied",
      "absent",
      "applied",
    ]);
  });

  it("names the version that a read saw", async () => {
    const bench = await openBench();
    await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT));
    await bench.ask(() => bench.client("a").put("k", "two", NO_CONDITION));
    await bench.ask(() => bench.client("a").get("k"));
    expect(bench.last()).toMatchObject({ verdict: "served", version: 1 });
  });

  it("shows the current version of a key, null when it is gone", async () => {
    const bench = await openBench();
    expect(bench.store.object("k")).toBeNull();
    await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT));
    expect(bench.store.object("k")).toMatchObject({ body: "one", index: 0 });
    await bench.ask(() => bench.client("a").delete("k", NO_CONDITION));
    expect(bench.store.object("k")).toBeNull();
  });

  it("takes a planted body as it is, in the name of the harness", async () => {
    const bench = await openBench();
    await bench.ask(() => bench.client("a").put("k", "{}", IF_ABSENT));
    bench.store.plant("k", "{ not json");
    expect(await bench.ask(() => bench.client("a").get("k"))).toMatchObject({
      kind: "ok",
      body: "{ not json",
    });
    expect(bench.store.object("k")?.operation.process).toBe(HARNESS);
  });
});

describe("choices of a simulated store", () => {
  it("takes the least time and has no fault when every draw is zero", async () => {
    const bench = await openBench();
    expect(await bench.ask(() => bench.client("a").put("k", "one", IF_ABSENT))).toMatchObject({ kind: "ok" });
    const { sentAtMs, appliedAtMs, answeredAtMs, faults } = bench.last();
    expect([appliedAtMs, answeredAtMs, faults]).toEqual([sentAtMs, sentAtMs + 1, []]);
  });

  it("draws twice for a request without a fault", async () => {
    const bench = await openBench();
    await bench.ask(() => bench.client("a").get("k"));
    expect(bench.storeDraws().map(({ label }) => label)).toEqual(["store-request-ms", "store-answer-ms"]);
  });

  it("applies a request that its sender sent before it crashed, and sends nothing afterwards", async () => {
    const bench = await openBench({ "store-request-ms": 3 });
    const a = bench.client("a");
    await bench.ask(() => a.put("k", "one", IF_ABSENT), bench.now() + 1);
    bench.crash("a");
    expect(await bench.ask(() => a.put("k", "two", NO_CONDITION))).toBe("no answer yet");
    expect(bench.bodies("k")).toEqual(["one"]);
    expect(bench.store.operationCount).toBe(1);
  });
});
