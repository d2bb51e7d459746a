/**
 * Makes a scenario from a plan: nodes, workers, senders, a drawn workload and all checkers.
 *
 *   B1  what varies is drawn in a fixed order: how history is cut, nodes, workers, workload; a source of zeroes builds the smallest.
 *   B2  the workload is done when every message is acknowledged and every inbox is empty or stands behind a turn
 *       that failed for good.
 *   B3  settle bound: late writes, plus for each turn one lease, one reconcile interval and for each attempt that
 *       it still needs the longest back-off, its steps and `OVERHEAD_MS` for calls; plus the same once for the
 *       whole system and the largest step that a clock may have made back; where the store limits the writes of a
 *       key, the time of `WRITES_IN_A_LEASE` of them for each attempt. Clock skew is only in it where a worker names a
 *       time, which another clock may take for a late one: else the node whose clock is ahead is asked too.
 *   B4  quiet phase: two reconcile intervals (`engine-production.ts`).
 */
import type { Checker, FaultPlan, Production, Scenario, Stage, StoreProfile } from "../sim/index.ts";
import type { EngineConfig } from "../src/index.ts";
import type { Facts } from "./checkers/facts.ts";
import { ENGINE_CHECKERS } from "./checkers/index.ts";
import { workerCheckers } from "./checkers/workers.ts";
import {
  CONFIG,
  drawConfig,
  EngineProduction,
  factsOf,
  judged,
  SPACE,
  statementsOf,
} from "./engine-production.ts";
import { RunningSystem, type SystemPlan } from "./systems/running-system.ts";
import { type Circumstances, drawWorkload } from "./workloads/draw-workload.ts";
import { type Workload, type WorkloadShape, waitsMs } from "./workloads/workload.ts";

export interface ScenarioPlan extends SystemPlan {
  readonly name: string;
  readonly claim: string;
  readonly faults: FaultPlan;
  readonly shape: WorkloadShape;
  /** What differs from the configuration of other scenarios; absent: nothing. */
  readonly config?: Partial<EngineConfig>;
}

const FAULTS_UNTIL_MS = 90_000;
const LONGEST_BACKOFF_MS = 60_000;
const OVERHEAD_MS = 10_000;
/** A turn must get through within a lease, so a lease has room for this many writes to one key. */
const WRITES_IN_A_LEASE = 12;
/** Steps that a clock makes at most, and what a start may set it back. */
const CLOCK_STEPS = 3;

export function buildScenario(plan: ScenarioPlan): Scenario {
  const { name, claim, faults } = plan;
  return {
    name,
    claim,
    faults,
    invariants: statementsOf(checkersOf(plan)),
    build: (stage) => produce(plan, stage),
  };
}

/** Those of workers and servers look at what went over HTTP; some of them only where there is something to see. */
function checkersOf({ http, shape }: ScenarioPlan): readonly Checker<Facts>[] {
  if (http === undefined) return ENGINE_CHECKERS;
  const reports = shape.waits?.acts.includes("operate") === true;
  return [...ENGINE_CHECKERS, ...workerCheckers({ stops: http.stops, reports })];
}

/** The scenario with a workload that is given instead of drawn. */
export function withWorkload(plan: ScenarioPlan, workload: Workload): Scenario {
  return { ...buildScenario(plan), build: (stage) => produce(plan, stage, workload) };
}

function produce(plan: ScenarioPlan, stage: Stage, given?: Workload): Production {
  const system = new RunningSystem(plan, stage, drawConfig(stage, plan.config), SPACE);
  const workload = given ?? drawWorkload(stage.simulation.choices, plan.shape, circumstancesOf(stage));
  system.start(workload);
  const { outside, damaged, decoder } = system;
  return new EngineProduction(stage, system, {
    faultsUntilMs: FAULTS_UNTIL_MS,
    settleWithinMs: settleWithinMs(workload, plan.faults, stage.store.profile),
    lateByMs: plan.faults.lateByMs,
    quietIntervals: 2,
    judge: (history) => {
      const facts = factsOf(history, decoder, stage.store.profile, {
        workload,
        effects: outside.effects,
        damaged,
        http: system.http,
        changed: outside.changed,
      });
      return judged(checkersOf(plan), history, facts);
    },
  });
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
  const { lateByMs, skewMs, stepMs = 0 } = faults;
  let totalMs = lateByMs + stepMs + CONFIG.reconcile_ms + LONGEST_BACKOFF_MS + OVERHEAD_MS;
  const slowMs = WRITES_IN_A_LEASE * betweenWritesMs(profile);
  const apartMs = 2 * (skewMs + CLOCK_STEPS * stepMs);
  for (const { lease_ms, messages } of workload.instances)
    for (const message of messages) {
      const { depth, retryable, steps, stepMs } = message;
      const attemptMs = LONGEST_BACKOFF_MS + steps * stepMs + OVERHEAD_MS + slowMs;
      totalMs += waitsMs(message) + (message.turnedAway?.times ?? 0) * apartMs;
      totalMs += (1 + depth) * (lease_ms + CONFIG.reconcile_ms) + (1 + depth + retryable) * attemptMs;
    }
  return totalMs;
}
