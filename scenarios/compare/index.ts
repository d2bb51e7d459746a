/**
 * Engine and exact model side by side: what the command line needs of the comparison.
 */
export { SEEN_CODES, UNSEEN_CODES } from "./codes.ts";
export { type Comparison, type ComparisonPlan, compare, tellActs } from "./compare.ts";
export { operations } from "./profiles.ts";
