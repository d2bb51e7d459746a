/**
 * What the faults of processes and clocks do to the processes of a run, and how they come back.
 *
 *   R4  A process that a fault took down comes back by itself only while faults are on; after that the production's
 *       `heal` brings all of them back. Twins, starving and stops under way end with the faults.
 *   R5  Clocks are set wrong when the system is built and step while faults are on. They stay as they are after the
 *       faults: no fault ends by itself because somebody set a clock right.
 */
import { assert, unreachable } from "../../src/std/assert.ts";
import type { FaultInjector, FaultPlan } from "../faults/index.ts";
import type { Process, World } from "../kernel/index.ts";
import type { ProcessFaultKind } from "../store/index.ts";

/** A process starves for up to this many times as long as its events are late. */
const STARVE_SPANS = 4;
const STARVE_MS = 5_000;
/** A clock steps this many times in a run at most, and not later than this. */
const MOST_STEPS = 2;
const STEPS_UNTIL_MS = 60_000;

export class ProcessFaults {
  readonly #world: World;
  readonly #injector: FaultInjector;
  readonly #plan: FaultPlan;
  readonly #stopping = new Set<Process<unknown>>();

  constructor(world: World, injector: FaultInjector, plan: FaultPlan) {
    this.#world = world;
    this.#injector = injector;
    this.#plan = plan;
  }

  /** Sets each clock wrong and plans its steps, once the processes are declared. */
  setClocks(): void {
    const { stepMs = 0, tickMs = 0, driftPpm = 0, skewMs } = this.#plan;
    if (stepMs + tickMs + driftPpm + skewMs === 0) return;
    for (const process of this.#world.processes) {
      const offsetMs = this.#injector.skew();
      const drift = this.#injector.deviation("C04-drift", driftPpm, "clock-drift");
      const isCoarse = tickMs > 0 && this.#injector.isOn("C03-tick") && this.#draw(2, "clock-tick") === 1;
      if (isCoarse) this.#injector.struck("C03-tick");
      process.setClock({ offsetMs, driftPpm: drift, tickMs: isCoarse ? tickMs : 1 });
      if (stepMs > 0 && this.#injector.isOn("C02-step")) this.#planSteps(process, stepMs);
    }
  }

  strike(kind: ProcessFaultKind, name: string): void {
    const process = this.#world.processes.find((one) => one.name === name);
    assert(process !== undefined, "a fault strikes a process that there is");
    switch (kind) {
      case "N01-crash":
        process.crash();
        this.#startAfter(this.#downMs(), process);
        break;
      case "N02-pause":
        process.pause();
        this.#whileOn(this.#downMs(), "resume", () => process.resume());
        break;
      case "N03-starve":
        this.#starve(process);
        break;
      case "N04-stop":
        this.#stop(process);
        break;
      case "N06-twin":
        process.twin();
        this.#whileOn(this.#downMs(), "untwin", () => process.untwin());
        break;
      default:
        unreachable(kind);
    }
  }

  /** Ends what would otherwise go on without faults. */
  end(): void {
    for (const process of this.#world.processes) {
      process.untwin();
      if (this.#stopping.has(process)) process.crash();
    }
  }

  #starve(process: Process<unknown>): void {
    const lateMs = 1 + this.#draw(this.#plan.starveMs ?? STARVE_MS, "starve-late");
    process.starve(lateMs, lateMs * (1 + this.#draw(STARVE_SPANS, "starve-for")));
  }

  #stop(process: Process<unknown>): void {
    const graceMs = this.#downMs();
    this.#stopping.add(process);
    process.stop(graceMs);
    this.#startAfter(graceMs + this.#downMs(), process);
  }

  #planSteps(process: Process<unknown>, mostMs: number): void {
    const steps = this.#draw(MOST_STEPS + 1, "clock-steps");
    for (let n = 0; n < steps; n++)
      this.#whileOn(this.#draw(STEPS_UNTIL_MS, "clock-step-at"), "clock-step", () => {
        const byMs = this.#injector.deviation("C02-step", mostMs, "clock-step-ms");
        process.setClockOffset(process.clockOffsetMs + byMs);
      });
  }

  #startAfter(ms: number, process: Process<unknown>): void {
    this.#whileOn(ms, "restart", () => {
      this.#stopping.delete(process);
      if (process.running) return;
      const { stepMs = 0 } = this.#plan;
      if (stepMs > 0 && this.#injector.strikes("N05-clock-back"))
        process.setClockOffset(process.clockOffsetMs - 1 - this.#draw(stepMs, "clock-back-ms"));
      process.start();
    });
  }

  #whileOn(ms: number, label: string, then: () => void): void {
    this.#world.after(ms, label, () => {
      if (this.#injector.enabled) then();
    });
  }

  #draw(n: number, label: string): number {
    return this.#world.choices.choose(n, label);
  }

  /** How long it is down: at least 1 ms, at most what the plan says. */
  #downMs(): number {
    return 1 + this.#draw(Math.max(1, this.#plan.downMs), "down-time");
  }
}
