/**
 * Makes a scenario of lifetimes from a plan: deletion and new lives, retention, blobs.
 *
 *   B1  what varies is drawn in a fixed order: nodes, instances, workers; a source of zeroes builds the smallest.
 *   B2  settle bound: for each turn that may be planned a lease and a slack; late writes.
 *   B4  which checkers run depends on whether instances are deleted (`checkers/lifetimes.ts`): a call does not say which
 *       life of its instance it means, so what holds calls against instances is left out then.
 *   B3  quiet phase: four reconcile intervals, because what is pruned is erased by the pass after.
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
import type { EngineConfig } from "../src/index.ts";
import { CONFIG } from "./build-scenario.ts";
import { Facts } from "./checkers/facts.ts";
import { checkGraphs, GRAPHS } from "./checkers/i25-graphs.ts";
import { GRAPH_CHECKERS, lifetimeCheckers } from "./checkers/lifetimes.ts";
import { LifetimeSystem, type LifetimeSystemPlan } from "./systems/lifetime-system.ts";

export interface LifetimePlan extends LifetimeSystemPlan {
  readonly name: string;
  readonly claim: string;
  readonly faults: FaultPlan;
  /** What differs from the configuration of other scenarios. */
  readonly config: Partial<EngineConfig>;
}

/** Faults that lifetimes are exposed to: lost and late requests, hidden retries, calls that come twice, crashes. */
export const LIFETIME_FAULTS: FaultPlan = {
  rates: {
    "F01-lost-answer": 15,
    "F02-lost-request": 15,
    "F03-late-write": 10,
    "F04-hidden-retry": 5,
    "F06-throttle": 5,
    "H02-lost-reply": 15,
    "D01-duplicate-request": 10,
    "N01-crash": 4,
    "N02-pause": 4,
  },
  lateByMs: 8_000,
  skewMs: 0,
  downMs: 4_000,
};

const SPACE = { tenant: CONFIG.tenant, graph: CONFIG.graph, epoch: String(CONFIG.epoch) };
const FAULTS_UNTIL_MS = 60_000;
const SETTLE_WITHIN_MS = 600_000;
const SLACK_MS = 5_000;

export function buildLifetime(plan: LifetimePlan): Scenario {
  const { name, claim, faults } = plan;
  const { lives, blobs } = plan.shape;
  const checkers = plan.graphs === undefined ? lifetimeCheckers(lives > 1, blobs) : GRAPH_CHECKERS;
  const graphs = plan.graphs === undefined ? [] : [GRAPHS];
  const told = [...STORE_CHECKERS, ...checkers, ...graphs];
  const invariants = new Map(told.map((one) => [one.name, one.statement]));
  return { name, claim, faults, invariants, build: (stage) => new LifetimeProduction(plan, stage, checkers) };
}

class LifetimeProduction implements Production {
  readonly faultsUntilMs = FAULTS_UNTIL_MS;
  readonly settleWithinMs = SETTLE_WITHIN_MS;
  readonly #plan: LifetimePlan;
  readonly #stage: Stage;
  readonly #system: LifetimeSystem;
  readonly #checkers: readonly Checker<Facts>[];

  constructor(plan: LifetimePlan, stage: Stage, checkers: readonly Checker<Facts>[]) {
    this.#plan = plan;
    this.#stage = stage;
    this.#checkers = checkers;
    this.#system = new LifetimeSystem(plan, stage, { ...CONFIG, ...plan.config }, SPACE);
  }

  /** B3. */
  get quietMs(): number {
    const lateMs = this.#stage.store.lateWrites > 0 ? this.#plan.faults.lateByMs : 0;
    return 4 * CONFIG.reconcile_ms + SLACK_MS + lateMs;
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
    const { headKey, epochs } = this.#system.epochs();
    const facts = new Map(epochs.map((epoch) => [epoch, this.#facts(history, epoch)]));
    for (const checker of this.#checkers)
      findings.set(checker.name, merged([...facts.values()].map((one) => checker.check(history, one))));
    if (this.#plan.graphs !== undefined) findings.set(GRAPHS.name, checkGraphs(history, headKey, facts));
    return findings;
  }

  #facts(history: RunHistory, epoch: string): Facts {
    const { effects } = this.#system.outside;
    const bounds = { epochMs: EPOCH_MS, hiddenWithinMs: CONFIG.reconcile_ms + SLACK_MS };
    const space = { ...SPACE, epoch };
    const setup = { space, workload: { instances: [] }, effects, damaged: [], ...bounds };
    return new Facts(history, setup, this.#system.decoder(epoch));
  }
}

/** What a checker found in all epochs. */
function merged(findings: readonly Finding[]): Finding {
  const [only] = findings;
  if (only !== undefined && findings.length === 1) return only;
  let examined = 0;
  for (const one of findings) examined += one.examined;
  return { examined, violations: findings.flatMap(({ violations }) => violations) };
}
