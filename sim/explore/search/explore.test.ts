/**
 * Risk: a search that says "all orders" and has left some out, or that counts orders which do not exist. So the counts
 * are computed by hand where that is possible, and else compared with a search without any reduction.
 */
import { describe, expect, test } from "vitest";
import type { ObjectStore } from "../../../src/ports/object-store.ts";
import type { FaultKind } from "../../history/history.ts";
import { type ChoiceSource, ReplaySource } from "../../kernel/index.ts";
import type { Production } from "../../runner/index.ts";
import { runScenario } from "../../runner/index.ts";
import { streamOf } from "../strategies/stream.ts";
import type { Exploration } from "./exploration.ts";
import { type ExploreReport, explore } from "./explore.ts";
import { SEARCH_SLACK_MS } from "./search-run.ts";
import { gets, type Part, puts, toy } from "./toys.ts";

const ALL: readonly FaultKind[] = ["F01-lost-answer", "F02-lost-request", "F03-late-write", "N01-crash"];

function outcomes(kinds: readonly FaultKind[]) {
  const rates = Object.fromEntries(kinds.map((kind) => [kind, 1]));
  return { rates, outcomes: true, lateByMs: 20_000, skewMs: 0, downMs: 0 };
}

function search(
  scenario: Exploration,
  faults = 0,
  changes: { depth?: number; reduction?: "classes" | "none"; most?: number } = {},
): Promise<ExploreReport> {
  const { depth = null, reduction = "classes", most = 20_000 } = changes;
  const goOn = ({ classes, repeats }: ExploreReport) => classes + repeats < most;
  return explore({ scenario, faults, depth, reduction, goOn });
}

const counts = ({ orders, classes, repeats, complete }: ExploreReport) => ({
  orders: Number(orders),
  classes,
  repeats,
  complete,
});

describe("orders without faults, counted by hand", () => {
  test.each<[string, readonly Part[], number, number]>([
    ["two writers of two keys each: C(4,2) orders, all alike", [puts("a", "b"), puts("c", "d")], 6, 1],
    ["two writers of one key: C(4,2) orders, none alike", [puts("a", "a"), puts("a", "a")], 6, 6],
    ["two readers of one key", [gets("a", "a"), gets("a", "a")], 6, 1],
    ["a reader between two writes of another: 3 places", [puts("a", "a"), gets("a")], 3, 3],
    ["three writers of one key: 3!", [puts("a"), puts("a"), puts("a")], 6, 6],
    ["three writers of three keys", [puts("a"), puts("b"), puts("c")], 6, 1],
    ["one conflict in the middle: which of the two b came first", [puts("a", "b"), puts("b", "c")], 6, 2],
    ["one process alone", [puts("a", "b", "a")], 1, 1],
  ])("%s", async (_, parts, orders, classes) => {
    expect(counts(await search(toy(parts)))).toEqual({ orders, classes, repeats: 0, complete: true });
  });

  test("requests that one process sends together count as dependent: their answers come to one memory", async () => {
    const both: Part = async (store) => {
      await Promise.all([store.get("a"), store.get("b")]);
    };
    expect(counts(await search(toy([both])))).toMatchObject({ orders: 2, classes: 2 });
  });

  test("writes that the store refuses count as reads", async () => {
    const refused: Part = async (store) => {
      await store.put("a", "x", { kind: "if-match", etag: '"no such etag"' });
    };
    expect(counts(await search(toy([refused, refused, gets("a")])))).toMatchObject({ orders: 6, classes: 1 });
    expect(counts(await search(toy([refused, puts("a")])))).toMatchObject({ orders: 2, classes: 2 });
  });

  test("what is done after timers is ordered only among itself", async () => {
    const early: Part = async (store, context) => {
      await store.put("a", "1", { kind: "none" });
      await context.clock.sleep(1_000);
      await store.put("a", "2", { kind: "none" });
    };
    const late: Part = async (store, context) => {
      await context.clock.sleep(1_020);
      await store.get("a");
    };
    // The first write is always over; the second one and the read wake within the same moment.
    expect(counts(await search(toy([early, late])))).toMatchObject({ orders: 2, classes: 2 });
  });
});

describe("outcomes of one write, counted by hand", () => {
  test.each<[string, readonly FaultKind[], number, number]>([
    ["answered, or not although it was done", ["F01-lost-answer"], 1, 2],
    ["answered, or lost on its way", ["F02-lost-request"], 1, 2],
    ["answered, or done after its sender gave up", ["F03-late-write"], 1, 2],
    // A crash before it arrives, before its answer, or at once; then the old and the new request are under way.
    ["answered, or its sender's last", ["N01-crash"], 1, 1 + 1 + 1 + 2],
    ["all of them", ALL, 1, 1 + 1 + 1 + 1 + 4],
    ["none of them when no fault is allowed", ALL, 0, 1],
  ])("%s", async (_, kinds, faults, orders) => {
    const report = await search(toy([puts("a")], undefined, outcomes(kinds)), faults);
    expect(counts(report)).toMatchObject({ orders, complete: true });
    expect(report.classesByFaults[0]).toBe(1);
  });

  test("no run has more faults than allowed, and with two allowed some have two", async () => {
    const report = await search(toy([puts("a"), puts("b")], undefined, outcomes(ALL)), 2);
    expect(report.classesByFaults).toHaveLength(3);
    expect(report.classesByFaults.every((classes) => classes > 0)).toBe(true);
  });

  test("a late write lands before or after each thing that others do meanwhile, also after timers", async () => {
    const other: Part = async (store, context) => {
      await store.get("a");
      await context.clock.sleep(1_000);
      await store.get("a");
    };
    const seen = new Set<string>();
    const check: Production["check"] = ({ operations }) => {
      seen.add(operations.map(({ verdict }) => verdict).join(" "));
      return new Map();
    };
    await search(toy([puts("a"), other], check, outcomes(["F03-late-write"])), 1);
    expect([...seen].sort()).toEqual([
      "applied absent absent",
      "applied absent served",
      "applied served served",
    ]);
  });
});

/** Everything by which two runs can differ for the code under test and for checkers. */
function endings(): { readonly check: Production["check"]; readonly seen: Set<string> } {
  const seen = new Set<string>();
  const check: Production["check"] = ({ chains, operations }) => {
    const versions = [...chains].sort().map(([key, chain]) => [key, chain.map((v) => v.operation.process)]);
    const told = operations.map(
      ({ process, kind, key, outcome }) => `${process} ${kind} ${key} ${outcome?.kind}`,
    );
    seen.add(JSON.stringify([versions, told.sort()]));
    return new Map();
  };
  return { check, seen };
}

const STEPS = ["put", "get", "sleep", "list", "delete", "both"] as const;

function partOf(steps: readonly (readonly [(typeof STEPS)[number], string])[]): Part {
  return async (store, context) => {
    for (const [kind, key] of steps) {
      if (kind === "put") await store.put(key, context.name, { kind: "none" });
      else if (kind === "get") await store.get(key);
      else if (kind === "sleep") await context.clock.sleep(1_000);
      else if (kind === "list") await store.list({ prefix: "", cursor: null, limit: 9 });
      else if (kind === "delete") await store.delete(key, { kind: "none" });
      else await Promise.all([store.put(key, "x", { kind: "if-absent" }), store.get("b")]);
    }
  };
}

function drawnParts(random: ChoiceSource): readonly Part[] {
  const size = 2 + random.choose(2, "");
  return Array.from({ length: size }, () => {
    const length = 1 + random.choose(size === 2 ? 2 : 1, "");
    return partOf(
      Array.from({ length }, () => [
        STEPS[random.choose(STEPS.length, "")] ?? "put",
        "abc"[random.choose(3, "")] ?? "a",
      ]),
    );
  });
}

/** Settled with the first version of `a`; what was decided until then, over all runs. */
function settledWith(parts: readonly Part[]) {
  const inner = toy(parts, undefined, outcomes(ALL));
  const seen = new Set<string>();
  const scenario: Exploration = {
    ...inner,
    build(stage) {
      let isSettled = false;
      const settled = (): boolean => {
        if (isSettled || !stage.store.chains.has("a")) return isSettled;
        isSettled = true;
        const decided = stage.store.operations.filter(({ verdict }) => verdict !== null);
        seen.add(
          decided
            .map((one) => `${one.process} ${one.kind} ${one.key} ${one.verdict}`)
            .sort()
            .join(),
        );
        return true;
      };
      return Object.assign(inner.build(stage), { settled });
    },
  };
  return { scenario, seen };
}

describe("against a search without reduction", () => {
  test("the same number of orders and the same endings, for forty systems drawn at random", async () => {
    const random = streamOf("toys", 4);
    let compared = 0;
    for (let nth = 0; nth < 40; nth++) {
      const parts = drawnParts(random);
      const faults = random.choose(2, "");
      const [reduced, whole] = [endings(), endings()];
      const few = await search(toy(parts, reduced.check, outcomes(ALL)), faults);
      const all = await search(toy(parts, whole.check, outcomes(ALL)), faults, {
        reduction: "none",
        most: 3_000,
      });
      if (!all.complete) continue;
      compared++;
      expect([few.orders, few.complete]).toEqual([all.orders, true]);
      expect([...reduced.seen].sort()).toEqual([...whole.seen].sort());
      expect(few.classes).toBeLessThanOrEqual(all.classes);
    }
    expect(compared).toBeGreaterThan(30);
  }, 60_000);

  test("the same until the matter is settled, where a scenario says when that is", async () => {
    const random = streamOf("settled", 1);
    let [compared, saved] = [0, 0];
    for (let nth = 0; nth < 24; nth++) {
      const parts = drawnParts(random);
      const faults = random.choose(2, "");
      const [few, all] = [settledWith(parts), settledWith(parts)];
      const reduced = await search(few.scenario, faults);
      const whole = await search(all.scenario, faults, { reduction: "none", most: 800 });
      if (!whole.complete) continue;
      compared++;
      expect([reduced.orders, reduced.complete]).toEqual([whole.orders, true]);
      expect([...few.seen].sort()).toEqual([...all.seen].sort());
      if (reduced.classes < whole.classes) saved++;
    }
    expect(compared).toBeGreaterThan(15);
    expect(saved).toBeGreaterThan(5);
  }, 60_000);
});

describe("a counter that several raise", () => {
  const read = async (store: ObjectStore) => {
    const got = await store.get("counter");
    return got.kind === "ok" ? { value: Number(got.body), etag: got.etag } : { value: 0, etag: null };
  };
  const checkThenWrite: Part = async (store) => {
    const { value } = await read(store);
    await store.put("counter", String(value + 1), { kind: "none" });
  };
  const compareAndSet: Part = async (store) => {
    for (;;) {
      const { value, etag } = await read(store);
      const condition =
        etag === null ? ({ kind: "if-absent" } as const) : ({ kind: "if-match", etag } as const);
      if ((await store.put("counter", String(value + 1), condition)).kind === "ok") return;
    }
  };
  const raisedTo =
    (due: string): Production["check"] =>
    ({ chains }) => {
      const is = chains.get("counter")?.at(-1)?.body ?? "0";
      const violation = { invariant: "I00-raised", message: `it is ${is}`, key: "counter", atMs: null };
      return new Map([["I00-raised", { examined: 1, violations: is === due ? [] : [violation] }]]);
    };

  test("without a condition loses an update, and the search stops at the run that shows it", async () => {
    const report = await search(toy([checkThenWrite, checkThenWrite], raisedTo("2")));
    expect(report.failure?.outcome).toMatchObject({
      kind: "violation",
      violations: [{ message: "it is 1" }],
    });
    expect(report.complete).toBe(false);
  });

  test("with a condition loses none in any order", async () => {
    // Both write after both have read in 4 of the 6 orders of two reads and two writes; then the loser reads and writes
    // once more, alone. The first read of each is a read of nothing: the two commute.
    const report = await search(toy([compareAndSet, compareAndSet], raisedTo("2")));
    expect(counts(report)).toEqual({ orders: 6, classes: 4, repeats: 0, complete: true });
    expect(report.failure).toBeNull();
  });

  test("with a condition and a lost answer raises twice, which the search shows", async () => {
    const report = await search(toy([compareAndSet], raisedTo("1"), outcomes(["F01-lost-answer"])), 1);
    expect(report.failure?.outcome).toMatchObject({ violations: [{ message: "it is 2" }] });
  });

  test("the run that fails is made again from its draws", async () => {
    const scenario = toy([checkThenWrite, checkThenWrite], raisedTo("2"));
    const { failure } = await search(scenario);
    const source = new ReplaySource(failure?.draws() ?? []);
    const again = await runScenario(scenario, source, { slackMs: SEARCH_SLACK_MS });
    expect(again.outcome).toEqual(failure?.outcome);
    expect([again.fingerprint, source.remaining]).toEqual([failure?.fingerprint, 0]);
  });
});

describe("bounds", () => {
  test("beyond the depth nothing is searched, and that is told", async () => {
    const scenario = toy([puts("a", "a"), puts("a", "a")]);
    const report = await search(scenario, 0, { depth: 1 });
    expect([report.complete, report.cut > 0, report.classes < 6]).toEqual([true, true, true]);
    expect(await search(scenario, 0, { depth: 9 })).toMatchObject({ classes: 6, cut: 0 });
  });

  test("a search that is stopped is not complete", async () => {
    const report = await search(toy([puts("a", "a"), puts("a", "a")]), 0, { most: 2 });
    expect([report.complete, report.classes]).toEqual([false, 2]);
  });

  test("code that is not the same in each run ends the search with an error", async () => {
    let runs = 0;
    const unsteady: Part = async (store, context) => {
      runs++;
      await store.put("a", context.name, { kind: "none" });
      if (runs % 2 === 0) await store.put("a", context.name, { kind: "none" });
    };
    await expect(search(toy([unsteady, puts("a", "a")]))).rejects.toThrow("than before");
  });
});
