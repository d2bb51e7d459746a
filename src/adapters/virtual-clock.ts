/**
 * A clock for tests of code that waits in several places at once: time stands still until nothing more can happen, then
 * it jumps to the next sleeper.
 *
 * "Nothing more can happen" is when the event loop has run dry once; so what is tested must not use real time, sockets or
 * files. Tests and measurements use it; the simulator has a clock of its own.
 */
import type { Clock } from "../ports/clock.ts";
import { assert } from "../std/assert.ts";
import type { Abortable } from "../std/cancel.ts";

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

export class VirtualClock implements Clock {
  /** Added to the elapsed time; set it to make the wall clock wrong. */
  wallOffsetMs: number;
  #elapsedMs = 0;
  readonly #sleepers: Sleeper[] = [];

  constructor(startWallMs = 1_000_000) {
    this.wallOffsetMs = startWallMs;
  }

  wallMs(): number {
    return Math.floor(this.wallOffsetMs + this.#elapsedMs);
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  sleep(ms: number, signal?: Abortable): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        const at = this.#sleepers.indexOf(sleeper);
        if (at >= 0) this.#sleepers.splice(at, 1);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const sleeper = { atMs: this.#elapsedMs + Math.max(0, ms), wake: end };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", end);
    });
  }

  /** How many sleeps are pending: 0 when all that was begun was also ended. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Lets time pass until the work is done, and answers what it answers. */
  async until<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const watched = work.finally(() => {
      settled = true;
    });
    watched.catch(() => undefined);
    for (await quiet(); !settled; await quiet()) {
      assert(this.#sleepers.length > 0, "somebody sleeps, or the work never ends");
      this.#wakeNext(Number.POSITIVE_INFINITY);
    }
    return watched;
  }

  /** Lets that much time pass. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#elapsedMs + ms;
    for (await quiet(); this.#wakeNext(untilMs); await quiet());
    this.#elapsedMs = untilMs;
  }

  #wakeNext(untilMs: number): boolean {
    const next = this.#sleepers.reduce<Sleeper | null>(
      (first, one) => (first === null || one.atMs < first.atMs ? one : first),
      null,
    );
    if (next === null || next.atMs > untilMs) return false;
    this.#elapsedMs = Math.max(this.#elapsedMs, next.atMs);
    next.wake();
    return true;
  }
}

function quiet(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
