/**
 * Choices: everything that varies in a run is a labelled draw from one recorded sequence.
 *
 * A run is a function of (scenario, choices). A seed, a replay file, a search strategy and the shrinker are all
 * sources behind this one interface.
 *
 *   K1  `choose(n, label)` answers an integer in [0, n); n is at least 1 and at most 2^32.
 *   K2  0 is always the plainest alternative: no fault, no delay, no skew, the first in line. So a shrinker may
 *       replace any draw by 0, and a source that has run out answers 0.
 *   K3  a label names what is decided, not the value; labels are constant strings, few in number.
 *
 * The sources stand beside this file: `seed-source`, `replay-source`, `script-source`; `choice-recorder` keeps
 * what was drawn.
 */
export interface ChoiceSource {
  choose(n: number, label: string): number;
  /** Told once by the world of a run, for sources that answer by who asks: the process whose code runs, or null. */
  attach?(acting: () => string | null): void;
}

/** One draw as it was made. */
export interface Draw {
  readonly label: string;
  readonly n: number;
  readonly value: number;
}

/** The largest number of alternatives that one draw may have. */
export const MAX_ALTERNATIVES = 0x1_0000_0000;

/**
 * Whether something with a chance of `perMille` out of 1,000 happens. The draw 0 is always "no" (K2), so even
 * 1,000 leaves that one out; a chance of 0 draws nothing.
 */
export function chance(source: ChoiceSource, perMille: number, label: string): boolean {
  if (perMille <= 0) return false;
  const drawn = source.choose(1000, label);
  return drawn !== 0 && drawn >= 1000 - perMille;
}
