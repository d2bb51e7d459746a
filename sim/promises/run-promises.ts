/**
 * One run of a scenario under a scheduler of promises: the same system, workload and checks, without faults of store
 * and network.
 *
 *   P1  the phases are those of `runScenario`: until the work is done or the time of faults is over; healed, until it
 *       is done or its bound has passed; quiet; then all checks.
 *   P2  what the workload draws comes from the seed; draws for faults answer 0, which is no fault (K2).
 *   P3  a run ends after `MOST_STEPS` promises and timers at the latest: without progress, as far as can be told.
 */
import { FaultInjector, NO_FAULTS } from "../faults/index.ts";
import type { RunHistory } from "../history/history.ts";
import { type ChoiceSource, SeedSource } from "../kernel/index.ts";
import { brokenInvariants, type Outcome, type Production, type Scenario } from "../runner/index.ts";
import { AWS_S3, SimulatedStore } from "../store/index.ts";
import type { PromiseScheduler } from "./promise-scheduler.ts";
import { PromiseSimulation } from "./promise-simulation.ts";

const MOST_STEPS = 30_000;
/** Draws that are faults of store or network. */
const FAULT_DRAWS: ReadonlySet<string> = new Set(["aimed-fault", "outage-write"]);

/** Lets everything that follows from the last step run. */
export type Turn = () => Promise<void>;

/** The invariants that the run broke, the first to look at in front; none: it passed. */
export async function runUnderPromises(
  scenario: Scenario,
  seed: number,
  scheduler: PromiseScheduler,
  turn: Turn,
): Promise<readonly string[]> {
  const seeded = new SeedSource(seed);
  const choices: ChoiceSource = {
    choose: (n, label) => (FAULT_DRAWS.has(label) ? 0 : seeded.choose(n, label)),
  };
  const simulation = new PromiseSimulation(scheduler, choices);
  const faults = new FaultInjector(NO_FAULTS, choices, () => simulation.now());
  const store = new SimulatedStore(simulation, { faults, profile: AWS_S3 });
  const production = scenario.build({ simulation, store, options: {}, strikes: () => false });
  return new PromiseRun(simulation, store, production, turn).outcome();
}

class PromiseRun {
  readonly #simulation: PromiseSimulation;
  readonly #store: SimulatedStore;
  readonly #production: Production;
  readonly #turn: Turn;
  #healedAtMs: number | null = null;
  #steps = 0;

  constructor(simulation: PromiseSimulation, store: SimulatedStore, production: Production, turn: Turn) {
    this.#simulation = simulation;
    this.#store = store;
    this.#production = production;
    this.#turn = turn;
  }

  /** P1. */
  async outcome(): Promise<readonly string[]> {
    const production = this.#production;
    await this.#turn();
    await this.#until(production.faultsUntilMs, () => production.finished());
    this.#healedAtMs = this.#simulation.now();
    production.heal();
    const done = await this.#until(this.#simulation.now() + production.settleWithinMs, () =>
      production.finished(),
    );
    if (done) await this.#until(this.#simulation.now() + production.quietMs, () => false);
    if (this.#simulation.crash !== null) return ["crash"];
    const violations = [...production.check(this.#history()).values()].flatMap(
      (finding) => finding.violations,
    );
    const outcome: Outcome = done
      ? violations.length === 0
        ? { kind: "pass" }
        : { kind: "violation", violations }
      : { kind: "no-progress", waiting: production.waiting(), violations };
    return brokenInvariants(outcome);
  }

  /** Whether the work was done before the time. */
  async #until(deadlineMs: number, done: () => boolean): Promise<boolean> {
    for (;;) {
      if (this.#simulation.crash !== null) return false;
      if (done()) return true;
      if (this.#simulation.now() >= deadlineMs || this.#steps++ >= MOST_STEPS) return false;
      if (!(await this.#simulation.step())) return false;
      await this.#turn();
    }
  }

  #history(): RunHistory {
    return {
      operations: this.#store.operations,
      chains: this.#store.chains,
      calls: this.#simulation.calls,
      incidents: this.#simulation.incidents,
      healedAtMs: this.#healedAtMs,
      endedAtMs: this.#simulation.now(),
    };
  }
}
