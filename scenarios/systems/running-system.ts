/**
 * A system set up in the simulation: nodes, workers and a sender for each instance, and whether the work is done.
 *
 * Owns the processes and their names (`node-1`, `worker-1`, `sender-1`). Does not own what they do, nor the faults
 * that strike them.
 *
 *   U1  whether the work is done is asked after each event, so it costs nothing while messages are still to be
 *       sent, and afterwards looks only at versions that are new.
 *   U2  done means: every inbox is empty, or stands behind a turn that failed for good.
 */

import type { FaultKind, SimulatedStore, Simulation, Stage } from "../../sim/index.ts";
import type { EngineConfig } from "../../src/index.ts";
import { isOver } from "../checkers/kinds.ts";
import { Decoder, type Space } from "../checkers/records.ts";
import { mayBeCut, plannedTurns, type Workload } from "../workloads/workload.ts";
import type { AimedFaults } from "./aimed-faults.ts";
import { Cast, type CastPlan, type Range } from "./cast.ts";
import { CallingCrew, type Crew } from "./crew.ts";
import { HttpCrew, type HttpPlan } from "./http-crew.ts";
import type { HttpLog } from "./http-log.ts";
import { Outside } from "./outside.ts";
import { reader } from "./reader.ts";
import { sender } from "./sender.ts";
import { DAMAGED, vandal } from "./vandal.ts";

export interface SystemPlan extends CastPlan {
  readonly workers: Range;
  /** Whether somebody looks on. */
  readonly reader: boolean;
  /** Whether an instance's object is damaged, see `vandal.ts`; absent: none. */
  readonly damage?: boolean;
  readonly aim: AimedFaults | null;
  /** How its processes speak; absent: they call each other. */
  readonly http?: HttpPlan;
}

/** An instance whose work is not done. */
interface OpenInstance {
  readonly id: string;
  readonly key: string;
  /** How many turns have to finish; 0: people end some of them, so those that are there. */
  readonly turns: number;
  /** How many versions of its identity were looked at. */
  seen: number;
  /** What it waits for, in words. */
  why: string;
}

export class RunningSystem {
  readonly outside = new Outside();
  readonly decoder: Decoder;
  /** Instances whose objects are damaged on purpose. */
  readonly damaged: readonly string[];
  readonly #simulation: Simulation;
  readonly #store: SimulatedStore;
  readonly #cast: Cast;
  readonly #crew: Crew;
  /** What went over HTTP; null: nothing does. */
  readonly http: HttpLog | null;
  readonly #workers: number;
  readonly #reader: boolean;
  readonly #shards: number;
  #open: OpenInstance[] = [];

  constructor(plan: SystemPlan, stage: Stage, config: EngineConfig, space: Space) {
    const { simulation, store } = stage;
    const strikes = (kind: FaultKind): boolean => stage.strikes(kind);
    this.#simulation = simulation;
    this.#store = store;
    this.damaged = plan.damage === true ? DAMAGED : [];
    this.decoder = new Decoder(space, this.damaged);
    this.#cast = new Cast(plan, stage);
    const count = this.#cast.drawNodes(plan, stage);
    const { outside } = this;
    const { hazards } = this.#cast;
    const setup = { simulation, store, config, hazards, outside, aim: plan.aim, strikes };
    const speaking = plan.http === undefined ? null : new HttpCrew(plan.http, setup);
    this.#crew = speaking ?? new CallingCrew(setup);
    this.http = speaking?.log ?? null;
    for (let n = 1; n <= count; n++) this.#cast.add(this.#crew.node(`node-${n}`));
    this.#workers = this.#cast.draw(plan.workers, "workers");
    this.#reader = plan.reader;
    this.#shards = config.index_shards;
  }

  start(workload: Workload): void {
    const simulation = this.#simulation;
    const shared = { simulation, nodes: this.#crew.nodes, outside: this.outside };
    const versions = [...new Set(workload.instances.map(({ version }) => version))].sort();
    const workers = Math.max(this.#workers, versions.length);
    for (let n = 0; n < workers; n++) {
      const version = versions[n % versions.length] ?? "v1";
      this.#cast.add(this.#crew.worker(`worker-${n + 1}`, n, version));
    }
    for (const [n, plan] of workload.instances.entries()) {
      this.#cast.add(sender(`sender-${n + 1}`, plan, { ...shared, home: n }));
      const key = this.decoder.identityKey(plan.id);
      const turns = mayBeCut(plan) ? 0 : plannedTurns(plan);
      this.#open.push({ id: plan.id, key, turns, seen: 0, why: "it does not exist" });
    }
    const ids = workload.instances.map(({ id }) => id);
    const inboxes = workload.instances.some(({ messages }) =>
      messages.some(({ acts }) => acts !== undefined),
    );
    if (this.#reader) this.#cast.add(reader("reader-1", { ...shared, ids, inboxes }));
    const { decoder } = this;
    if (this.damaged.length > 0)
      this.#cast.add(vandal("vandal-1", { simulation, store: this.#store, decoder, shards: this.#shards }));
    this.#cast.start();
  }

  /** Asked after each event: looks at an identity only when it has a version that was not seen yet. */
  finished(): boolean {
    if (this.outside.closed) return true;
    if (this.outside.unsent > 0) return false;
    this.#open = this.#open.filter((instance) => !this.#isDone(instance));
    this.outside.closed = this.#open.length === 0;
    return this.outside.closed;
  }

  #isDone(instance: OpenInstance): boolean {
    const chain = this.#store.chains.get(instance.key) ?? [];
    if (chain.length === instance.seen) return false;
    instance.seen = chain.length;
    const last = chain.at(-1);
    const identity = last === undefined ? null : this.decoder.identity(last);
    if (identity === null) return false;
    const { turns, completed_turns, paused } = identity.value;
    const head = turns.find((turn) => !isOver(turn));
    instance.why =
      head === undefined
        ? `${completed_turns} of ${instance.turns} turns are completed`
        : `turn ${head.number} (${head.message_id}) is ${head.status} in attempt ${head.attempt}, ready at ${head.ready_at_ms}, held by ${head.holder === null ? "nobody" : `${head.holder.worker} until ${head.holder.deadline_ms}`}`;
    if (paused) instance.why = `it is paused; ${instance.why}`;
    if (paused) return false;
    return head === undefined ? completed_turns >= instance.turns : head.status === "failed";
  }

  waiting(): string {
    if (this.outside.unsent > 0) return `${this.outside.unsent} sends have not been answered`;
    for (const instance of this.#open) this.#isDone(instance);
    return this.#open.map(({ id, why }) => `${id}: ${why}`).join("; ");
  }

  heal(): void {
    this.#cast.heal();
  }
}
