/**
 * Clock, ids and randomness that a test holds in its hand. Nothing waits: a sleep moves the clock and returns. For
 * tests and measurements.
 */
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { Random } from "../ports/random.ts";

export class ManualClock implements Clock {
  /** The wall clock; set it to make it wrong. */
  nowMs: number;
  #elapsedMs = 0;
  readonly sleeps: number[] = [];
  /** Runs in each sleep, after time has moved: what others do meanwhile. */
  duringSleep: () => Promise<unknown> = () => Promise.resolve();

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  wallMs(): number {
    return this.nowMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** Lets time pass. */
  pass(ms: number): void {
    this.nowMs += ms;
    this.#elapsedMs += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.sleeps.push(ms);
    this.pass(ms);
    await this.duringSleep();
  }
}

/** `<name>-1`, `<name>-2`, … */
export function countedIds(name: string): Ids {
  let count = 0;
  return { next: () => `${name}-${++count}` };
}

/** Always the smallest number. */
export const LOWEST: Random = { below: () => 0 };
