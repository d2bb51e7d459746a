/**
 * Risk: a key leads out of the folder, or two keys overwrite each other's file.
 */
import { posix } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keyOfPath, pathOfKey } from "./key-paths.ts";

const ODD = fc.constantFrom(
  "/",
  ".",
  "..",
  "//",
  "%",
  "%2E",
  "%-",
  ".json",
  ".object",
  "é",
  "\u0000",
  "\\",
  "a",
  "~",
);
const KEYS = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(ODD, { maxLength: 12 }).map((parts) => parts.join("")),
  fc
    .array(fc.oneof(ODD, fc.constantFrom("x".repeat(150), ".".repeat(450), "é".repeat(90))), { maxLength: 8 })
    .map((parts) => parts.join("")),
);

test("every key comes back from its path (Y1)", () => {
  fc.assert(
    fc.property(KEYS, (key) => {
      expect(keyOfPath(pathOfKey(key))).toBe(key);
    }),
    { numRuns: 3_000, seed: 1 },
  );
});

test("no path leaves its folder or names what a file system does not take (Y2)", () => {
  fc.assert(
    fc.property(KEYS, (key) => {
      const path = pathOfKey(key);
      expect(posix.normalize(path)).toBe(path);
      for (const part of path.split("/")) expect(part).toMatch(/^[A-Za-z0-9_@=%-][A-Za-z0-9_@=%+.-]{0,250}$/);
    }),
    { numRuns: 3_000, seed: 2 },
  );
});

test("no key's file is in the way of another key's folder (Y1)", () => {
  fc.assert(
    fc.property(KEYS, KEYS, (one, other) => {
      expect(`${pathOfKey(one)}/`.startsWith(`${pathOfKey(`${one}/${other}`)}/`)).toBe(false);
      expect(pathOfKey(`${one}/${other}`).startsWith(`${pathOfKey(one)}/`)).toBe(false);
    }),
    { numRuns: 2_000, seed: 3 },
  );
});

test.each([
  ["tenants/local/state/instances/i-1.json", "tenants/local/state/instances/i-1.json"],
  ["../etc/passwd", "%2E./etc/passwd.object"],
  ["/", "%/%.object"],
  ["", "%.object"],
  ["a.json/b", "a%2Ejson/b.object"],
  ["a.object", "a.object.object"],
])("the path of %j is %j", (key, path) => {
  expect(pathOfKey(key)).toBe(path);
});

test.each([
  "a",
  "a.object.json/b.json",
  "%61.json",
  "a//b.json",
  "../a.json",
  "%ff.json",
  ".a.json",
  "a%-/.json",
])("%j is no key's path (Y1)", (path) => {
  expect(keyOfPath(path)).toBe(null);
});
