/**
 * The scenarios' public face: what the command line and the ledger need.
 */
export { catalog, type MeasuredScenario, workloads } from "./catalog.ts";
export {
  type Comparison,
  compare,
  operations,
  PROFILES,
  runEpisode,
  SEEN_CODES,
  SEEN_DEEDS,
  tellActs,
  UNSEEN_CODES,
} from "./compare/index.ts";
export { explorations } from "./explorations/index.ts";
