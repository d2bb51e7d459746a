/**
 * Listing order: keys stand in UTF-8 byte order, also where UTF-16 order differs. Risk: pages that skip or repeat.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { compareKeys, SortedKeys } from "./sorted-keys.ts";

const key = fc.string({ unit: "grapheme", maxLength: 8 });

it("compares as the UTF-8 bytes do", () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(compareKeys(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
  expect(compareKeys("\u{1f701}", "\uff42")).toBeGreaterThan(0);
});

it("pages are what a sorted array would give", () => {
  const steps = fc.array(fc.tuple(fc.boolean(), key), { maxLength: 40 });
  fc.assert(
    fc.property(
      steps,
      key,
      fc.option(key),
      fc.integer({ min: 1, max: 5 }),
      (moves, prefix, startAfter, limit) => {
        const sorted = new SortedKeys();
        const model = new Set<string>();
        for (const [adds, name] of moves) {
          if (adds) sorted.add(name);
          else sorted.remove(name);
          if (adds) model.add(name);
          else model.delete(name);
        }
        const expected = [...model]
          .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          .filter((name) => name.startsWith(prefix))
          .filter((name) => startAfter === null || compareKeys(name, startAfter) > 0);
        expect(sorted.size).toBe(model.size);
        expect(sorted.page(prefix, startAfter, limit)).toEqual({
          keys: expected.slice(0, limit),
          truncated: expected.length > limit,
        });
      },
    ),
  );
});
