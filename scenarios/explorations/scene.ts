/**
 * The stage of an exploration: its nodes, the actors and who ends what they leave open.
 *
 * Owns the processes (`node-1`, `node-2` …, the actors by their own names, `closer-node`, `closer`) and whether the scene
 * is done. Does not own what the actors do.
 */
import type { Process, ProcessContext, Stage } from "../../sim/index.ts";
import type { Engine, EngineConfig, Instance } from "../../src/index.ts";
import { present } from "../../src/std/assert.ts";
import { Decoder, type Space } from "../checkers/records.ts";
import type { Workshop } from "../systems/attempt.ts";
import { engineNode } from "../systems/engine-node.ts";
import { Hazards, NO_WORKER_HAZARDS } from "../systems/hazards.ts";
import { NodeClient } from "../systems/node-client.ts";
import { Outside } from "../systems/outside.ts";
import { worker } from "../systems/worker.ts";
import { type InstancePlan, plannedTurns, type Workload } from "../workloads/workload.ts";

/** What an actor has: a workshop whose client asks one of the nodes, and the moment at which the scene begins. */
export interface Role extends Workshop {
  /** Waits for the beginning of the scene. */
  scene(): Promise<void>;
}

export interface SceneSetting {
  /** One instance with its messages. */
  readonly workload: Workload;
  /** One number for each node: how far its clock is ahead, milliseconds. */
  readonly aheadMs: readonly number[];
}

/** Longer than any run: nodes of a scene do not sweep by themselves. */
const NEVER_MS = 24 * 3_600_000;

export class Scene {
  readonly outside = new Outside();
  readonly decoder: Decoder;
  readonly instance: InstancePlan;
  readonly #stage: Stage;
  readonly #hazards: Hazards;
  readonly #beginsMs: number;
  readonly #nodes: readonly Process<Engine>[];
  readonly #actors: Process<null>[] = [];
  readonly #acting = new Set<string>();
  #closed = false;

  constructor(
    stage: Stage,
    { workload, aheadMs }: SceneSetting,
    space: Space,
    config: EngineConfig,
    beginsMs: number,
  ) {
    this.#stage = stage;
    this.#beginsMs = beginsMs;
    this.instance = present(workload.instances[0], "the instance of the scene");
    this.decoder = new Decoder(space);
    this.#hazards = new Hazards(stage.simulation, NO_WORKER_HAZARDS, 0);
    this.#nodes = aheadMs.map((ms, n) => {
      const node = this.#node(`node-${n + 1}`, { ...config, reconcile_ms: NEVER_MS });
      node.setClockOffset(ms);
      return node;
    });
  }

  #node(name: string, config: EngineConfig): Process<Engine> {
    const { simulation, store } = this.#stage;
    return engineNode(name, { simulation, store, config, hazards: this.#hazards, aim: null });
  }

  /** Declares an actor that asks this node, counted from 1. */
  actor(name: string, node: number, act: (role: Role) => Promise<void>): void {
    const { simulation } = this.#stage;
    const { outside } = this;
    const hazards = this.#hazards;
    this.#acting.add(name);
    const self: Process<null> = simulation.process<null>(name, async (context) => {
      const client = new NodeClient(simulation, context, this.#nodes.slice(node - 1, node), 0);
      const scene = (): Promise<void> => this.#untilScene(context);
      await act({ simulation, context, client, outside, hazards, self, scene });
      this.#acting.delete(name);
    });
    this.#actors.push(self);
  }

  #untilScene(context: ProcessContext): Promise<void> {
    return context.clock.sleep(this.#beginsMs - context.clock.monotonicMs());
  }

  /** The engine of a node as the simulation may call it. */
  nodeAt(node: number): Process<Engine> {
    return present(this.#nodes[node - 1], "a node of the scene");
  }

  /** In the prologue: the node dies when the first turn is completed, before it moves it, and comes back. */
  crashAfterCompletion(node: number): void {
    const { simulation } = this.#stage;
    const look = (): void => {
      if (this.#identity()?.completed_turns === 1) {
        this.nodeAt(node).crash();
        simulation.after(100, "restart", () => this.nodeAt(node).start());
      } else simulation.after(1, "look", look);
    };
    look();
  }

  start(): void {
    for (const process of [...this.#nodes, ...this.#actors]) process.start();
  }

  /** Whether every actor has ended. */
  done(): boolean {
    return this.#acting.size === 0;
  }

  finished(): boolean {
    return this.#closed && this.done() && this.#isWorkDone();
  }

  /** Whether every node was told a version of the identity that the scene has made. */
  areAllTold(): boolean {
    const key = this.decoder.identityKey(this.instance.id);
    const { chains, operations } = this.#stage.store;
    const first = chains.get(key)?.findIndex(({ atMs }) => atMs >= this.#beginsMs) ?? -1;
    if (first < 0) return false;
    const untold = new Set(this.#nodes.map(({ name }) => name));
    for (let i = operations.length - 1; i >= 0 && untold.size > 0; i--) {
      const operation = present(operations[i], "an operation");
      if (operation.sentAtMs < this.#beginsMs) break;
      const isTold = operation.outcome?.kind === "ok" && operation.answeredAtMs !== null;
      if (isTold && operation.key === key && (operation.version ?? -1) >= first)
        untold.delete(operation.process);
    }
    return untold.size === 0;
  }

  waiting(): string {
    if (this.#acting.size > 0) return `${[...this.#acting].join(", ")} have not ended`;
    return `${this.instance.id} is not done`;
  }

  /** Brings back what is down, and ends what the scene left open. */
  close(config: EngineConfig): void {
    this.#closed = true;
    this.#hazards.on = false;
    for (const process of [...this.#nodes, ...this.#actors]) if (!process.running) process.start();
    const { simulation } = this.#stage;
    const node = this.#node("closer-node", config);
    const setup = { simulation, nodes: [node], outside: this.outside, hazards: this.#hazards, home: 0 };
    const closer = worker("closer", setup);
    node.start();
    closer.start();
  }

  #isWorkDone(): boolean {
    const completed = this.#identity()?.completed_turns ?? 0;
    this.outside.closed ||= completed >= plannedTurns(this.instance);
    return this.outside.closed;
  }

  #identity(): Instance | null {
    const chain = this.#stage.store.chains.get(this.decoder.identityKey(this.instance.id));
    const last = chain?.at(-1);
    return last === undefined ? null : (this.decoder.identity(last)?.value ?? null);
  }
}
