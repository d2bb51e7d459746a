/**
 * Risk: a checker of the store that cannot fail, so that a broken model of the store goes unnoticed.
 */
import { describe, expect, test } from "vitest";
import type { RunHistory, StoreOperation, Version } from "../history/history.ts";
import { storeChains } from "./store-chains.ts";
import { storeOutcomes } from "./store-outcomes.ts";

function operation(id: number, edit: Partial<StoreOperation> = {}): StoreOperation {
  return {
    id,
    process: "node-1",
    incarnation: 1,
    kind: "put",
    key: "k",
    condition: { kind: "none" },
    body: `body-${id}`,
    sentAtMs: id,
    appliedAtMs: id,
    verdict: "applied",
    version: null,
    answeredAtMs: id,
    outcome: { kind: "ok", etag: `e${id}` },
    faults: [],
    ...edit,
  };
}

function version(index: number, by: StoreOperation, edit: Partial<Version> = {}): Version {
  return { key: "k", index, body: by.body, etag: `e${by.id}`, atMs: by.sentAtMs, operation: by, ...edit };
}

function history(operations: StoreOperation[], versions: Version[]): RunHistory {
  const chains = new Map([["k", versions]]);
  return { operations, chains, calls: [], incidents: [], healedAtMs: null, endedAtMs: 99 };
}

const first = operation(1, { condition: { kind: "if-absent" } });
const second = operation(2, { condition: { kind: "if-match", etag: "e1" } });
const read = operation(3, {
  kind: "get",
  condition: null,
  body: null,
  verdict: "served",
  version: 1,
  outcome: { kind: "ok", body: "body-2", etag: "e2" },
});
const sound = history([first, second, read], [version(0, first), version(1, second)]);

describe("I01-store-outcomes", () => {
  test("passes a sound record", () => {
    expect(storeOutcomes.check(sound, null)).toEqual({ examined: 2, violations: [] });
  });

  test.each<[string, RunHistory]>([
    ["an ok write that was never applied", history([first], [])],
    ["an ok write of which something else was applied", history([first], [version(0, { ...first })])],
    ["a write that was applied twice", history([first], [version(0, first), version(1, first)])],
    [
      "a refused write that was applied",
      (() => {
        const refused = operation(1, { outcome: { kind: "precondition-failed" } });
        return history([refused], [version(0, refused)]);
      })(),
    ],
  ])("sees %s", (_, broken) => {
    expect(storeOutcomes.check(broken, null).violations).not.toEqual([]);
  });

  test("lets a write that a layer sent again be applied and refused", () => {
    const again = operation(1, { outcome: { kind: "precondition-failed" }, faults: ["F04-hidden-retry"] });
    expect(storeOutcomes.check(history([again], [version(0, again)]), null).violations).toEqual([]);
  });

  test("lets a create that a layer sent again be applied twice when the key was deleted in between, and only then", () => {
    const again = operation(1, { condition: { kind: "if-absent" }, faults: ["F04-hidden-retry"] });
    const remove = operation(2, { kind: "delete" });
    const deleted = { ...version(1, remove), body: null };
    const twice = history([again, remove], [version(0, again), deleted, version(2, again)]);
    expect(storeOutcomes.check(twice, null).violations).toEqual([]);
    const other = history([again, second], [version(0, again), version(1, second), version(2, again)]);
    expect(storeOutcomes.check(other, null).violations).not.toEqual([]);
  });

  test("lets a write without an answer be there or not", () => {
    const lost = operation(1, { outcome: { kind: "unknown-outcome", detail: "" } });
    expect(storeOutcomes.check(history([lost], [version(0, lost)]), null).violations).toEqual([]);
    expect(storeOutcomes.check(history([lost], []), null).violations).toEqual([]);
  });
});

describe("I23-store-chains", () => {
  test("passes a sound record", () => {
    expect(storeChains.check(sound, null)).toEqual({ examined: 3, violations: [] });
  });

  const stale = operation(3, { condition: { kind: "if-match", etag: "e1" } });
  const create = operation(3, { condition: { kind: "if-absent" } });
  const both = [version(0, first), version(1, second)];
  test.each<[string, RunHistory]>([
    ["a write over a version that it did not name", history([], [...both, version(2, stale)])],
    ["a create over an object", history([], [...both, version(2, create)])],
    ["an update of nothing", history([], [version(0, second)])],
    ["a gap in a chain", history([], [version(0, first), version(2, second)])],
    ["time that goes back", history([], [version(0, first), version(1, second, { atMs: 0 })])],
    [
      "a read of an old version",
      history([{ ...read, version: 0, outcome: { kind: "ok", body: "body-1", etag: "e1" } }], both),
    ],
    [
      "a read of something never stored",
      history([{ ...read, outcome: { kind: "ok", body: "x", etag: "e2" } }], both),
    ],
  ])("sees %s", (_, broken) => {
    expect(storeChains.check(broken, null).violations).not.toEqual([]);
  });
});
