/**
 * A process under a scheduler of promises: it starts, crashes and starts again. All else that may happen to a process
 * in the harness (pauses, starvation, twins, wrong clocks) has no counterpart there and does nothing.
 */
import type { Clock } from "../../src/ports/clock.ts";
import type { Ids } from "../../src/ports/ids.ts";
import type { Random } from "../../src/ports/random.ts";
import { EPOCH_MS, type Main, type Process, type ProcessContext } from "../kernel/index.ts";

/** What a life needs of the world it stands in. */
export interface PromiseHost {
  now(): number;
  /** Calls back after so much time, whoever is alive then. */
  timer(delayMs: number, fire: () => void): void;
  below(n: number, label: string): number;
  /** The next number of the run, from 1. */
  nextNumber(): number;
  crashed(process: string, error: unknown): void;
}

/** One life, from a start to a crash. What it awaits after its end never comes. */
class Life implements ProcessContext {
  readonly name: string;
  readonly incarnation: number;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
  alive = true;

  constructor(host: PromiseHost, name: string, incarnation: number) {
    this.name = name;
    this.incarnation = incarnation;
    const sleep = (ms: number): Promise<void> =>
      new Promise((resolve) => host.timer(ms, () => this.alive && resolve()));
    this.clock = { wallMs: () => EPOCH_MS + host.now(), monotonicMs: () => host.now(), sleep };
    this.ids = { next: () => `${name}-${incarnation}-${host.nextNumber()}` };
    this.random = { below: (n, label) => host.below(n, label) };
  }
}

export class PromiseProcess<Service> implements Process<Service> {
  readonly name: string;
  readonly paused = false;
  readonly clockOffsetMs = 0;
  readonly #host: PromiseHost;
  readonly #main: Main<Service>;
  #life: Life | null = null;
  #service: Service | null = null;
  #lives = 0;

  constructor(host: PromiseHost, name: string, main: Main<Service>) {
    this.#host = host;
    this.name = name;
    this.#main = main;
  }

  get running(): boolean {
    return this.#life !== null;
  }
  get service(): Service | null {
    return this.#service;
  }
  serviceOf(life: ProcessContext): Service | null {
    return life === this.#life ? this.#service : null;
  }

  start(): void {
    this.crash();
    this.#lives++;
    const life = new Life(this.#host, this.name, this.#lives);
    this.#life = life;
    const serve = (service: Service): void => {
      if (life.alive) this.#service = service;
    };
    this.#main(life, serve).catch((error: unknown) => {
      if (life.alive) this.#host.crashed(this.name, error);
    });
  }

  crash(): void {
    if (this.#life !== null) this.#life.alive = false;
    this.#life = null;
    this.#service = null;
  }

  /** There is no grace here: who is told to stop is gone. */
  stop(): void {
    this.crash();
  }

  // What a scheduler of promises does not know.
  pause(): void {}
  resume(): void {}
  starve(): void {}
  twin(): void {}
  untwin(): void {}
  setClock(): void {}
  setClockOffset(): void {}
}
