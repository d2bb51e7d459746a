/**
 * Chaos on real processes: what is recorded, how a run's history is made of it, and the verdict.
 */

export type { Workload } from "../workloads/workload.ts";
export { type Callers, startCallers } from "./callers.ts";
export type { FinalObject } from "./chains.ts";
export { chaosWorkload, FAST, type Pace, SLOW } from "./chaos-workload.ts";
export { check, checkersOfChaos, type Judged, LEFT_OUT } from "./checks.ts";
export {
  type Disturbance,
  type DisturbancePlan,
  drawClock,
  drawDisturbances,
  usualPlan,
} from "./disturbances.ts";
export { LoggedOutside, startHandWorker, type World } from "./hand-worker.ts";
export { HttpEngine } from "./http-engine.ts";
export { type InProcessRun, type InProcessSetup, runInProcess } from "./in-process.ts";
export { type ChaosLog, type Line, type ProcessLog, readLog } from "./log-lines.ts";
export { LoggedHttp } from "./logged-http.ts";
export { realOrders } from "./real-orders.ts";
export { RealWorld } from "./real-world.ts";
export { RecordingStore } from "./recording-store.ts";
export { type RunEnds, type RunRecord, recordOf } from "./run-history.ts";
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
