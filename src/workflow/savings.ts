/**
 * What a worker may save itself of the requests that the documented protocol has for a turn.
 *
 *   V1  each saving moves when something is written, never what: keys, positions, effect ids and outputs are the same
 *       with all of them and with none.
 *   V2  a server that does not know what a completion may carry besides refuses it whole and has done nothing. It is then
 *       asked as documented, and for `OLDER_MS` so is every server of this worker.
 *
 * What each one widens is in the README beside this file. Does not own how they are carried out (`step-run.ts`,
 * `held-step.ts`, `completion.ts`, `worker.ts`).
 */
import type { Clock } from "../ports/clock.ts";

export interface WorkerSavings {
  /**
   * When the start of a step is recorded. `long`: once it still runs at the first renewal of the lease after it began; at
   * once when the step has limits of its own, and before its first report.
   */
  readonly recordOperations: "always" | "long";
  /** Whether a finished step may wait for what is saved next, and go with the completion when that is it. */
  readonly foldLastStep: boolean;
  /** Whether a completion claims the instance's next turn for the slot that it frees. */
  readonly claimNext: boolean;
}

export const DEFAULT_SAVINGS: WorkerSavings = {
  recordOperations: "long",
  foldLastStep: true,
  claimNext: true,
};

/** The protocol as it is documented: a request for each start, each step and each claim. */
export const DOCUMENTED: WorkerSavings = {
  recordOperations: "always",
  foldLastStep: false,
  claimNext: false,
};

/** After so long a server is asked again: it may be a newer one by then. */
const OLDER_MS = 600_000;

/** V2: whether the servers of one worker take more than is documented, as far as it has been told. */
export class TakesMore {
  readonly #clock: Clock;
  #olderUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get now(): boolean {
    return this.#clock.monotonicMs() >= this.#olderUntilMs;
  }

  /** A completion was refused for what it carried, and taken without. */
  refused(): void {
    this.#olderUntilMs = this.#clock.monotonicMs() + OLDER_MS;
  }
}
