/**
 * Search: strategies for single runs, and the search over all orders of a small scenario.
 */

export type { Exploration, SearchedProduction } from "./search/exploration.ts";
export { type ExplorePlan, type ExploreReport, explore } from "./search/explore.ts";
export { SEARCH_SLACK_MS } from "./search/search-run.ts";
export { UnsteadyRun } from "./search/search-tree.ts";
export { MIX, PCT, POS, RANDOM, STRATEGIES } from "./strategies/index.ts";
export type { Attempt, Strategy } from "./strategies/strategy.ts";
