/**
 * How much slower or faster one thing is than another, from pairs of samples that were taken in turn.
 *
 * Each pair gives a ratio; what is told is their geometric mean with its 95 % confidence interval. Pairs cancel what
 * slows the machine for a while, which means over all samples would not.
 */
import { assert } from "../src/std/assert.ts";

export interface Ratio {
  /** Above 1: the second is slower. */
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  readonly pairs: number;
}

/** Two-sided 95 % quantiles of Student's t by degrees of freedom; those between take the next smaller one's. */
const T95: readonly (readonly [degrees: number, t: number])[] = [
  [1, 12.706],
  [2, 4.303],
  [3, 3.182],
  [4, 2.776],
  [5, 2.571],
  [7, 2.365],
  [9, 2.262],
  [14, 2.145],
  [19, 2.093],
  [29, 2.045],
  [59, 2.001],
  [119, 1.98],
];

export function ratioOf(pairs: readonly (readonly [base: number, now: number])[]): Ratio {
  assert(pairs.length > 1, "two pairs at least");
  const logs = pairs.map(([base, now]) => Math.log(now / base));
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (logs.length - 1);
  const [, t] = T95.findLast(([degrees]) => degrees <= logs.length - 1) ?? [0, Number.POSITIVE_INFINITY];
  const half = t * Math.sqrt(variance / logs.length);
  return {
    mean: Math.exp(mean),
    low: Math.exp(mean - half),
    high: Math.exp(mean + half),
    pairs: pairs.length,
  };
}

/** In words: the whole interval on one side of 1, or not told apart. */
export function tellRatio({ mean, low, high, pairs }: Ratio): string {
  const interval = `×${mean.toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)}, ${pairs} pairs)`;
  if (low > 1) return `${interval}, slower`;
  return high < 1 ? `${interval}, faster` : `${interval}, not told apart`;
}
