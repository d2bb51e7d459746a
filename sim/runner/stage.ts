/**
 * One run's surroundings, put together: the world, the store, the injector between them, and what a crash or a
 * pause that the injector asks for does to a process.
 *
 *   R3  Everything that varies is drawn from the world's recorder, also the kind of etags, clock offsets and the
 *       time that a process is down.
 *   R4  A process that a fault took down comes back by itself only while faults are on; after that the
 *       production's `heal` brings all of them back.
 *   R5  Each process has one clock offset for the run, drawn when the system is built. It stays after the faults:
 *       no fault ends by itself because somebody set a clock right.
 */
import { FaultInjector, type FaultPlan } from "../faults/index.ts";
import type { FaultKind, RunHistory } from "../history/history.ts";
import { FAULT_KINDS } from "../history/history.ts";
import { type ChoiceSource, type Process, type SchedulePolicy, World } from "../kernel/index.ts";
import { SimulatedStore } from "../store/index.ts";

export class RunStage {
  readonly world: World;
  readonly store: SimulatedStore;
  readonly injector: FaultInjector;
  readonly #plan: FaultPlan;
  #healedAtMs: number | null = null;

  constructor(plan: FaultPlan, source: ChoiceSource, policy: SchedulePolicy, logSteps: boolean) {
    this.#plan = plan;
    const world = new World({ source, policy, logSteps });
    const injector = new FaultInjector(plan, world.choices);
    injector.crash = (name) => this.#crash(name);
    injector.pause = (name) => this.#pause(name);
    world.hopFaults = { decide: () => injector.hopFault() };
    const etags = world.choices.choose(2, "etags") === 0 ? "content-hash" : "counter";
    this.world = world;
    this.injector = injector;
    this.store = new SimulatedStore(world, { faults: injector, etags });
  }

  /** Sets each clock off, once the processes are declared. */
  skewClocks(): void {
    if (this.#plan.skewMs === 0) return;
    for (const process of this.world.processes) process.setClockOffset(this.injector.skew(process.name));
  }

  /** From now on nothing strikes any more. */
  stopFaults(): void {
    this.injector.enabled = false;
    this.#healedAtMs = this.world.now();
    this.world.incident("heal", null, "");
  }

  /** What happened so far; filled further while the run goes on. */
  history(): RunHistory {
    return {
      operations: this.store.operations,
      chains: this.store.chains,
      calls: this.world.calls,
      incidents: this.world.incidents,
      healedAtMs: this.#healedAtMs,
      endedAtMs: this.world.now(),
    };
  }

  /** Faults that struck; a kind that the plan has on is there with 0. */
  faultCounts(): ReadonlyMap<FaultKind, number> {
    const counts = new Map<FaultKind, number>();
    for (const kind of FAULT_KINDS) {
      const on = (this.#plan.rates[kind] ?? 0) > 0 || (kind === "C01-skew" && this.#plan.skewMs > 0);
      const n = this.injector.counts[kind];
      if (on || n > 0) counts.set(kind, n);
    }
    return counts;
  }

  #crash(name: string): void {
    const process = this.#find(name);
    if (process === undefined) return;
    process.crash();
    this.world.after(this.#downMs(), "restart", () => {
      if (this.injector.enabled && !process.running) process.start();
    });
  }

  #pause(name: string): void {
    const process = this.#find(name);
    if (process === undefined) return;
    process.pause();
    this.world.after(this.#downMs(), "resume", () => {
      if (this.injector.enabled) process.resume();
    });
  }

  #find(name: string): Process<unknown> | undefined {
    return this.world.processes.find((process) => process.name === name);
  }

  /** How long it is down: at least 1 ms, at most what the plan says. */
  #downMs(): number {
    return 1 + this.world.choices.choose(Math.max(1, this.#plan.downMs), "down-time");
  }
}
