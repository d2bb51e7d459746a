/**
 * The runner: one run, many runs, each run twice.
 */
export { type CampaignHooks, type CampaignReport, campaign, type Failure } from "./campaign.ts";
export { type CampaignPlan, type MadeRun, type PinnedRun, runSeed, type Shard } from "./campaign-plan.ts";
export { type MakeRun, runTwice } from "./determinism.ts";
export { FaultPointCounter, type PointCounts } from "./fault-points.ts";
export {
  brokenInvariants,
  describeOutcome,
  HARNESS_INVARIANTS,
  HARNESS_STATEMENTS,
  type Outcome,
  type OutcomeKind,
  type RunConfiguration,
  type RunResult,
  type RunStats,
} from "./outcome.ts";
export { divergenceOf, type RunOptions, runScenario } from "./run.ts";
export type { Production, Scenario, Stage } from "./scenario.ts";
export { addFingerprints, type ScenarioTally, Tally } from "./tally.ts";
