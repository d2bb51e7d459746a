/**
 * Processes: code that runs with memory of its own, crashes, stops, restarts, freezes, starves and goes on.
 *
 *   S2  `main` and everything it awaits runs inside events that the incarnation owns;
 *   S3  a crash takes the incarnation's events out of the queue and marks it dead: nothing it awaits is answered.
 *       What runs on in the same drain can no longer reach anything;
 *   S4  events due while it is paused are held in their order, and released one by one after `resume`, before
 *       anything that becomes due later;
 *   P1  a stop is told to the code, which may finish what it has begun; it ends when the code is done or the time
 *       it was given is over, whichever is first;
 *   P2  a twin is a second life beside the first, under the same name and on the same machine: calls reach one of
 *       them by a draw, and whatever else strikes the process strikes both.
 *
 * A `main` that returns leaves its process running: it has set up what it serves. A `main` that rejects is a
 * crash of the code under test and ends the run.
 *
 * Not owned: what a request in flight does after its sender's death; the store and the hop decide that.
 */
import { assert } from "../../src/std/assert.ts";
import { type ClockSettings, exactClock, setClock } from "./clock.ts";
import { Incarnation, type LifeHost } from "./incarnation.ts";
import type { Main, Process, ProcessContext } from "./simulation.ts";

/** What a process needs of the world it stands in. */
export interface ProcessHost extends LifeHost {
  /** Runs an event's code as that incarnation, and counts it as an event. */
  fireAs(owner: Incarnation, label: string, fire: () => void): void;
  incident(kind: string, process: string, detail: string): void;
  /** The code under test has thrown. */
  crashed(owner: Incarnation, error: unknown): void;
}

/** What one life offers: the object that others call, and what it does when it is told to stop. */
interface Offer<Service> {
  readonly service: Service;
  readonly stop: (() => Promise<void>) | null;
}

const NAME = /^[A-Za-z0-9_-]{1,32}$/;

export class ProcessHandle<Service> implements Process<Service> {
  readonly name: string;
  readonly #host: ProcessHost;
  readonly #main: Main<Service>;
  readonly #machine = exactClock();
  #boots = 0;
  /** The newest first; two or more only while there are twins (P2). */
  #lives: readonly Incarnation[] = [];
  readonly #offers = new Map<Incarnation, Offer<Service>>();

  constructor(host: ProcessHost, name: string, main: Main<Service>) {
    assert(NAME.test(name), "a process name is 1 to 32 characters of A-Z a-z 0-9 _ -");
    this.name = name;
    this.#host = host;
    this.#main = main;
  }

  /** The life that answers the next call; null while the process is down. */
  get current(): Incarnation | null {
    const [newest = null] = this.#lives;
    if (this.#lives.length < 2) return newest;
    return this.#lives[this.#host.choices.choose(this.#lives.length, "hop-twin")] ?? newest;
  }

  get running(): boolean {
    return this.#lives.length > 0;
  }

  get paused(): boolean {
    return this.#lives[0]?.paused ?? false;
  }

  get service(): Service | null {
    const [newest] = this.#lives;
    return newest === undefined ? null : this.serviceOf(newest);
  }

  serviceOf(life: ProcessContext): Service | null {
    return life instanceof Incarnation ? (this.#offers.get(life)?.service ?? null) : null;
  }

  /** Milliseconds that its wall clock is ahead. */
  get clockOffsetMs(): number {
    return this.#machine.offsetMs;
  }

  start(): void {
    this.crash();
    this.#boot();
  }

  twin(): void {
    assert(this.running, "a twin stands beside a life that runs");
    this.#host.incident("twin", this.name, `beside incarnation ${this.#boots}`);
    this.#boot();
  }

  untwin(): void {
    for (const older of this.#lives.slice(1)) this.#end(older, "crash");
  }

  crash(): void {
    for (const life of this.#lives) this.#end(life, "crash");
  }

  stop(graceMs: number): void {
    for (const life of this.#lives) {
      this.#host.incident("stop", this.name, `within ${graceMs} ms`);
      const end = (): void => this.#end(life, "stopped");
      const hook = this.#offers.get(life)?.stop ?? null;
      const told = (): void => {
        if (hook === null) end();
        else hook().then(end, (error: unknown) => this.#host.crashed(life, error));
      };
      this.#host.queue.add(this.#host.now(), "stop", life, told);
      this.#host.queue.add(this.#host.now() + graceMs, "stop-deadline", null, end);
    }
  }

  pause(): void {
    if (this.#lives.length === 0 || this.paused) return;
    for (const life of this.#lives) life.paused = true;
    this.#host.incident("pause", this.name, "");
  }

  resume(): void {
    const paused = this.#lives.filter((life) => life.paused);
    if (paused.length === 0) return;
    const held = paused.reduce((sum, life) => sum + life.held.length, 0);
    this.#host.incident("resume", this.name, `${held} events held`);
    for (const life of paused) {
      life.paused = false;
      this.#scheduleRelease(life);
    }
  }

  starve(lateMs: number, forMs: number): void {
    if (this.#lives.length === 0) return;
    this.#host.incident("starve", this.name, `everything ${lateMs} ms late for ${forMs} ms`);
    for (const life of this.#lives) {
      life.lateMs = lateMs;
      this.#host.queue.add(this.#host.now() + forMs, "starve-end", null, () => {
        life.lateMs = 0;
      });
    }
  }

  setClock(settings: ClockSettings): void {
    for (const [kind, detail] of setClock(this.#machine, settings))
      this.#host.incident(kind, this.name, detail);
  }

  setClockOffset(ms: number): void {
    this.setClock({ offsetMs: ms });
  }

  #boot(): void {
    this.#boots++;
    const born = new Incarnation(this.#host, this.name, this.#boots, this.#machine);
    this.#lives = [born, ...this.#lives];
    this.#host.incident("start", this.name, `incarnation ${this.#boots}`);
    this.#host.queue.add(this.#host.now(), "start", born, () => this.#run(born));
  }

  #run(born: Incarnation): void {
    const serve = (service: Service, stop: (() => Promise<void>) | null = null): void => {
      if (born.alive) this.#offers.set(born, { service, stop });
    };
    this.#main(born, serve).catch((error: unknown) => this.#host.crashed(born, error));
  }

  /** Ends a life, unless it has ended before. */
  #end(life: Incarnation, how: "crash" | "stopped"): void {
    if (!life.alive) return;
    this.#lives = this.#lives.filter((other) => other !== life);
    this.#offers.delete(life);
    life.die();
    this.#host.queue.removeOwnedBy(life);
    this.#host.incident(how, this.name, `incarnation ${life.incarnation}`);
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
