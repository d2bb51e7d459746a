/**
 * Makes a scenario of a system of its own: one that no other scenario sets up, with the checkers that judge it.
 *
 *   B1  settle bound and quiet phase are the same for all of them: minutes that only a stuck run needs.
 */
import type { Checker, FaultPlan, Scenario, Stage } from "../sim/index.ts";
import type { EngineConfig } from "../src/index.ts";
import type { Facts } from "./checkers/facts.ts";
import type { Decoder, Space } from "./checkers/records.ts";
import {
  drawConfig,
  EngineProduction,
  factsOf,
  judged,
  SPACE,
  statementsOf,
  type WatchedSystem,
} from "./engine-production.ts";

export interface OwnPlan {
  readonly name: string;
  readonly claim: string;
  readonly faults: FaultPlan;
  /** What differs from the configuration of other scenarios. */
  readonly config: Partial<EngineConfig>;
  readonly checkers: readonly Checker<Facts>[];
  /** Sets it up and starts it. */
  readonly system: (
    stage: Stage,
    config: EngineConfig,
    space: Space,
  ) => WatchedSystem & { readonly decoder: Decoder };
}

const FAULTS_UNTIL_MS = 60_000;
const SETTLE_WITHIN_MS = 600_000;

export function buildOwn(plan: OwnPlan): Scenario {
  const { name, claim, faults, checkers } = plan;
  const build = (stage: Stage) => {
    const system = plan.system(stage, drawConfig(stage, plan.config), SPACE);
    return new EngineProduction(stage, system, {
      faultsUntilMs: FAULTS_UNTIL_MS,
      settleWithinMs: SETTLE_WITHIN_MS,
      lateByMs: faults.lateByMs,
      quietIntervals: 2,
      judge: (history) => judged(checkers, history, factsOf(history, system.decoder, stage.store.profile)),
    });
  };
  return { name, claim, faults, invariants: statementsOf(checkers), build };
}
