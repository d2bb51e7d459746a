/**
 * Risk: two values that differ are taken for equal, so that a change goes unseen.
 */
import { expect, test } from "vitest";
import { same } from "./same.ts";

test.each<[unknown, unknown]>([
  [1, 2],
  [1, "1"],
  [null, 0],
  [null, {}],
  [[], {}],
  [[1], [1, 2]],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: 1, b: null }, { a: 1 }],
  [{ a: null }, { b: null }],
  [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
])("%j and %j differ, both ways around", (a, b) => {
  expect(same(a, b)).toBe(false);
  expect(same(b, a)).toBe(false);
});

test.each([null, 1, "x", [], {}, [1, [2]], { a: { b: [1, null] }, c: "" }])("%j equals its copy", (value) => {
  expect(same(value, structuredClone(value))).toBe(true);
});

test("the order of keys does not matter", () => {
  expect(same({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
});
