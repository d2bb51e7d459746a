/**
 * The search strategies for single runs. The search over all orders is in `sim/explore/search`.
 */
import { PCT } from "./pct.ts";
import { POS } from "./pos.ts";
import { RANDOM } from "./random.ts";
import type { Attempt, Strategy } from "./strategy.ts";
import { streamOf } from "./stream.ts";

const PARTS: readonly Strategy[] = [RANDOM, PCT, POS];

/**
 * One of the others for each run, evenly. Which one is a function of the seed alone, not of a place in a campaign, so
 * that the seed makes the run again; and not of its remainder, so that no scenario of a campaign always gets the same.
 */
export const MIX: Strategy = {
  name: "mix",
  about: "one of the others for each run, evenly, by its seed",
  begin(seed: number): Attempt {
    const part = PARTS[streamOf("mix", seed).choose(PARTS.length, "strategy")] ?? RANDOM;
    return part.begin(seed);
  },
};

/** By name. */
export const STRATEGIES: readonly Strategy[] = [MIX, ...PARTS];

export { PCT, POS, RANDOM };
