/**
 * The injector draws once for each decision, calls nothing a fault at draw 0, and counts what took effect.
 * Risk: faults that never strike, or that change the meaning of other draws.
 */
import { describe, expect, it } from "vitest";
import { IF_ABSENT, ifMatch, NO_CONDITION, type ObjectStore } from "../../src/ports/object-store.ts";
import { FAULT_KINDS, type FaultKind } from "../history/history.ts";
import { ScriptSource, SeedSource, World } from "../kernel/index.ts";
import { SimulatedStore } from "../store/index.ts";
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
  return { injector: new FaultInjector(plan, { choose }), drawn };
}

const total = (injector: FaultInjector) => Object.values(injector.counts).reduce((sum, n) => sum + n, 0);

describe("store faults", () => {
  const plan: FaultPlan = {
    ...NO_FAULTS,
    rates: { "F01-lost-answer": 2, "F03-late-write": 1, "F05-conflict-409": 3 },
  };

  it("divide the top of one draw between the kinds that are on", () => {
    const faultAt = (value: number) => scripted(plan, [value]).injector.storeFault("put", true);
    expect([0, 1, 500, 993].map(faultAt)).toEqual([null, null, null, null]);
    expect([994, 995, 996].map(faultAt)).toEqual(Array(3).fill("F05-conflict-409"));
    expect(faultAt(997)).toBe("F03-late-write");
    expect([998, 999].map(faultAt)).toEqual(Array(2).fill("F01-lost-answer"));
  });

  it("take one draw whatever the request, and none when off, healed or not planned", () => {
    const { injector, drawn } = scripted(plan, []);
    injector.storeFault("put", true);
    injector.storeFault("get", false);
    injector.hopFault();
    injector.skew("a");
    injector.enabled = false;
    injector.storeFault("put", true);
    expect(drawn).toEqual(["store-fault of 1000", "store-fault of 1000"]);
  });

  it("strike only requests to which they apply", () => {
    const strike = (value: number, kind: "get" | "put" | "delete" | "list", conditional: boolean) =>
      scripted(plan, [value]).injector.storeFault(kind, conditional);
    expect([strike(997, "get", false), strike(997, "list", false)]).toEqual([null, null]);
    expect([strike(997, "put", false), strike(997, "delete", true)]).toEqual(Array(2).fill("F03-late-write"));
    expect([strike(995, "get", false), strike(995, "put", false)]).toEqual([null, null]);
    expect(strike(995, "delete", true)).toBe("F05-conflict-409");
    expect(strike(999, "list", false)).toBe("F01-lost-answer");
  });

  it("leave the value 0 free, so rates reach 999 in all and no more", () => {
    const full: FaultPlan = { ...NO_FAULTS, rates: { "F02-lost-request": 999 } };
    expect(scripted(full, [0]).injector.storeFault("put", true)).toBeNull();
    expect(scripted(full, [1]).injector.storeFault("put", true)).toBe("F02-lost-request");
    const over: FaultPlan = { ...NO_FAULTS, rates: { "F01-lost-answer": 500, "F02-lost-request": 500 } };
    expect(() => scripted(over, [])).toThrow("below 1000");
  });

  it("are not counted when they are decided, only when they strike", () => {
    const { injector } = scripted(plan, [999]);
    injector.storeFault("put", true);
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
    expect([1, 2, 3, 4].map(() => injector.hopFault())).toEqual([
      { lost: "call", duplicate: false },
      { lost: "reply", duplicate: false },
      { lost: "none", duplicate: true },
      { lost: "none", duplicate: false },
    ]);
    expect(drawn).toEqual(Array(4).fill("hop-fault of 1000"));
    expect(total(injector)).toBe(3);
  });

  it("offset clocks by both signs up to skewMs, and not at all by draw 0", () => {
    const offsets = [0, 1, 2, 3, 4, 179_999, 180_000].map((value) =>
      scripted(plan, [value]).injector.skew("a"),
    );
    expect(offsets).toEqual([0, 1, -1, 2, -2, 90_000, -90_000]);
  });

  it("count a skew only when there is one", () => {
    const { injector } = scripted(plan, [0, 7]);
    injector.skew("a");
    expect(injector.counts["C01-skew"]).toBe(0);
    injector.skew("a");
    expect(injector.counts["C01-skew"]).toBe(1);
  });
});

describe("the standard plan in a world", () => {
  /** 300 requests like an engine's, one after the other, under the seed; crashed processes start again. */
  async function run(seed: number, plan: FaultPlan): Promise<{ world: World; injector: FaultInjector }> {
    const world = new World({ source: new SeedSource(seed) });
    const injector = new FaultInjector(plan, world.choices);
    const store = new SimulatedStore(world, { faults: injector, etags: "content-hash" });
    let left = 300;
    const node = world.process("node", async (context) => {
      const client = store.client(context);
      while (left > 0) left -= await turn(client, context.ids.next());
    });
    injector.crash = () => {
      node.crash();
      world.after(100, "restart", () => node.start());
    };
    injector.pause = () => {
      node.pause();
      world.after(100, "resume", () => node.resume());
    };
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
    return 4;
  }

  it("strikes a run of 300 requests about ten times, and each store fault is seen within 40 runs", async () => {
    const seen: Partial<Record<FaultKind, number>> = {};
    let struck = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { injector } = await run(seed, STANDARD_FAULTS);
      struck += total(injector);
      for (const kind of FAULT_KINDS) seen[kind] = (seen[kind] ?? 0) + injector.counts[kind];
    }
    expect(struck / 40).toBeGreaterThan(5);
    expect(struck / 40).toBeLessThan(15);
    const ofStore = FAULT_KINDS.filter((kind) => /^[FN]/.test(kind));
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
