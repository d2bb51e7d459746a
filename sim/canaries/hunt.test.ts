/**
 * Risk: figures of a matrix that count runs or misses wrongly.
 */
import { describe, expect, test } from "vitest";
import { RANDOM } from "../explore/index.ts";
import { breaks, throws, writes } from "../runner/fixtures.ts";
import { hunt, quantile } from "./hunt.ts";

const goOn = () => true;

describe("a hunt", () => {
  test("takes scenarios in turn and tells the first run that fails", async () => {
    const plan = { scenarios: [writes, writes, breaks], strategy: RANDOM, firstSeed: 40, mostRuns: 9, goOn };
    expect(await hunt(plan)).toEqual({
      runs: 3,
      caught: { scenario: "breaks", seed: 42, invariants: ["I00-broken"] },
    });
  });

  test("counts a crash as seen", async () => {
    const plan = { scenarios: [throws], strategy: RANDOM, firstSeed: 1, mostRuns: 9, goOn };
    expect(await hunt(plan)).toMatchObject({ runs: 1, caught: { invariants: ["crash"] } });
  });

  test("ends without a catch after its runs, or when it is told to", async () => {
    const plan = { scenarios: [writes], strategy: RANDOM, firstSeed: 1, mostRuns: 4, goOn };
    expect(await hunt(plan)).toEqual({ runs: 4, caught: null });
    let asked = 0;
    expect(await hunt({ ...plan, goOn: () => ++asked <= 2 })).toEqual({ runs: 2, caught: null });
  });
});

test("a quantile that falls among the missing is not told", () => {
  expect(quantile([5, 1, 9, 3], 0, 0.5)).toBe(3);
  expect(quantile([5, 1, 9, 3], 0, 0.9)).toBe(9);
  expect(quantile([5, 1], 2, 0.5)).toBe(5);
  expect(quantile([5, 1], 2, 0.9)).toBeNull();
  expect(quantile([], 3, 0.5)).toBeNull();
});
