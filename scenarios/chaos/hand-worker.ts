/**
 * A worker process of a real run that is made by hand: the simulation's own worker, over HTTP.
 *
 * It makes mistakes on purpose that a good worker does not (it repeats suspensions, and reports on steps that are saved),
 * so that servers meet them. What happens outside is written to the log, and counted where all workers count.
 */

import type { Process } from "../../sim/index.ts";
import type { Engine } from "../../src/index.ts";
import { Hazards, NO_WORKER_HAZARDS } from "../systems/hazards.ts";
import { type Effect, Outside } from "../systems/outside.ts";
import { worker } from "../systems/worker.ts";
import type { ChaosLog } from "./log-lines.ts";
import { type RealPorts, RealWorld } from "./real-world.ts";

/** The world outside, which outlives every worker. */
export interface World {
  /** Whether the worker of this turn is turned away now, as it is so many times in all. */
  turnsAway(workflowId: string, turn: number, times: number): boolean;
}

export class LoggedOutside extends Outside {
  readonly #log: ChaosLog;
  readonly #world: World;

  constructor(log: ChaosLog, world: World) {
    super();
    this.#log = log;
    this.#world = world;
  }

  override perform({ atMs: _, ...effect }: Effect): void {
    this.#log.write({ e: "effect", at: this.#log.nowMs(), ...effect });
  }

  override turnsAway(workflowId: string, turn: number, times: number): boolean {
    return this.#world.turnsAway(workflowId, turn, times);
  }
}

export interface HandWorker {
  readonly name: string;
  readonly version: string;
  /** The servers, by name. */
  readonly engines: readonly (readonly [name: string, engine: Engine])[];
  readonly home: number;
}

/** Starts it; it ends after its present turn once `outside.closed` is set. */
export function startHandWorker(setup: HandWorker, ports: RealPorts, outside: Outside): void {
  const simulation = new RealWorld(ports);
  const nodes: Process<Engine>[] = setup.engines.map(([name, engine]) => simulation.remote(name, engine));
  const hazards = new Hazards(simulation, NO_WORKER_HAZARDS, 1);
  const { name, version, home } = setup;
  worker(name, { simulation, nodes, outside, hazards, home, version }).start();
}
