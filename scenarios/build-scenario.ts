/**
 * Makes a scenario from a plan: nodes, workers, senders, a drawn workload and all checkers.
 *
 *   B1  what varies is drawn in a fixed order: nodes, workers, workload; a source of zeroes builds the smallest.
 *   B2  the workload is done when every message is acknowledged and every inbox is empty or stands behind a turn
 *       that failed for good.
 *   B3  settle bound: late writes, plus for each turn one lease, one reconcile interval and for each attempt that
 *       it still needs the longest back-off, its steps and `OVERHEAD_MS` for calls; plus the same once for the
 *       whole system and the largest step that a clock may have made back; where the store limits the writes of a
 *       key, the time of `WRITES_IN_A_LEASE` of them for each attempt. Clock skew is not in it: workers ask every
 *       node in turn, so the node whose clock is ahead is asked too.
 *   B4  quiet phase: two reconcile intervals and `SLACK_MS`, and the time of late writes that are still to land.
 */
import {
  EPOCH_MS,
  type FaultPlan,
  type Finding,
  type Production,
  type RunHistory,
  type Scenario,
  STORE_CHECKERS,
  type Stage,
  type StoreProfile,
} from "../sim/index.ts";
import { DEFAULT_CONFIG } from "../src/index.ts";
import { Facts } from "./checkers/facts.ts";
import { ENGINE_CHECKERS } from "./checkers/index.ts";
import { RunningSystem, type SystemPlan } from "./systems/running-system.ts";
import { type Circumstances, drawWorkload } from "./workloads/draw-workload.ts";
import { type Workload, type WorkloadShape, waitsMs } from "./workloads/workload.ts";

export interface ScenarioPlan extends SystemPlan {
  readonly name: string;
  readonly claim: string;
  readonly faults: FaultPlan;
  readonly shape: WorkloadShape;
}

/** How fast the nodes of the simulation look and sweep. */
export const CONFIG = { ...DEFAULT_CONFIG, poll_ms: 1_000, reconcile_ms: 8_000 };
const SPACE = { tenant: CONFIG.tenant, graph: CONFIG.graph, epoch: String(CONFIG.epoch) };

const FAULTS_UNTIL_MS = 90_000;
const LONGEST_BACKOFF_MS = 60_000;
const OVERHEAD_MS = 10_000;
const SLACK_MS = 5_000;
/** A turn must get through within a lease, so a lease has room for this many writes to one key. */
const WRITES_IN_A_LEASE = 12;
/** The longest that the index may hide ready work once faults are off: an interval and two passes. */
const HIDDEN_WITHIN_MS = CONFIG.reconcile_ms + SLACK_MS;

const INVARIANTS: ReadonlyMap<string, string> = new Map(
  [...STORE_CHECKERS, ...ENGINE_CHECKERS].map(({ name, statement }) => [name, statement]),
);

export function buildScenario(plan: ScenarioPlan): Scenario {
  const { name, claim, faults } = plan;
  return { name, claim, faults, invariants: INVARIANTS, build: (stage) => produce(plan, stage) };
}

/** The scenario with a workload that is given instead of drawn. */
export function withWorkload(plan: ScenarioPlan, workload: Workload): Scenario {
  return { ...buildScenario(plan), build: (stage) => produce(plan, stage, workload) };
}

function produce(plan: ScenarioPlan, stage: Stage, given?: Workload): Production {
  return new EngineProduction(plan, stage, given);
}

/** A class and not an object with a getter: each of those makes a shape of its own, which outlives its run in memory. */
class EngineProduction implements Production {
  readonly faultsUntilMs = FAULTS_UNTIL_MS;
  readonly settleWithinMs: number;
  readonly #plan: ScenarioPlan;
  readonly #stage: Stage;
  readonly #system: RunningSystem;
  readonly #workload: Workload;

  constructor(plan: ScenarioPlan, stage: Stage, given?: Workload) {
    this.#plan = plan;
    this.#stage = stage;
    this.#system = new RunningSystem(plan, stage, CONFIG, SPACE);
    this.#workload = given ?? drawWorkload(stage.simulation.choices, plan.shape, circumstancesOf(stage));
    this.#system.start(this.#workload);
    this.settleWithinMs = settleWithinMs(this.#workload, plan.faults, stage.store.profile);
  }

  /** B4. */
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
    const { outside, damaged, decoder } = this.#system;
    const bounds = { epochMs: EPOCH_MS, hiddenWithinMs: HIDDEN_WITHIN_MS };
    const setup = {
      space: SPACE,
      workload: this.#workload,
      effects: outside.effects,
      damaged,
      ...bounds,
    };
    const facts = new Facts(history, setup, decoder);
    for (const checker of ENGINE_CHECKERS) findings.set(checker.name, checker.check(history, facts));
    return findings;
  }
}

function circumstancesOf(stage: Stage): Circumstances {
  const leastLeaseMs = WRITES_IN_A_LEASE * betweenWritesMs(stage.store.profile);
  return { poisons: () => stage.strikes("D03-poison"), leastLeaseMs };
}

/** How long a key rests after a write, when the store limits its writes. */
function betweenWritesMs({ writesPerSecond }: StoreProfile): number {
  return writesPerSecond === null ? 0 : Math.ceil(1_000 / writesPerSecond);
}

/** B3. */
function settleWithinMs(workload: Workload, faults: FaultPlan, profile: StoreProfile): number {
  const { lateByMs, stepMs = 0 } = faults;
  let totalMs = lateByMs + stepMs + CONFIG.reconcile_ms + LONGEST_BACKOFF_MS + OVERHEAD_MS;
  const slowMs = WRITES_IN_A_LEASE * betweenWritesMs(profile);
  for (const { lease_ms, messages } of workload.instances)
    for (const message of messages) {
      const { depth, retryable, steps, stepMs } = message;
      const attemptMs = LONGEST_BACKOFF_MS + steps * stepMs + OVERHEAD_MS + slowMs;
      totalMs += waitsMs(message);
      totalMs += (1 + depth) * (lease_ms + CONFIG.reconcile_ms) + (1 + depth + retryable) * attemptMs;
    }
  return totalMs;
}
