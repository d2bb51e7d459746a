/**
 * Risk: a fault point that never fired looks as if it had, or the counts of parts do not add up to those of the whole.
 */
import { describe, expect, test } from "vitest";
import type { CallRecord, RunHistory, StoreOperation } from "../history/history.ts";
import { FaultPointCounter } from "./fault-points.ts";
import { Tally } from "./tally.ts";

function operation(changes: Partial<StoreOperation>): StoreOperation {
  return {
    id: 1,
    process: "node-1",
    incarnation: 1,
    kind: "get",
    key: "x/orders/order-1",
    condition: null,
    body: null,
    sentAtMs: 0,
    appliedAtMs: null,
    verdict: null,
    version: null,
    answeredAtMs: null,
    outcome: null,
    faults: [],
    ...changes,
  };
}

function historyOf(operations: readonly StoreOperation[], calls: readonly CallRecord[] = []): RunHistory {
  return { operations, chains: new Map(), calls, incidents: [], healedAtMs: null, endedAtMs: 1 };
}

const call: CallRecord = {
  id: 1,
  from: "worker",
  fromIncarnation: 1,
  to: "node-1",
  operation: "claim",
  request: null,
  sentAtMs: 0,
  repliedAtMs: null,
  answeredAtMs: null,
  outcome: null,
  reply: null,
  faults: ["H01-lost-call"],
};

describe("fault points", () => {
  test("are the request, its condition and the sort of its key, with what struck it", () => {
    const put = { kind: "put", condition: { kind: "if-match", etag: "1" } } as const;
    const counts = new FaultPointCounter().count(
      historyOf(
        [
          operation({ key: "x/orders/order-1" }),
          operation({ key: "x/orders/order-2", faults: ["F01-lost-answer", "N02-pause"] }),
          operation({ ...put, faults: ["F01-lost-answer"] }),
          operation({ kind: "list", key: "x/orders/", condition: { kind: "none" } }),
        ],
        [call],
      ),
    );
    expect(Object.fromEntries(counts)).toEqual({
      "get x/orders/*": 2,
      "F01-lost-answer at get x/orders/*": 1,
      "N02-pause at get x/orders/*": 1,
      "put if-match x/orders/*": 1,
      "F01-lost-answer at put if-match x/orders/*": 1,
      "list x/orders/": 1,
      "call claim": 1,
      "H01-lost-call at call claim": 1,
    });
  });

  test("of any number of keys are counted right, and only those of the run", () => {
    const counter = new FaultPointCounter();
    const many = Array.from({ length: 50_000 }, (_, i) => operation({ key: `x/orders/order-${i}` }));
    expect(counter.count(historyOf(many)).get("get x/orders/*")).toBe(50_000);
    expect(counter.count(historyOf(many.slice(0, 3))).get("get x/orders/*")).toBe(3);
  });

  test("add up over the runs that tell them", () => {
    const tally = new Tally();
    const stats = {
      storeOps: 1,
      events: 1,
      virtualMs: 1,
      profile: "r2",
      kinds: [],
      faults: new Map(),
      checks: new Map(),
    };
    const run = {
      scenario: "small",
      outcome: { kind: "pass" },
      fingerprint: "0".repeat(16),
      stats,
    } as const;
    tally.add({ ...run, points: new Map([["get x/*", 2]]) });
    tally.add(run);
    tally.add({
      ...run,
      points: new Map([
        ["get x/*", 1],
        ["call claim", 4],
      ]),
    });
    expect([...tally.points]).toEqual([
      ["call claim", 4],
      ["get x/*", 3],
    ]);
  });
});
