/**
 * How many orders one class stands for: the ways in which its steps can be lined up without putting any step before
 * one that happens before it (the linear extensions of the partial order).
 *
 *   C1  exact, as a whole number of any size;
 *   C2  where everything up to a step happens before everything after it, the two parts are counted apart and
 *       multiplied.
 *
 * A part is counted by the sets of steps that may have happened so far. Their number grows with the number of steps
 * that are independent at one time, which in a searchable scenario is small.
 */
import { Bits } from "./bits.ts";
import type { PartialOrder } from "./partial-order.ts";

export function countOrders(order: PartialOrder): bigint {
  let product = 1n;
  let from = 0;
  for (const to of cuts(order)) {
    if (to - from > 1) product *= countPart(order, from, to);
    from = to;
  }
  return product;
}

/** Where a part ends: the numbers n so that all steps from n on happen after all before n (C2). */
function cuts(order: PartialOrder): number[] {
  const found: number[] = [];
  let leading = order.length;
  for (let i = order.length; i >= 1; i--) {
    if (i < order.length) leading = Math.min(leading, order.before(i).leading);
    if (leading >= i) found.push(i);
  }
  return found.reverse();
}

/** A set of steps that may have happened, and in how many orders. */
interface Front {
  readonly done: readonly number[];
  ways: bigint;
}

function countPart(order: PartialOrder, from: number, to: number): bigint {
  let fronts = new Map<string, Front>([["", { done: [], ways: 1n }]]);
  for (let size = from; size < to; size++) {
    const next = new Map<string, Front>();
    for (const { done, ways } of fronts.values()) {
      const happened = new Bits(to);
      for (const step of done) happened.add(step);
      for (let step = from; step < to; step++) {
        if (happened.has(step) || !isReady(order, step, from, happened)) continue;
        const grown = [...done, step].sort((a, b) => a - b);
        const key = grown.join();
        const known = next.get(key);
        if (known === undefined) next.set(key, { done: grown, ways });
        else known.ways += ways;
      }
    }
    fronts = next;
  }
  return [...fronts.values()].reduce((sum, { ways }) => sum + ways, 0n);
}

function isReady(order: PartialOrder, step: number, from: number, happened: Bits): boolean {
  const before = order.before(step);
  for (let i = from; i < step; i++) if (before.has(i) && !happened.has(i)) return false;
  return true;
}
