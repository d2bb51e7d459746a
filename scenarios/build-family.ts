/**
 * Makes a scenario of families from a plan: the checkers of the store, those of the engine that know no workload, and
 * those of families.
 *
 *   B2  what varies is drawn in a fixed order: nodes, family, workers; a source of zeroes builds the smallest.
 *   B1  settle bound: the longest that work may be sent back, a wait for a child that the parent outlives, and a slack
 *       for each turn. Workers look every few seconds, so the long waits cost little.
 */
import {
  type Checker,
  EPOCH_MS,
  type FaultPlan,
  type Finding,
  type Production,
  type RunHistory,
  type Scenario,
  STORE_CHECKERS,
  type Stage,
} from "../sim/index.ts";
import { CONFIG } from "./build-scenario.ts";
import { Facts } from "./checkers/facts.ts";
import { FAMILY_CHECKERS, GENERAL_CHECKERS } from "./checkers/families.ts";
import { FamilySystem, type FamilySystemPlan } from "./systems/family-system.ts";

export interface FamilyPlan extends FamilySystemPlan {
  readonly name: string;
  readonly claim: string;
  readonly faults: FaultPlan;
  /** Which of the family checkers have something to examine here. */
  readonly holds: readonly string[];
}

const SPACE = { tenant: CONFIG.tenant, graph: CONFIG.graph, epoch: String(CONFIG.epoch) };
const MINUTE_MS = 60_000;
const FAULTS_UNTIL_MS = 60_000;
const SETTLE_WITHIN_MS = 45 * MINUTE_MS;
const SLACK_MS = 5_000;

export function buildFamily(plan: FamilyPlan): Scenario {
  const { name, claim, faults } = plan;
  const checkers: readonly Checker<Facts>[] = [
    ...GENERAL_CHECKERS,
    ...FAMILY_CHECKERS.filter((one) => plan.holds.includes(one.name)),
  ];
  const invariants = new Map([...STORE_CHECKERS, ...checkers].map((one) => [one.name, one.statement]));
  return { name, claim, faults, invariants, build: (stage) => new FamilyProduction(plan, stage, checkers) };
}

class FamilyProduction implements Production {
  readonly faultsUntilMs = FAULTS_UNTIL_MS;
  readonly settleWithinMs = SETTLE_WITHIN_MS;
  readonly #plan: FamilyPlan;
  readonly #stage: Stage;
  readonly #system: FamilySystem;
  readonly #checkers: readonly Checker<Facts>[];

  constructor(plan: FamilyPlan, stage: Stage, checkers: readonly Checker<Facts>[]) {
    this.#plan = plan;
    this.#stage = stage;
    this.#checkers = checkers;
    this.#system = new FamilySystem(plan, stage, CONFIG, SPACE);
  }

  get quietMs(): number {
    const lateMs = this.#stage.store.lateWrites > 0 ? this.#plan.faults.lateByMs : 0;
    return 2 * CONFIG.reconcile_ms + SLACK_MS + lateMs;
  }

  finished(): boolean {
    return this.#system.finished();
  }

  waiting(): string {
    return this.#system.waiting();
  }

  heal(): void {
    this.#system.heal();
  }

  check(history: RunHistory): ReadonlyMap<string, Finding> {
    const findings = new Map<string, Finding>();
    for (const checker of STORE_CHECKERS) findings.set(checker.name, checker.check(history, null));
    const bounds = { epochMs: EPOCH_MS, hiddenWithinMs: CONFIG.reconcile_ms + SLACK_MS };
    const setup = { space: SPACE, workload: { instances: [] }, effects: [], damaged: [], ...bounds };
    const facts = new Facts(history, setup, this.#system.decoder);
    for (const checker of this.#checkers) findings.set(checker.name, checker.check(history, facts));
    return findings;
  }
}
