/**
 * Bounded parallel work. Risk: more at a time than allowed, results in the order of their coming.
 */
import { expect, it } from "vitest";
import { inParallel } from "./parallel.ts";

it.each([0, 1, 3, 4, 10])(
  "answers %i items in their order, never more than three at a time",
  async (count) => {
    let running = 0;
    let most = 0;
    const outcomes = await inParallel([...Array(count).keys()], 3, async (item) => {
      running += 1;
      most = Math.max(most, running);
      for (let turn = 0; turn < 5 - (item % 5); turn++) await Promise.resolve();
      running -= 1;
      return item * 2;
    });
    expect(outcomes).toEqual([...Array(count).keys()].map((item) => item * 2));
    expect(most).toBe(Math.min(count, 3));
  },
);
