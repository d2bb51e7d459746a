/**
 * The cast of a run: the nodes, and whoever else takes part, as processes in the order in which they came.
 *
 * Owns that all of them start together and that a heal brings back every one; from then on no hazard strikes. Does not
 * own what they do. How many there are is drawn at the moment that it is asked for, so the order of draws is the caller's.
 */
import type { FaultKind, Process, Simulation, Stage } from "../../sim/index.ts";
import type { Caller, Engine, EngineConfig } from "../../src/index.ts";
import type { AimedFaults } from "./aimed-faults.ts";
import { engineNode, type NodeSetup } from "./engine-node.ts";
import { Hazards, type WorkerHazards } from "./hazards.ts";

/** From the first number to the second, both included. */
export type Range = readonly [from: number, to: number];

export interface CastPlan {
  /** How many nodes, unless the user asks for another number. */
  readonly nodes: Range;
  readonly hazards: WorkerHazards;
  /** How long a worker or node that a hazard took down stays down, at most. */
  readonly downMs: number;
}

export class Cast {
  readonly hazards: Hazards;
  readonly #simulation: Simulation;
  readonly #processes: Process<unknown>[] = [];

  constructor({ hazards, downMs }: CastPlan, { simulation }: Stage) {
    this.#simulation = simulation;
    this.hazards = new Hazards(simulation, hazards, downMs);
  }

  draw([from, to]: Range, label: string): number {
    return to > from ? from + this.#simulation.choices.choose(to - from + 1, label) : from;
  }

  /** How many nodes there are: at least one. */
  drawNodes({ nodes }: CastPlan, { options }: Stage): number {
    return Math.max(1, options.nodes ?? this.draw(nodes, "nodes"));
  }

  add(process: Process<unknown>): void {
    this.#processes.push(process);
  }

  start(): void {
    for (const process of this.#processes) process.start();
  }

  heal(): void {
    this.hazards.on = false;
    for (const process of this.#processes) {
      process.resume();
      if (!process.running) process.start();
    }
  }
}

/** A cast whose nodes are called by its other processes. */
export class NodeCast extends Cast {
  readonly nodes: readonly Process<Engine>[];
  readonly #setup: NodeSetup;

  constructor(plan: CastPlan, stage: Stage, config: EngineConfig, aim: AimedFaults | null = null) {
    super(plan, stage);
    const { simulation, store } = stage;
    const strikes = (kind: FaultKind): boolean => stage.strikes(kind);
    this.#setup = { simulation, store, config, hazards: this.hazards, aim, strikes };
    const nodes = Array.from({ length: this.drawNodes(plan, stage) }, (_, n) =>
      engineNode(`node-${n + 1}`, this.#setup),
    );
    for (const node of nodes) this.add(node);
    this.nodes = nodes;
  }

  /** One more node, which takes everybody who asks it for this caller. */
  nodeFor(caller: Caller): Process<Engine> {
    const node = engineNode(`node-of-${caller}`, { ...this.#setup, caller });
    this.add(node);
    return node;
  }
}
