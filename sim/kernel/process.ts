/**
 * Processes: code that runs with memory of its own, crashes, restarts, freezes and goes on.
 *
 *   S2  `main` and everything it awaits runs inside events that the incarnation owns;
 *   S3  a crash takes the incarnation's events out of the queue and marks it dead: nothing it awaits is answered.
 *       What runs on in the same drain can no longer reach anything;
 *   S4  events due while it is paused are held in their order, and released one by one after `resume`, before
 *       anything that becomes due later;
 *   B1  each boot makes one draw, `boot`; ids are unique in a run whatever is drawn.
 *
 * A `main` that returns leaves its process running: it has set up what it serves. A `main` that rejects is a
 * crash of the code under test and ends the run.
 *
 * Not owned: what a request in flight does after its sender's death; the store and the hop decide that.
 */
import type { Clock } from "../../src/ports/clock.ts";
import type { Ids } from "../../src/ports/ids.ts";
import type { Random } from "../../src/ports/random.ts";
import { assert } from "../../src/std/assert.ts";
import { fnv1a } from "../../src/std/hash.ts";
import type { ChoiceSource } from "./choice.ts";
import { type MachineClock, VirtualClock } from "./clock.ts";
import type { EventQueue, PendingEvent } from "./event-queue.ts";
import type { Main, Process, ProcessContext } from "./simulation.ts";

/** What a process needs of the world it stands in. */
export interface ProcessHost {
  readonly choices: ChoiceSource;
  readonly queue: EventQueue<Incarnation>;
  now(): number;
  /** The next number of the run, from 1. */
  nextNumber(): number;
  /** Runs an event's code as that incarnation, and counts it as an event. */
  fireAs(owner: Incarnation, label: string, fire: () => void): void;
  incident(kind: string, process: string, detail: string): void;
  /** The code under test has thrown. */
  crashed(owner: Incarnation, error: unknown): void;
}

const BOOT_DRAWS = 0x1_0000_0000;
const NAME = /^[A-Za-z0-9_-]{1,32}$/;

/** One life of a process, from its start to its crash. */
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
  /** Whether the release of a held event is pending. */
  releasing = false;
  #alive = true;

  constructor(host: ProcessHost, name: string, incarnation: number, machine: MachineClock) {
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

  /** Whether an event that is due now must wait its turn. */
  get holds(): boolean {
    return this.paused || this.held.length > 0;
  }

  die(): void {
    this.#alive = false;
    this.held.length = 0;
  }
}

export class ProcessHandle<Service> implements Process<Service> {
  readonly name: string;
  readonly #host: ProcessHost;
  readonly #main: Main<Service>;
  readonly #machine: MachineClock = { offsetMs: 0 };
  #boots = 0;
  #current: Incarnation | null = null;
  #service: Service | null = null;

  constructor(host: ProcessHost, name: string, main: Main<Service>) {
    assert(NAME.test(name), "a process name is 1 to 32 characters of A-Z a-z 0-9 _ -");
    this.name = name;
    this.#host = host;
    this.#main = main;
  }

  /** The life it lives now; null while it is down. */
  get current(): Incarnation | null {
    return this.#current;
  }

  get running(): boolean {
    return this.#current !== null;
  }

  get paused(): boolean {
    return this.#current?.paused ?? false;
  }

  get service(): Service | null {
    return this.#service;
  }

  /** Milliseconds that its wall clock is ahead. */
  get clockOffsetMs(): number {
    return this.#machine.offsetMs;
  }

  start(): void {
    this.crash();
    this.#boots++;
    const born = new Incarnation(this.#host, this.name, this.#boots, this.#machine);
    this.#current = born;
    this.#host.incident("start", this.name, `incarnation ${this.#boots}`);
    this.#host.queue.add(this.#host.now(), "start", born, () => this.#run(born));
  }

  crash(): void {
    const dying = this.#current;
    if (dying === null) return;
    this.#current = null;
    this.#service = null;
    dying.die();
    this.#host.queue.removeOwnedBy(dying);
    this.#host.incident("crash", this.name, `incarnation ${dying.incarnation}`);
  }

  pause(): void {
    if (this.#current === null || this.#current.paused) return;
    this.#current.paused = true;
    this.#host.incident("pause", this.name, "");
  }

  resume(): void {
    const owner = this.#current;
    if (owner === null || !owner.paused) return;
    owner.paused = false;
    this.#host.incident("resume", this.name, `${owner.held.length} events held`);
    this.#scheduleRelease(owner);
  }

  setClockOffset(ms: number): void {
    assert(Number.isInteger(ms), "a clock offset is a whole number of milliseconds");
    if (this.#machine.offsetMs === ms) return;
    this.#machine.offsetMs = ms;
    this.#host.incident("skew", this.name, `${ms} ms`);
  }

  #run(born: Incarnation): void {
    const serve = (service: Service): void => {
      if (born.alive) this.#service = service;
    };
    this.#main(born, serve).catch((error: unknown) => this.#host.crashed(born, error));
  }

  #scheduleRelease(owner: Incarnation): void {
    if (owner.releasing || owner.held.length === 0) return;
    owner.releasing = true;
    this.#host.queue.add(this.#host.now(), "release", null, () => this.#release(owner));
  }

  /** One held event; the next one follows as an event of its own, so that microtasks are drained between. */
  #release(owner: Incarnation): void {
    owner.releasing = false;
    if (!owner.alive || owner.paused) return;
    const event = owner.held.shift();
    if (event === undefined) return;
    this.#scheduleRelease(owner);
    this.#host.fireAs(owner, event.label, event.fire);
  }
}
