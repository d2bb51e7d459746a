/**
 * Makes a scenario of families from a plan: the checkers of the store, those of the engine that know no workload, and
 * those of families.
 *
 *   B2  what varies is drawn in a fixed order: how history is cut, nodes, family, workers; a source of zeroes builds the smallest.
 *   B1  settle bound: the longest that work may be sent back, a wait for a child that the parent outlives, and a slack
 *       for each turn. Workers look every few seconds, so the long waits cost little.
 */
import type { Checker, FaultPlan, Production, Scenario, Stage } from "../sim/index.ts";
import type { Facts } from "./checkers/facts.ts";
import { FAMILY_CHECKERS, GENERAL_CHECKERS } from "./checkers/families.ts";
import { drawConfig, EngineProduction, factsOf, judged, SPACE, statementsOf } from "./engine-production.ts";
import { FamilySystem, type FamilySystemPlan } from "./systems/family-system.ts";

export interface FamilyPlan extends FamilySystemPlan {
  readonly name: string;
  readonly claim: string;
  readonly faults: FaultPlan;
  /** Which of the family checkers have something to examine here. */
  readonly holds: readonly string[];
}

const MINUTE_MS = 60_000;
const FAULTS_UNTIL_MS = 60_000;
const SETTLE_WITHIN_MS = 45 * MINUTE_MS;

export function buildFamily(plan: FamilyPlan): Scenario {
  const { name, claim, faults } = plan;
  const checkers = [...GENERAL_CHECKERS, ...FAMILY_CHECKERS.filter((one) => plan.holds.includes(one.name))];
  const invariants = statementsOf(checkers);
  return { name, claim, faults, invariants, build: (stage) => produce(plan, stage, checkers) };
}

function produce(plan: FamilyPlan, stage: Stage, checkers: readonly Checker<Facts>[]): Production {
  const system = new FamilySystem(plan, stage, drawConfig(stage), SPACE);
  return new EngineProduction(stage, system, {
    faultsUntilMs: FAULTS_UNTIL_MS,
    settleWithinMs: SETTLE_WITHIN_MS,
    lateByMs: plan.faults.lateByMs,
    quietIntervals: 2,
    judge: (history) => judged(checkers, history, factsOf(history, system.decoder, stage.store.profile)),
  });
}
