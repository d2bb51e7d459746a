/**
 * One life of a process, from its start to its end: what its code is given, and what keeps its events waiting.
 *
 *   S3  a life that has ended never runs again, whatever it awaited;
 *   S4  events due while it is paused are held in their order;
 *   N1  while it is starved, everything that becomes due for it runs later by the same time, so in the same order;
 *   B1  each boot makes one draw, `boot`; ids are unique in a run whatever is drawn.
 */
import type { Clock } from "../../src/ports/clock.ts";
import type { Ids } from "../../src/ports/ids.ts";
import type { Random } from "../../src/ports/random.ts";
import { fnv1a } from "../../src/std/hash.ts";
import type { ChoiceSource } from "./choice.ts";
import { type MachineClock, VirtualClock } from "./clock.ts";
import type { EventQueue, PendingEvent } from "./event-queue.ts";
import type { ProcessContext } from "./simulation.ts";

/** What a life needs of the world it stands in. */
export interface LifeHost {
  readonly choices: ChoiceSource;
  readonly queue: EventQueue<Incarnation>;
  now(): number;
  /** The next number of the run, from 1. */
  nextNumber(): number;
}

const BOOT_DRAWS = 0x1_0000_0000;

export class Incarnation implements ProcessContext {
  readonly name: string;
  readonly incarnation: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  /** Names this life in the fingerprint. */
  readonly hash: number;
  /** Events that became due while it was paused, oldest first. */
  readonly held: PendingEvent<Incarnation>[] = [];
  paused = false;
  /** How much later than due its events run; 0: on time. */
  lateMs = 0;
  /** Whether the release of a held event is pending. */
  releasing = false;
  #alive = true;

  constructor(host: LifeHost, name: string, incarnation: number, machine: MachineClock) {
    this.name = name;
    this.incarnation = incarnation;
    this.hash = (fnv1a(name) + incarnation) % 0x1_0000_0000;
    this.clock = new VirtualClock(
      () => host.now(),
      machine,
      (delayMs, resolve) => {
        if (this.#alive) host.queue.add(host.now() + delayMs, "sleep", this, resolve);
      },
    );
    const boot = host.choices.choose(BOOT_DRAWS, "boot").toString(16);
    this.ids = { next: () => `${name}-${boot}-${host.nextNumber().toString(36)}` };
    this.random = { below: (n, label) => (this.#alive ? host.choices.choose(n, label) : 0) };
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Whether an event that is due now must wait. */
  get holds(): boolean {
    return this.paused || this.held.length > 0 || this.lateMs > 0;
  }

  die(): void {
    this.#alive = false;
    if (this.held.length > 0) this.held.length = 0;
  }
}
