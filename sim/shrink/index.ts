/**
 * Shrinking of failing runs.
 */
export { type Figure, figuresOf, removedText } from "./removed.ts";
export { type Shrunk, shrink } from "./shrink.ts";
export type { FailingRun, ShrinkPlan, ShrinkProgress } from "./shrinker.ts";
export { shows, targetOf } from "./target.ts";
