/**
 * Makes a scenario of lifetimes from a plan: deletion and new lives, retention, blobs.
 *
 *   B1  what varies is drawn in a fixed order: how history is cut, nodes, instances, workers; a source of zeroes builds the smallest.
 *   B2  settle bound: for each turn that may be planned a lease and a slack; late writes.
 *   B4  which checkers run depends on whether instances are deleted (`checkers/lifetimes.ts`): a call does not say which
 *       life of its instance it means, so what holds calls against instances is left out then.
 *   B3  quiet phase: four reconcile intervals, because what is pruned is erased by the pass after.
 */
import type {
  Checker,
  FaultPlan,
  Finding,
  Production,
  RunHistory,
  Scenario,
  Stage,
  StoreProfile,
} from "../sim/index.ts";
import type { EngineConfig } from "../src/index.ts";
import type { Facts } from "./checkers/facts.ts";
import { checkGraphs, GRAPHS } from "./checkers/i25-graphs.ts";
import { GRAPH_CHECKERS, lifetimeCheckers } from "./checkers/lifetimes.ts";
import { drawConfig, EngineProduction, factsOf, SPACE, statementsOf } from "./engine-production.ts";
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

const FAULTS_UNTIL_MS = 60_000;
const SETTLE_WITHIN_MS = 600_000;

export function buildLifetime(plan: LifetimePlan): Scenario {
  const { name, claim, faults } = plan;
  const { lives, blobs } = plan.shape;
  const checkers = plan.graphs === undefined ? lifetimeCheckers(lives > 1, blobs) : GRAPH_CHECKERS;
  const invariants = statementsOf(plan.graphs === undefined ? checkers : [...checkers, GRAPHS]);
  return { name, claim, faults, invariants, build: (stage) => produce(plan, stage, checkers) };
}

function produce(plan: LifetimePlan, stage: Stage, checkers: readonly Checker<Facts>[]): Production {
  const system = new LifetimeSystem(plan, stage, drawConfig(stage, plan.config), SPACE);
  return new EngineProduction(stage, system, {
    faultsUntilMs: FAULTS_UNTIL_MS,
    settleWithinMs: SETTLE_WITHIN_MS,
    lateByMs: plan.faults.lateByMs,
    // B3.
    quietIntervals: 4,
    judge: (history) => judgedInAllEpochs(plan, stage.store.profile, system, checkers, history),
  });
}

function* judgedInAllEpochs(
  plan: LifetimePlan,
  profile: StoreProfile,
  system: LifetimeSystem,
  checkers: readonly Checker<Facts>[],
  history: RunHistory,
): Iterable<readonly [string, Finding]> {
  const { headKey, epochs } = system.epochs();
  const { effects } = system.outside;
  const facts = new Map(
    epochs.map((epoch) => {
      const space = { ...SPACE, epoch };
      return [epoch, factsOf(history, system.decoder(epoch), profile, { space, effects })];
    }),
  );
  for (const checker of checkers)
    yield [checker.name, merged([...facts.values()].map((one) => checker.check(history, one)))];
  if (plan.graphs !== undefined) yield [GRAPHS.name, checkGraphs(history, headKey, facts)];
}

/** What a checker found in all epochs. */
function merged(findings: readonly Finding[]): Finding {
  const [only] = findings;
  if (only !== undefined && findings.length === 1) return only;
  let examined = 0;
  for (const one of findings) examined += one.examined;
  return { examined, violations: findings.flatMap(({ violations }) => violations) };
}
