/**
 * Choices: everything that varies in a run is a labelled draw from one recorded sequence.
 *
 * A run is a function of (scenario, choices). A seed, a replay file, a search strategy and the shrinker are all
 * sources behind this one interface.
 *
 *   K1  `choose(n, label)` answers an integer in [0, n); n is at least 1.
 *   K2  0 is always the plainest alternative: no fault, no delay, no skew, the first in line. So a shrinker may
 *       replace any draw by 0, and a source that has run out answers 0.
 *   K3  a label names what is decided, not the value; labels are constant strings, few in number.
 */
export interface ChoiceSource {
  choose(n: number, label: string): number;
}

/** One draw as it was made. */
export interface Draw {
  readonly label: string;
  readonly n: number;
  readonly value: number;
}
