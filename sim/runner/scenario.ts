/**
 * What a scenario is: a system, a workload and the checks on what became of it.
 *
 * A run has four phases: `faults` (workload under faults), `settle` (faults off, everything restarted; the
 * workload must finish within a bound), `quiet` (the workload is done; sweeps go on), and then the checks.
 */
import type { Finding } from "../checkers/checker.ts";
import type { FaultPlan } from "../faults/plan.ts";
import type { FaultKind, RunHistory } from "../history/history.ts";
import type { Simulation } from "../kernel/simulation.ts";
import type { SimulatedStore } from "../store/simulated-store.ts";

export interface Scenario {
  /** kebab-case, unique in the catalogue. */
  readonly name: string;
  /** What it claims, in one sentence. */
  readonly claim: string;
  /** What may strike, and how often. */
  readonly faults: FaultPlan;
  /** How long requests to the store take; absent: fast. */
  readonly latency?: "fast" | "modelled";
  /** What its checks hold against a run, in words, by the checkers' names; for people. */
  readonly invariants?: ReadonlyMap<string, string>;
  /** Sets the system up and starts it. */
  build(stage: Stage): Production;
}

/** What a scenario builds on. */
export interface Stage {
  readonly simulation: Simulation;
  readonly store: SimulatedStore;
  /** What the user asked for, for example `nodes`; absent: the scenario's own. */
  readonly options: { readonly nodes?: number };
  /**
   * Whether a fault strikes now that only the code around the system can do (N07, D03), by the plan's rate. Counted
   * when it answers true, so the caller does it then.
   */
  strikes(kind: FaultKind): boolean;
}

/** A system set up and running. */
export interface Production {
  /** Whether the workload is done. Asked between events. */
  finished(): boolean;
  /** In words, what is not done and what it waits for. */
  waiting(): string;
  /** Ends the faults phase at this virtual time at the latest. */
  readonly faultsUntilMs: number;
  /** Virtual time the settle phase may take. */
  readonly settleWithinMs: number;
  /** Virtual time of the quiet phase. */
  readonly quietMs: number;
  /** Restarts what is down, resumes what is paused. Faults are already off. */
  heal(): void;
  /** All checks, by the checkers' names. */
  check(history: RunHistory): ReadonlyMap<string, Finding>;
}
