/**
 * The kernel as the other parts of the simulator see it.
 */

export { type ChoiceSource, chance, type Draw, MAX_ALTERNATIVES } from "./choice.ts";
export { ChoiceRecorder } from "./choice-recorder.ts";
export { type ClockSettings, EPOCH_MS, exactClock, type MachineClock, setClock, wallAt } from "./clock.ts";
export type { DrainMode } from "./drain.ts";
export { Fingerprint, labelHash } from "./fingerprint.ts";
export { type HopFault, type HopFaults, type HopLatency, NO_HOP_FAULTS } from "./hop.ts";
export { type AskedDraw, ReplayDivergence, ReplaySource } from "./replay-source.ts";
export {
  type AmbientViolation,
  describeFailure,
  type RunEnd,
  type RunFailure,
  type RunLimit,
} from "./run-end.ts";
export { type Candidate, type SchedulePolicy, TIMED, type Touch, within } from "./schedule-policy.ts";
export { ScriptSource } from "./script-source.ts";
export { isSeed, SEED_LIMIT, SeedSource } from "./seed-source.ts";
export type {
  CallOutcome,
  CallRequest,
  Main,
  Process,
  ProcessContext,
  Simulation,
} from "./simulation.ts";
export { type Divergence, firstDivergence, type Step, StepLog } from "./step-log.ts";
export { AmbientCallError, describeTrespass, installAmbientTrap } from "./trap.ts";
export type { AmbientState, Trespass } from "./trap-state.ts";
export { World, type WorldOptions } from "./world.ts";
