/**
 * One run's surroundings, put together: the world, the store of one profile, and the injector between them.
 *
 *   R3  Everything that varies is drawn from the world's recorder, also the store's profile when none is given, which
 *       kinds of faults are on, clocks and the time that a process is down.
 */
import { FaultInjector, type FaultPlan, OutcomeInjector } from "../faults/index.ts";
import type { FaultKind, RunHistory } from "../history/history.ts";
import { FAULT_KINDS } from "../history/history.ts";
import { type ChoiceSource, type SchedulePolicy, World } from "../kernel/index.ts";
import { AWS_S3, modelled, SimulatedStore, SOUND_PROFILES, type StoreProfile } from "../store/index.ts";
import { ProcessFaults } from "./process-faults.ts";

export interface StageSettings {
  readonly faults: FaultPlan;
  readonly source: ChoiceSource;
  readonly policy: SchedulePolicy;
  readonly logSteps: boolean;
  /** Null: one of the sound profiles, by a draw. */
  readonly profile: StoreProfile | null;
  readonly latency: "fast" | "modelled";
}

export class RunStage {
  readonly world: World;
  readonly store: SimulatedStore;
  readonly injector: FaultInjector;
  readonly #processes: ProcessFaults;
  #healedAtMs: number | null = null;

  constructor({ faults, source, policy, logSteps, profile, latency }: StageSettings) {
    const world = new World({ source, policy, logSteps });
    const chosen = profile ?? drawProfile(world.choices);
    const Injector = faults.outcomes === true ? OutcomeInjector : FaultInjector;
    const injector = new Injector(faults, world.choices, () => world.now());
    const processes = new ProcessFaults(world, injector, faults);
    // Named first: a function that is written into a field at once is allocated as old, and keeps its run with it.
    const strike: FaultInjector["strike"] = (kind, name) => processes.strike(kind, name);
    const partitioned: FaultInjector["partitioned"] = (name, detail) =>
      world.incident("partition", name, detail);
    injector.strike = strike;
    injector.partitioned = partitioned;
    world.hopFaults = { decide: (from) => injector.hopFault(from) };
    const bounds = latency === "modelled" ? { latency: modelled(chosen.latency) } : {};
    this.world = world;
    this.injector = injector;
    this.#processes = processes;
    this.store = new SimulatedStore(world, { faults: injector, profile: chosen, ...bounds });
  }

  /** Sets each clock wrong, once the processes are declared. */
  setClocks(): void {
    this.#processes.setClocks();
  }

  /** From now on nothing strikes any more. */
  stopFaults(): void {
    this.injector.enabled = false;
    this.#healedAtMs = this.world.now();
    this.world.incident("heal", null, "");
    this.#processes.end();
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

  /** Faults that struck; a kind that is on in this run is there with 0. */
  faultCounts(): ReadonlyMap<FaultKind, number> {
    const on = new Set(this.injector.kinds);
    const counts = new Map<FaultKind, number>();
    for (const kind of FAULT_KINDS) {
      const n = this.injector.counts[kind];
      if (on.has(kind) || n > 0) counts.set(kind, n);
    }
    return counts;
  }
}

function drawProfile(choices: ChoiceSource): StoreProfile {
  return SOUND_PROFILES[choices.choose(SOUND_PROFILES.length, "store-profile")] ?? AWS_S3;
}
