/**
 * The clock of a process in a run of several: one time axis for all of them, and a wall clock that may be wrong.
 *
 * `process.hrtime` counts from the start of the machine, so what two processes of it read can be compared.
 *
 *   R1  `nowMs` is milliseconds since the start of the run, with microseconds, the same for every process.
 *   R2  the wall clock is computed from it and from what was agreed at the start, and not read from the machine: so what
 *       it showed at any time can be said afterwards. The settings say how wrong it is, from when on. It goes by whole
 *       milliseconds, so that a drift cannot turn it back within one.
 */
import type { Clock } from "../ports/clock.ts";
import type { Abortable } from "../std/cancel.ts";
import { SystemClock } from "./system-ports.ts";

/** How wrong the wall clock is from a time of the run on. */
export interface ClockSetting {
  readonly fromMs: number;
  readonly offsetMs: number;
  readonly driftPpm: number;
}

export interface RunStart {
  /** `process.hrtime` at the start of the run, microseconds. */
  readonly atUs: number;
  /** The wall clock then. */
  readonly epochMs: number;
}

const MILLION = 1_000_000;

function machineUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** A run that starts now. */
export function startOfRun(): RunStart {
  return { atUs: machineUs(), epochMs: Date.now() };
}

export class RunClock implements Clock {
  readonly #start: RunStart;
  readonly #settings: readonly ClockSetting[];
  readonly #timers: SystemClock;

  /** `settings`: oldest first; none: the clock is right. */
  constructor(start: RunStart, settings: readonly ClockSetting[] = [], background = false) {
    this.#start = start;
    this.#settings = settings;
    this.#timers = new SystemClock({ background });
  }

  nowMs(): number {
    return (machineUs() - this.#start.atUs) / 1_000;
  }

  wallMs(): number {
    const nowMs = Math.floor(this.nowMs());
    const setting = this.#settings.findLast(({ fromMs }) => fromMs <= nowMs);
    const { offsetMs, driftPpm } = setting ?? { offsetMs: 0, driftPpm: 0 };
    return this.#start.epochMs + offsetMs + nowMs + Math.trunc((nowMs * driftPpm) / MILLION);
  }

  monotonicMs(): number {
    return this.nowMs();
  }

  sleep(ms: number, signal?: Abortable): Promise<void> {
    return this.#timers.sleep(ms, signal);
  }

  /** Ends every sleep. */
  stop(): void {
    this.#timers.stop();
  }
}
