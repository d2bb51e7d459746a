/**
 * Risk: what came later stands above what came earlier, or two marks hide each other.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisOf } from "./axis.ts";
import type { Item, Stop } from "./items.ts";

const stops = fc.record({
  role: fc.constant("mark" as const),
  lanes: fc.uniqueArray(fc.constantFrom("a", "b", "c"), { maxLength: 2 }),
  atMs: fc.integer({ min: 0, max: 3_000 }),
  phase: fc.integer({ min: 0, max: 4 }),
  order: fc.integer({ min: 0, max: 5 }),
});

function itemsWith(list: readonly Stop[]): readonly Item[] {
  const incident = { atMs: 0, kind: "x", process: null, detail: "" };
  const shared = { type: "incident", kind: "incidents", tone: "incident", incident } as const;
  return list.map((stop, i) => ({ ...shared, id: `i${i}`, stops: [stop], atMs: stop.atMs }));
}

describe("the axis", () => {
  it("puts a later stop below an earlier one, and two of one lane never into one row", () => {
    fc.assert(
      fc.property(fc.array(stops, { maxLength: 30 }), (list) => {
        const axis = axisOf(itemsWith(list), 10, (lane) => lane);
        for (const a of list)
          for (const b of list) {
            if (a.atMs < b.atMs) expect(axis.of(a)).toBeLessThan(axis.of(b));
            const together = a !== b && axis.of(a) === axis.of(b);
            if (together) expect(a.lanes.filter((lane) => b.lanes.includes(lane))).toEqual([]);
          }
      }),
    );
  });

  it("says how long nothing happened", () => {
    const at = (atMs: number): Stop => ({ role: "mark", lanes: ["a"], atMs, phase: 0, order: 0 });
    const axis = axisOf(itemsWith([at(0), at(20), at(5_020)]), 10, (lane) => lane);
    expect(axis.gaps.map(({ ms }) => ms)).toEqual([5_000]);
    expect(axis.at(3_000)).toBe(axis.at(20));
  });
});
