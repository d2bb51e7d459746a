/**
 * Chaos on real processes: what is recorded, how a run's history is made of it, and the verdict.
 */

export type { FinalObject } from "./chains.ts";
export { chaosWorkload } from "./chaos-workload.ts";
export { check, checkersOfChaos, type Judged, LEFT_OUT } from "./checks.ts";
export { type InProcessRun, type InProcessSetup, runInProcess } from "./in-process.ts";
export { type ChaosLog, type Line, type ProcessLog, readLog } from "./log-lines.ts";
export { RecordingStore } from "./recording-store.ts";
export { type RunEnds, recordOf } from "./run-history.ts";
export {
  LATE_MS,
  NO_STRIKES,
  SeededStrikes,
  type StoreStrikes,
  type StrikeRates,
  seedOf,
  USUAL_RATES,
} from "./strikes.ts";
export { everyObject, Unfinished } from "./unfinished.ts";
