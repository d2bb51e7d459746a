/**
 * The clocks of one process: a wall clock that may be wrong, and a monotonic clock that starts at each boot.
 *
 *   C1  the wall clock is a fixed epoch, plus virtual time, plus the machine's offset;
 *   C2  the monotonic clock is virtual time since the boot of this incarnation; an offset does not touch it;
 *   C3  the offset belongs to the machine: it survives a crash, and changing it is a step of the wall clock.
 *
 * Drift and coarse ticks are later settings of `MachineClock`; both are functions of virtual time alone.
 */
import type { Clock } from "../../src/ports/clock.ts";
import { assert } from "../../src/std/assert.ts";

/** The wall time at virtual time 0, Unix milliseconds. */
export const EPOCH_MS = 1_700_000_000_000;

/** The hardware clock of a machine. */
export interface MachineClock {
  offsetMs: number;
}

export class VirtualClock implements Clock {
  readonly #now: () => number;
  readonly #machine: MachineClock;
  readonly #bootedAtMs: number;
  readonly #wake: (delayMs: number, resolve: () => void) => void;

  /** `wake` calls back as this process after a delay of virtual time, or never when it has crashed. */
  constructor(
    now: () => number,
    machine: MachineClock,
    wake: (delayMs: number, resolve: () => void) => void,
  ) {
    this.#now = now;
    this.#machine = machine;
    this.#bootedAtMs = now();
    this.#wake = wake;
  }

  wallMs(): number {
    return EPOCH_MS + this.#now() + this.#machine.offsetMs;
  }

  monotonicMs(): number {
    return this.#now() - this.#bootedAtMs;
  }

  sleep(ms: number): Promise<void> {
    assert(Number.isFinite(ms), "a sleep has a finite length");
    return new Promise((resolve) => this.#wake(Math.max(0, Math.ceil(ms)), resolve));
  }
}
