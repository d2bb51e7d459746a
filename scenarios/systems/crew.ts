/**
 * The nodes and workers of a system, and how others speak to its nodes.
 *
 * Owns what differs between a system whose processes call each other and one that speaks HTTP. Does not own how many
 * there are, nor when they start.
 */
import type { Process, SimulatedStore, Simulation, Stage } from "../../sim/index.ts";
import type { Engine, EngineConfig } from "../../src/index.ts";
import type { AimedFaults } from "./aimed-faults.ts";
import type { Nodes } from "./caller.ts";
import { engineNode } from "./engine-node.ts";
import type { Hazards } from "./hazards.ts";
import type { Outside } from "./outside.ts";
import { worker } from "./worker.ts";

export interface CrewSetup {
  readonly simulation: Simulation;
  readonly store: SimulatedStore;
  readonly config: EngineConfig;
  readonly hazards: Hazards;
  readonly outside: Outside;
  readonly aim: AimedFaults | null;
  readonly strikes: Stage["strikes"];
}

export interface Crew {
  readonly nodes: Nodes;
  node(name: string): Process<unknown>;
  /** `home`: the node it begins at, counted around. */
  worker(name: string, home: number, version: string): Process<null>;
}

/** Processes that call each other. */
export class CallingCrew implements Crew {
  readonly #setup: CrewSetup;
  readonly #nodes: Process<Engine>[] = [];

  constructor(setup: CrewSetup) {
    this.#setup = setup;
  }

  get nodes(): Nodes {
    return this.#nodes;
  }

  node(name: string): Process<unknown> {
    const node = engineNode(name, this.#setup);
    this.#nodes.push(node);
    return node;
  }

  worker(name: string, home: number, version: string): Process<null> {
    const { simulation, outside, hazards } = this.#setup;
    return worker(name, { simulation, nodes: this.#nodes, outside, hazards, home, version });
  }
}
