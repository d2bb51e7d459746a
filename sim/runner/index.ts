/**
 * The runner: one run, many runs, each run twice.
 */
export {
  type CampaignHooks,
  type CampaignPlan,
  type CampaignReport,
  campaign,
  type Failure,
  type PinnedRun,
  runSeed,
} from "./campaign.ts";
export { runTwice } from "./determinism.ts";
export {
  brokenInvariants,
  describeOutcome,
  HARNESS_INVARIANTS,
  HARNESS_STATEMENTS,
  type Outcome,
  type OutcomeKind,
  type RunResult,
  type RunStats,
} from "./outcome.ts";
export { type RunOptions, runScenario } from "./run.ts";
export type { Production, Scenario, Stage } from "./scenario.ts";
export { Tally } from "./tally.ts";
