/**
 * Instances with several lives, set up in the simulation: nodes, workers and a keeper for each instance.
 *
 *   U1  done means: every keeper has asked all that is planned, every instance lives, and no turn of it is
 *       unfinished. Looked at twice a second.
 *   U2  a reader looks on, so that somebody asks for turns of a life that has ended, and for turns that were pruned.
 *   U3  keepers never die: what they still have to ask is the environment's. Workers and nodes do.
 *
 * Owns the processes and their names (`node-1`, `worker-1`, `keeper-1`, `reader-1`). Does not own what they do, nor the
 * faults that strike them.
 */
import type { SimulatedStore, Simulation, Stage } from "../../sim/index.ts";
import type { EngineConfig } from "../../src/index.ts";
import { isOver } from "../checkers/kinds.ts";
import { Decoder, headsOf, type Space } from "../checkers/records.ts";
import { drawLifetimes, type KeptInstance, type LifetimeShape } from "../workloads/lifetimes.ts";
import type { AimedFaults } from "./aimed-faults.ts";
import { type CastPlan, NodeCast, type Range } from "./cast.ts";
import { keeper } from "./keeper.ts";
import { lifetimeWorker } from "./lifetime-worker.ts";
import { Outside } from "./outside.ts";
import { reader } from "./reader.ts";
import { steward } from "./steward.ts";

export interface LifetimeSystemPlan extends CastPlan {
  readonly workers: Range;
  readonly aim: AimedFaults | null;
  readonly shape: LifetimeShape;
  /** How often the graph is deleted and made again; absent: it is always there. */
  readonly graphs?: number;
}

const LOOK_EACH_MS = 500;

export class LifetimeSystem {
  readonly #space: Space;
  readonly #decoders = new Map<string, Decoder>();
  readonly outside = new Outside();
  readonly instances: readonly KeptInstance[];
  readonly #simulation: Simulation;
  readonly #store: SimulatedStore;
  readonly #cast: NodeCast;
  #lookAtMs = 0;

  constructor(plan: LifetimeSystemPlan, stage: Stage, config: EngineConfig, space: Space) {
    const { simulation, store } = stage;
    this.#simulation = simulation;
    this.#store = store;
    this.#space = space;
    this.#cast = new NodeCast(plan, stage, config, plan.aim);
    const { nodes, hazards } = this.#cast;
    const { outside } = this;
    this.instances = drawLifetimes(simulation.choices, plan.shape);
    const workers = this.#cast.draw(plan.workers, "workers");
    for (let home = 0; home < workers; home++)
      this.#cast.add(lifetimeWorker(`worker-${home + 1}`, { simulation, nodes, hazards, outside, home }));
    outside.unsent = this.instances.length;
    const asked = { done: () => outside.unsent--, closed: () => outside.closed };
    for (const [home, one] of this.instances.entries())
      this.#cast.add(keeper(`keeper-${home + 1}`, one, { simulation, nodes, home, ...asked }));
    if (plan.graphs !== undefined) {
      outside.unsent++;
      this.#cast.add(steward("steward-1", { simulation, nodes, times: plan.graphs, ...asked }));
    }
    const ids = this.instances.map(({ id }) => id);
    this.#cast.add(reader("reader-1", { simulation, nodes, outside, ids, inboxes: true }));
    this.#cast.start();
  }

  /** Reads the objects of an epoch; absent: of the one that is there. */
  decoder(epoch = this.#epoch()): Decoder {
    const known = this.#decoders.get(epoch);
    if (known !== undefined) return known;
    const decoder = new Decoder({ ...this.#space, epoch });
    this.#decoders.set(epoch, decoder);
    return decoder;
  }

  /** The head's key, and every epoch that it has named; without a head, that of the configuration. */
  epochs(): { readonly headKey: string; readonly epochs: readonly string[] } {
    const headKey = this.decoder(this.#space.epoch).headKey();
    const heads = headsOf(this.#store.chains.get(headKey) ?? []);
    const epochs = [...new Set(heads.map(({ epoch }) => String(epoch)))];
    return { headKey, epochs: epochs.length === 0 ? [this.#space.epoch] : epochs };
  }

  /** The last that the head names; without a head, that of the configuration. */
  #epoch(): string {
    const first = this.#decoders.get(this.#space.epoch) ?? new Decoder(this.#space);
    this.#decoders.set(this.#space.epoch, first);
    const heads = headsOf(this.#store.chains.get(first.headKey())?.slice(-1) ?? []);
    return String(heads.at(-1)?.epoch ?? this.#space.epoch);
  }

  finished(): boolean {
    if (this.outside.closed) return true;
    const nowMs = this.#simulation.now();
    if (this.outside.unsent > 0 || nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = nowMs + LOOK_EACH_MS;
    this.outside.closed = this.#open() === "";
    return this.outside.closed;
  }

  /** U1: what is not done, in words; empty: nothing. */
  #open(): string {
    const decoder = this.decoder();
    for (const { id, lives } of this.instances) {
      const last = this.#store.chains.get(decoder.identityKey(id))?.at(-1);
      const identity = last === undefined ? null : decoder.identity(last);
      if (identity === null) return `${id} does not live`;
      const { turns, next_turn } = identity.value;
      const head = turns.find((turn) => !isOver(turn));
      if (head !== undefined)
        return `${id}: turn ${head.number} is ${head.status} in attempt ${head.attempt}`;
      if (next_turn === 1 && lives.length > 0) return `${id} has had no message`;
    }
    return "";
  }

  waiting(): string {
    return this.outside.unsent > 0 ? `${this.outside.unsent} keepers are not done` : this.#open();
  }

  heal(): void {
    this.#cast.heal();
  }
}
