/**
 * What may happen to processes at points of their own code: a worker dies or stalls, a node loses or does not
 * survive a certain write. The faults that strike blindly are the harness's; these know where they are.
 *
 *   Z1  nothing happens once `on` is false (the heal), and nothing is drawn for a rate of 0.
 *   Z2  a process that a hazard took down comes back by itself only while hazards are on.
 */
import type { Process, Simulation } from "../../sim/index.ts";

/** Chances out of 1,000 at each point of a worker's code. */
export interface WorkerHazards {
  readonly death: number;
  /** Stops for longer than a lease, as a process does that the machine took the processor from. */
  readonly stall: number;
}

export const NO_WORKER_HAZARDS: WorkerHazards = { death: 0, stall: 0 };

const RANGE = 1000;

export class Hazards {
  on = true;
  readonly #simulation: Simulation;
  readonly #workers: WorkerHazards;
  readonly #downMs: number;

  constructor(simulation: Simulation, workers: WorkerHazards, downMs: number) {
    this.#simulation = simulation;
    this.#workers = workers;
    this.#downMs = downMs;
  }

  /** What happens to a worker at this point. */
  atWorker(): "nothing" | "death" | "stall" {
    const { death, stall } = this.#workers;
    if (!this.on || death + stall === 0) return "nothing";
    const drawn = this.#simulation.choices.choose(RANGE, "worker-hazard");
    if (drawn >= RANGE - death) return "death";
    return drawn >= RANGE - death - stall ? "stall" : "nothing";
  }

  /** Whether something with this chance out of 1,000 happens. */
  strikes(permille: number): boolean {
    if (!this.on || permille === 0) return false;
    return this.#simulation.choices.choose(RANGE, "aimed-fault") >= RANGE - permille;
  }

  /** Crashes the process now and restarts it later. */
  kill(process: Process<unknown>): void {
    process.crash();
    const downMs = 1 + this.#simulation.choices.choose(Math.max(1, this.#downMs), "hazard-down-time");
    this.#simulation.after(downMs, "hazard-restart", () => {
      if (this.on && !process.running) process.start();
    });
  }
}

/** Waits for ever: what the code of a process that has just been crashed does. */
export function never<T = never>(): Promise<T> {
  return new Promise(() => undefined);
}
