/**
 * The injector draws once for each decision, calls nothing a fault at draw 0, and counts what took effect.
 * Risk: faults that never strike, or that change the meaning of other draws.
 */
import { describe, expect, it } from "vitest";
import { IF_ABSENT, ifMatch, NO_CONDITION, type ObjectStore } from "../../src/ports/object-store.ts";
import { FAULT_KINDS, type FaultKind, type StoreOperation } from "../history/history.ts";
import { ScriptSource, SeedSource, World } from "../kernel/index.ts";
import { ProcessFaults } from "../runner/process-faults.ts";
import { AWS_S3, SimulatedStore } from "../store/index.ts";
import { FaultInjector } from "./injector.ts";
import { type FaultPlan, NO_FAULTS, STANDARD_FAULTS } from "./plan.ts";

/** An injector under the plan whose draws are these. */
function scripted(plan: FaultPlan, values: readonly number[]): { injector: FaultInjector; drawn: string[] } {
  const source = new ScriptSource(values);
  const drawn: string[] = [];
  const choose = (n: number, label: string) => {
    drawn.push(`${label} of ${n}`);
    return source.choose(n, label);
  };
  return { injector: new FaultInjector(plan, { choose }, () => 0), drawn };
}

/** A request of node-1, by default to a key of its own. */
function request(kind: StoreOperation["kind"], key = "k", process = "node-1"): StoreOperation {
  return {
    id: 1,
    process,
    incarnation: 1,
    kind,
    key,
    condition: null,
    body: null,
    sentAtMs: 0,
    appliedAtMs: null,
    verdict: null,
    version: null,
    answeredAtMs: null,
    outcome: null,
    faults: [],
  };
}

const total = (injector: FaultInjector) => Object.values(injector.counts).reduce((sum, n) => sum + n, 0);

describe("store faults", () => {
  const plan: FaultPlan = {
    ...NO_FAULTS,
    rates: { "F01-lost-answer": 2, "F03-late-write": 1, "F05-conflict-409": 3 },
  };

  it("divide the top of one draw between the kinds that are on", () => {
    const faultAt = (value: number) => scripted(plan, [value]).injector.storeFault(request("put"), true);
    expect([0, 1, 500, 993].map(faultAt)).toEqual([null, null, null, null]);
    expect([994, 995, 996].map(faultAt)).toEqual(Array(3).fill("F05-conflict-409"));
    expect(faultAt(997)).toBe("F03-late-write");
    expect([998, 999].map(faultAt)).toEqual(Array(2).fill("F01-lost-answer"));
  });

  it("take one draw whatever the request, and none when off, healed or not planned", () => {
    const { injector, drawn } = scripted(plan, []);
    injector.storeFault(request("put"), true);
    injector.storeFault(request("get"), false);
    injector.hopFault("node-1");
    injector.skew();
    injector.enabled = false;
    injector.storeFault(request("put"), true);
    expect(drawn).toEqual(["store-fault of 1000", "store-fault of 1000"]);
  });

  it("strike only requests to which they apply", () => {
    const strike = (value: number, kind: "get" | "put" | "delete" | "list", conditional: boolean) =>
      scripted(plan, [value]).injector.storeFault(request(kind), conditional);
    expect([strike(997, "get", false), strike(997, "list", false)]).toEqual([null, null]);
    expect([strike(997, "put", false), strike(997, "delete", true)]).toEqual(Array(2).fill("F03-late-write"));
    expect([strike(995, "get", false), strike(995, "put", false)]).toEqual([null, null]);
    expect(strike(995, "delete", true)).toBe("F05-conflict-409");
    expect(strike(999, "list", false)).toBe("F01-lost-answer");
  });

  it("leave the value 0 free, so rates reach 999 in all and no more", () => {
    const full: FaultPlan = { ...NO_FAULTS, rates: { "F02-lost-request": 999 } };
    expect(scripted(full, [0]).injector.storeFault(request("put"), true)).toBeNull();
    expect(scripted(full, [1]).injector.storeFault(request("put"), true)).toBe("F02-lost-request");
    const over: FaultPlan = { ...NO_FAULTS, rates: { "F01-lost-answer": 500, "F02-lost-request": 500 } };
    expect(() => scripted(over, [])).toThrow("below 1000");
  });

  it("are not counted when they are decided, only when they strike", () => {
    const { injector } = scripted(plan, [999]);
    injector.storeFault(request("put"), true);
    expect(total(injector)).toBe(0);
    injector.struck("F01-lost-answer");
    expect(injector.counts["F01-lost-answer"]).toBe(1);
  });
});

describe("hop faults and clocks", () => {
  const plan: FaultPlan = {
    rates: { "H01-lost-call": 1, "H02-lost-reply": 1, "D01-duplicate-request": 1 },
    lateByMs: 0,
    skewMs: 90_000,
    downMs: 0,
  };

  it("lose the call, lose the reply or double the request by one draw, and are counted", () => {
    const { injector, drawn } = scripted(plan, [999, 998, 997, 996]);
    expect([1, 2, 3, 4].map(() => injector.hopFault("node-1"))).toEqual([
      { lost: "call", duplicate: false, lateMs: 0 },
      { lost: "reply", duplicate: false, lateMs: 0 },
      { lost: "none", duplicate: true, lateMs: 0 },
      { lost: "none", duplicate: false, lateMs: 0 },
    ]);
    expect(drawn).toEqual(Array(4).fill("hop-fault of 1000"));
    expect(total(injector)).toBe(3);
  });

  it("offset clocks by both signs up to skewMs, and not at all by draw 0", () => {
    const offsets = [0, 1, 2, 3, 4, 179_999, 180_000].map((value) => scripted(plan, [value]).injector.skew());
    expect(offsets).toEqual([0, 1, -1, 2, -2, 90_000, -90_000]);
  });

  it("count a skew only when there is one", () => {
    const { injector } = scripted(plan, [0, 7]);
    injector.skew();
    expect(injector.counts["C01-skew"]).toBe(0);
    injector.skew();
    expect(injector.counts["C01-skew"]).toBe(1);
  });
});

describe("rules", () => {
  const rules: FaultPlan["rules"] = [
    { kind: "F02-lost-request", permille: 100, process: "node-2", key: "/index" },
    { kind: "F01-lost-answer", permille: 100, most: 2 },
  ];
  const plan: FaultPlan = { ...NO_FAULTS, rates: { "F06-throttle": 100 }, rules };

  it("stand behind the rates in their order, each with a share of its own", () => {
    const faultAt = (value: number) =>
      scripted(plan, [value]).injector.storeFault(request("put", "a/index", "node-2"), false);
    expect([999, 900].map(faultAt)).toEqual(Array(2).fill("F06-throttle"));
    expect([899, 800].map(faultAt)).toEqual(Array(2).fill("F02-lost-request"));
    expect([799, 700].map(faultAt)).toEqual(Array(2).fill("F01-lost-answer"));
    expect(faultAt(699)).toBeNull();
  });

  it("strike only in their scope, and a draw outside of it is no fault", () => {
    const { injector } = scripted(plan, [850, 850, 850]);
    expect(injector.storeFault(request("put", "a/index", "node-1"), false)).toBeNull();
    expect(injector.storeFault(request("put", "a/other", "node-2"), false)).toBeNull();
    expect(injector.storeFault(request("put", "a/index", "node-22"), false)).toBe("F02-lost-request");
  });

  it("strike as often as their budget allows, and no more", () => {
    const { injector } = scripted(plan, [750, 750, 750]);
    const struck = [1, 2, 3].map(() => injector.storeFault(request("get"), false));
    expect(struck).toEqual(["F01-lost-answer", "F01-lost-answer", null]);
  });
});

describe("a swarm", () => {
  const plan: FaultPlan = {
    ...NO_FAULTS,
    rates: { "F01-lost-answer": 100, "F06-throttle": 100, "H01-lost-call": 100 },
    skewMs: 10,
    swarm: true,
  };

  it("leaves out every kind by draw 0, and then draws nothing more", () => {
    const { injector, drawn } = scripted(plan, [0, 0, 0, 0]);
    expect(injector.kinds).toEqual([]);
    injector.storeFault(request("put"), true);
    injector.hopFault("node-1");
    expect([injector.skew(), drawn]).toEqual([0, Array(4).fill("swarm of 2")]);
  });

  it("keeps the meaning of each draw for the kinds that it leaves in", () => {
    const { injector } = scripted(plan, [0, 1, 1, 0, 950, 850]);
    expect(injector.kinds).toEqual(["F06-throttle", "C01-skew"]);
    expect(injector.storeFault(request("put"), true)).toBeNull();
    expect(injector.storeFault(request("put"), true)).toBe("F06-throttle");
  });
});

describe("partitions", () => {
  const plan: FaultPlan = { ...NO_FAULTS, rates: { "F13-partition": 1 }, partitionMs: 1_000 };
  const [ALL, WRITES, FOLDER] = [0, 1, 2];

  /** An injector whose next request begins a partition of 501 ms. */
  function opened(scope: number | undefined, direction: number) {
    let nowMs = 0;
    const source = new ScriptSource([999, 500, scope ?? 0, direction]);
    const injector = new FaultInjector(plan, source, () => nowMs);
    const told: string[] = [];
    injector.partitioned = (process, detail) => told.push(`${process}: ${detail}`);
    const first = injector.storeFault(request("put", "a/b/c"), true);
    return { injector, told, first, at: (ms: number) => (nowMs = ms) };
  }

  it("cut off one process until their time is over", () => {
    const { injector, told, first, at } = opened(ALL, 0);
    expect([first, told]).toEqual([
      "F13-partition",
      ["node-1: requests of all requests are lost for 501 ms"],
    ]);
    expect(injector.storeFault(request("list", "x", "node-2"), false)).toBeNull();
    at(500);
    expect(injector.storeFault(request("list", "x"), false)).toBe("F13-partition");
    expect(injector.cut(request("list", "x"))).toBe("requests");
    at(501);
    expect(injector.storeFault(request("list", "x"), false)).toBeNull();
  });

  it("cut off writes alone, or the keys of one folder alone", () => {
    const writes = opened(WRITES, 0).injector;
    expect(writes.storeFault(request("get", "a/b/c"), false)).toBeNull();
    expect(writes.storeFault(request("delete", "x"), false)).toBe("F13-partition");
    const folder = opened(FOLDER, 0).injector;
    expect(folder.storeFault(request("get", "a/b/d"), false)).toBe("F13-partition");
    expect(folder.storeFault(request("get", "a/x"), false)).toBeNull();
  });

  it("lose the answers alone in their second direction", () => {
    expect(opened(ALL, 1).injector.cut(request("put", "x"))).toBe("answers");
  });

  it("end with the faults", () => {
    const { injector } = opened(ALL, 0);
    injector.enabled = false;
    expect(injector.storeFault(request("put"), true)).toBeNull();
  });
});

describe("late calls, hops and faults of the code around", () => {
  it("put a call off by up to callLateMs, so that later ones overtake it", () => {
    const plan: FaultPlan = { ...NO_FAULTS, rates: { "D02-reorder": 1 }, callLateMs: 300 };
    const { injector, drawn } = scripted(plan, [999, 299]);
    expect(injector.hopFault("worker-1")).toEqual({ lost: "none", duplicate: false, lateMs: 300 });
    expect(drawn).toEqual(["hop-fault of 1000", "hop-late-ms of 300"]);
    expect(injector.counts["D02-reorder"]).toBe(1);
  });

  it("add one to four microtasks to an answer, none by draw 0 and none when off", () => {
    const plan: FaultPlan = { ...NO_FAULTS, rates: { "S01-hops": 4 } };
    const { injector } = scripted(plan, [0, 995, 996, 999]);
    expect([1, 2, 3, 4].map(() => injector.hops())).toEqual([0, 0, 1, 4]);
    expect(injector.counts["S01-hops"]).toBe(2);
    injector.enabled = false;
    expect(injector.hops()).toBe(0);
  });

  it("answer yes by the top of their rate and count it", () => {
    const plan: FaultPlan = { ...NO_FAULTS, rates: { "N07-drop-hint": 10 } };
    const { injector, drawn } = scripted(plan, [0, 989, 990]);
    expect([1, 2, 3].map(() => injector.strikes("N07-drop-hint"))).toEqual([false, false, true]);
    expect(injector.strikes("D03-poison")).toBe(false);
    expect(injector.counts["N07-drop-hint"]).toBe(1);
    expect(drawn).toEqual(Array(3).fill("N07-drop-hint of 1000"));
  });
});

describe("the standard plan in a world", () => {
  /** 300 requests like an engine's, one after the other, under the seed; crashed processes start again. */
  async function run(seed: number, plan: FaultPlan): Promise<{ world: World; injector: FaultInjector }> {
    const world = new World({ source: new SeedSource(seed) });
    const injector = new FaultInjector(plan, world.choices, () => world.now());
    const store = new SimulatedStore(world, {
      faults: injector,
      profile: { ...AWS_S3, writesPerSecond: null },
    });
    let left = 300;
    const node = world.process("node", async (context) => {
      const client = store.client(context);
      while (left > 0) left -= await turn(client, context.ids.next());
    });
    const faults = new ProcessFaults(world, injector, plan);
    injector.strike = (kind, name) => faults.strike(kind, name);
    node.start();
    const end = await world.run({ until: () => left <= 0, deadlineMs: 10_000_000 });
    expect(end.kind).toBe("finished");
    await world.run({ until: () => false, deadlineMs: 20_000_000 });
    return { world, injector };
  }

  /** Reads, writes or clears one of a few keys; answers the number of requests it made. */
  async function turn(client: ObjectStore, id: string): Promise<number> {
    const seen = await client.get("k");
    if (seen.kind === "ok") await client.put("k", id, ifMatch(seen.etag));
    else if (seen.kind === "not-found") await client.put("k", id, IF_ABSENT);
    await client.put(`history/${id}`, id, IF_ABSENT);
    await client.delete(`history/${id}`, NO_CONDITION);
    await client.put("other", id, NO_CONDITION);
    await client.list({ prefix: "", cursor: null, limit: 10 });
    return 6;
  }

  it("strikes a run of 300 requests five to twenty times, and each store fault is seen within 40 runs", async () => {
    const seen: Partial<Record<FaultKind, number>> = {};
    let struck = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { injector } = await run(seed, STANDARD_FAULTS);
      // A partition strikes all that it holds, and extra microtasks are a matter of each answer.
      struck += total(injector) - injector.counts["F13-partition"] - injector.counts["S01-hops"];
      for (const kind of FAULT_KINDS) seen[kind] = (seen[kind] ?? 0) + injector.counts[kind];
    }
    expect(struck / 40).toBeGreaterThan(5);
    expect(struck / 40).toBeLessThan(20);
    const ofStore = FAULT_KINDS.filter((kind) => /^(F0[1-6]|F1[1-3]|N0[1-46])/.test(kind));
    expect(ofStore.filter((kind) => (seen[kind] ?? 0) === 0)).toEqual([]);
  });

  it("gives the same fingerprint and the same counts for the same seed", async () => {
    const [first, second] = [await run(7, STANDARD_FAULTS), await run(7, STANDARD_FAULTS)];
    expect(second.world.fingerprint.digest()).toBe(first.world.fingerprint.digest());
    expect(second.injector.counts).toEqual(first.injector.counts);
    expect((await run(8, STANDARD_FAULTS)).world.fingerprint.digest()).not.toBe(
      first.world.fingerprint.digest(),
    );
  });

  it("strikes nothing without faults", async () => {
    expect(total((await run(7, NO_FAULTS)).injector)).toBe(0);
  });
});
