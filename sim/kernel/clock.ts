/**
 * The clocks of one process: a wall clock that may be wrong, and a monotonic clock that starts at each boot.
 *
 *   C1  the wall clock is a fixed epoch, plus virtual time, plus the machine's drift and offset, cut to its tick;
 *   C2  the monotonic clock counts from the boot of this incarnation; it drifts with the machine, and neither offset
 *       nor tick touches it;
 *   C3  the settings belong to the machine: they survive a crash, and changing the offset is a step of the wall clock;
 *   C4  a sleep lasts at least its length by the monotonic clock that the sleeper reads.
 *
 * All of it is arithmetic on whole numbers of virtual time, so equal on every machine.
 */
import type { Clock } from "../../src/ports/clock.ts";
import { assert } from "../../src/std/assert.ts";

/** The wall time at virtual time 0, Unix milliseconds. */
export const EPOCH_MS = 1_700_000_000_000;

const MILLION = 1_000_000;
/** A clock that is wrong by more than a tenth is broken, not drifting. */
const MOST_DRIFT_PPM = 100_000;

/** The hardware clock of a machine. */
export interface MachineClock {
  offsetMs: number;
  /** Milliseconds gained in a million; negative: the clock is slow. */
  driftPpm: number;
  /** The wall clock only shows multiples of this; 1: it is exact. */
  tickMs: number;
}

/** What may be wrong with a machine's clock; what is left out stays as it is. */
export type ClockSettings = { readonly [setting in keyof MachineClock]?: number };

export function exactClock(): MachineClock {
  return { offsetMs: 0, driftPpm: 0, tickMs: 1 };
}

/** Sets the machine's clock; answers what has changed, in words by name. */
export function setClock(machine: MachineClock, settings: ClockSettings): readonly [string, string][] {
  const { offsetMs = machine.offsetMs, driftPpm = machine.driftPpm, tickMs = machine.tickMs } = settings;
  assert(Number.isInteger(offsetMs), "a clock offset is a whole number of milliseconds");
  assert(Number.isInteger(driftPpm) && Math.abs(driftPpm) <= MOST_DRIFT_PPM, "a drift of 10 % at most");
  assert(Number.isInteger(tickMs) && tickMs >= 1, "a tick is a whole number of milliseconds, 1 or more");
  const changes: [string, string][] = [];
  if (machine.driftPpm !== driftPpm) changes.push(["drift", `${driftPpm} ppm`]);
  if (machine.tickMs !== tickMs) changes.push(["tick", `${tickMs} ms`]);
  if (machine.offsetMs !== offsetMs) changes.push(["skew", `${offsetMs} ms`]);
  machine.offsetMs = offsetMs;
  machine.driftPpm = driftPpm;
  machine.tickMs = tickMs;
  return changes;
}

/** C1: what the machine's wall clock shows at a virtual time, Unix milliseconds. */
export function wallAt(machine: Readonly<MachineClock>, virtualMs: number): number {
  const exactMs = EPOCH_MS + machine.offsetMs + drifted(virtualMs, machine.driftPpm);
  return machine.tickMs === 1 ? exactMs : exactMs - (exactMs % machine.tickMs);
}

/** How long a clock with that drift takes `ms` milliseconds for. */
function drifted(ms: number, ppm: number): number {
  return ppm === 0 ? ms : ms + Math.trunc((ms * ppm) / MILLION);
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
    return wallAt(this.#machine, this.#now());
  }

  monotonicMs(): number {
    return drifted(this.#now() - this.#bootedAtMs, this.#machine.driftPpm);
  }

  sleep(ms: number): Promise<void> {
    assert(Number.isFinite(ms), "a sleep has a finite length");
    return new Promise((resolve) => this.#wake(this.#virtualDelay(Math.max(0, Math.ceil(ms))), resolve));
  }

  /** C4: two roundings, of the sleep's start and of its end, may each cost a millisecond. */
  #virtualDelay(ms: number): number {
    const ppm = this.#machine.driftPpm;
    return ppm === 0 || ms === 0 ? ms : Math.ceil((ms * MILLION) / (MILLION + ppm)) + 2;
  }
}
