/**
 * Risk: a clock that the checkers read otherwise than the process did, so that they cry or miss.
 */
import { expect, test } from "vitest";
import type { Incident, RunHistory } from "../../sim/index.ts";
import { Clocks } from "./clocks.ts";

function clocks(...incidents: (readonly [atMs: number, kind: string, detail: string])[]): Clocks {
  const told: Incident[] = incidents.map(([atMs, kind, detail]) => ({
    atMs,
    kind,
    process: "node-1",
    detail,
  }));
  const history = { incidents: told } satisfies Partial<RunHistory>;
  return new Clocks(history as unknown as RunHistory, 1_000_000);
}

test("a right clock shows the epoch and virtual time", () => {
  expect(clocks().shown("node-1", 10, 20)).toEqual([1_000_010, 1_000_020]);
});

test("an offset counts from its incident on", () => {
  const skewed = clocks([0, "skew", "-500 ms"]);
  expect(skewed.shown("node-1", 10, 20)).toEqual([999_510, 999_520]);
  expect(skewed.shown("node-2", 10, 20)).toEqual([1_000_010, 1_000_020]);
});

test("a step within the stretch widens what may have been read", () => {
  const stepped = clocks([15, "skew", "-500 ms"]);
  expect(stepped.shown("node-1", 10, 20)).toEqual([999_515, 1_000_015]);
  expect(stepped.shown("node-1", 10, 14)).toEqual([1_000_010, 1_000_014]);
  expect(stepped.shown("node-1", 16, 20)).toEqual([999_516, 999_520]);
});

test("drift and tick count", () => {
  expect(clocks([0, "drift", "100000 ppm"]).shown("node-1", 100, 200)).toEqual([1_000_110, 1_000_220]);
  expect(clocks([0, "tick", "100 ms"]).shown("node-1", 150, 299)).toEqual([1_000_100, 1_000_200]);
});
