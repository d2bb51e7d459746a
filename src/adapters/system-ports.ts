/**
 * The machine's own clock, identifiers and randomness.
 *
 *   T1  `monotonicMs` never goes back, whatever is done to the machine's wall clock.
 *   T2  a sleep lasts at least as long as asked, measured on the clock that was asked: timers may fire up to a
 *       millisecond early, so what is missing is slept again.
 *   T3  `stop` ends every sleep at once, and every later one: loops that wait come round and can see that they are to
 *       end.
 *       An aborted `signal` ends the one sleep that it was given to.
 *   T4  a sleep does not keep the process alive when the clock is made with `background`.
 *
 * A clock may be made wrong on purpose, to show that safety does not depend on it: `offsetMs` shifts the wall clock,
 * `rate` makes all time of this clock pass so many times as fast (both clocks, and sleeps end accordingly).
 */
import { randomBytes, randomInt } from "node:crypto";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";
import type { Abortable } from "../std/cancel.ts";

export interface SystemClockOptions {
  /** Added to the wall clock, milliseconds. Default: 0. */
  readonly offsetMs?: number;
  /** How fast this clock goes: 1.001 gains a millisecond in a second. Above 0. Default: 1. */
  readonly rate?: number;
  /** T4. Default: false. */
  readonly background?: boolean;
}

/** The longest time that a timer can be set to. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class SystemClock implements Clock {
  readonly #offsetMs: number;
  readonly #rate: number;
  readonly #background: boolean;
  readonly #startWallMs = Date.now();
  readonly #sleeping = new Set<() => void>();
  #stopped = false;

  constructor(options: SystemClockOptions = {}) {
    this.#offsetMs = options.offsetMs ?? 0;
    this.#rate = options.rate ?? 1;
    this.#background = options.background ?? false;
    if (!(this.#rate > 0 && Number.isFinite(this.#rate))) throw new RangeError("a clock's rate is above 0");
  }

  wallMs(): number {
    const nowMs = Date.now();
    const gainedMs = this.#rate === 1 ? 0 : (nowMs - this.#startWallMs) * (this.#rate - 1);
    return Math.floor(nowMs + gainedMs + this.#offsetMs);
  }

  monotonicMs(): number {
    return performance.now() * this.#rate;
  }

  async sleep(ms: number, signal?: Abortable): Promise<void> {
    const untilMs = this.monotonicMs() + ms;
    const isOver = () => this.#stopped || signal?.aborted === true;
    for (let leftMs = ms; leftMs > 0 && !isOver(); leftMs = untilMs - this.monotonicMs())
      await this.#wait(Math.min(Math.ceil(leftMs / this.#rate), LONGEST_TIMER_MS), signal);
  }

  /** T3. */
  stop(): void {
    this.#stopped = true;
    for (const wake of [...this.#sleeping]) wake();
  }

  #wait(ms: number, signal: Abortable | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#sleeping.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      if (this.#background) timer.unref();
      this.#sleeping.add(wake);
      signal?.addEventListener("abort", wake);
    });
  }
}

/** Identifiers of 128 random bits each, in 22 characters of `A-Z a-z 0-9 _ -`. */
export const SYSTEM_IDS: Ids = { next: () => freshId() };

export const SYSTEM_RANDOM: Random = { below: (n) => randomInt(n) };

const ID_BYTES = 16;
/** Random bytes are fetched for many ids at once: each fetch costs more than an id. */
const POOL_BYTES = 256 * ID_BYTES;
let pool = Buffer.alloc(0);
let used = 0;

function freshId(): string {
  if (used + ID_BYTES > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += ID_BYTES;
  return pool.toString("base64url", used - ID_BYTES, used);
}
