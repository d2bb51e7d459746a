/**
 * Engine and exact model side by side: what the command line needs of the comparison.
 */
export { SEEN_CODES, SEEN_DEEDS, UNSEEN_CODES } from "./codes.ts";
export { type Comparison, type ComparisonPlan, compare, tellActs } from "./compare.ts";
export { runEpisode } from "./episode.ts";
export { operations, PROFILES } from "./profiles.ts";
