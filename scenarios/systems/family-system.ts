/**
 * A family set up in the simulation: nodes, workers of one or two versions, a sender for each parent, and a person who
 * may cancel turns.
 *
 *   U1  done means: every message is acknowledged, every turn of every parent and child has finished, and moved to
 *       history if somebody waits for its end, and none holds a deferred message. So replies are delivered by then. Looked at twice a second.
 *   U2  a worker's name begins with `older` or `newer`, which tells the checkers the version of its code.
 *   U4  who pauses a parent resumes it in the end, whatever gets lost.
 *   U3  senders never die: what they still have to send is the environment's, not the system's.
 */
import type { Process, SimulatedStore, Simulation, Stage } from "../../sim/index.ts";
import type { EngineConfig } from "../../src/index.ts";
import { isOver } from "../checkers/kinds.ts";
import { Decoder, type Space } from "../checkers/records.ts";
import { drawFamily, type FamilyShape, FIRST_STATE, PARENT, type ParentPlan } from "../workloads/family.ts";
import type { AimedFaults } from "./aimed-faults.ts";
import { type CastPlan, NodeCast, type Range } from "./cast.ts";
import { familyWorker } from "./family-worker.ts";
import { NodeClient } from "./node-client.ts";

export interface FamilySystemPlan extends CastPlan {
  /** Workers of the first version, which all families have. */
  readonly workers: Range;
  /** Workers of the second version, which migrate; they come later. */
  readonly newer: Range;
  /** Whether a person cancels turns of parents. */
  readonly cancels: boolean;
  /** Faults of a node's requests to the store; absent: none. */
  readonly aim?: AimedFaults;
  /** How often a person may pause a parent, and for so long that much of what was sent back is due; absent: never. */
  readonly pauses?: number;
  readonly shape: FamilyShape;
}

const PARENT_LEASES_MS = [4_000, 8_000];
const PARENT_ATTEMPTS = 30;
const LOOK_EACH_MS = 500;
const PAUSE_WITHIN_SECONDS = 240;
/** Longer than the second delay of what is sent back. */
const PAUSED_MS = 300_000;
/** Newer workers come within this many seconds. */
const NEWER_WITHIN_SECONDS = 10;

export class FamilySystem {
  readonly decoder: Decoder;
  readonly parents: readonly ParentPlan[];
  readonly #simulation: Simulation;
  readonly #store: SimulatedStore;
  readonly #cast: NodeCast;
  #unsent = 0;
  #closed = false;
  #lookAtMs = 0;
  #why = "";

  constructor(plan: FamilySystemPlan, stage: Stage, config: EngineConfig, space: Space) {
    const { simulation, store } = stage;
    this.#simulation = simulation;
    this.#store = store;
    this.decoder = new Decoder(space);
    this.#cast = new NodeCast(plan, stage, config, plan.aim ?? null);
    this.parents = drawFamily(simulation.choices, plan.shape);
    this.#addWorkers(plan);
    for (const [n, parent] of this.parents.entries())
      this.#cast.add(this.#sender(`sender-${n + 1}`, parent, n));
    if (plan.cancels) this.#cast.add(this.#person());
    for (const [n, parent] of this.parents.entries())
      if (plan.pauses !== undefined) this.#cast.add(this.#pauser(`pauser-${n + 1}`, parent.id, plan.pauses));
    this.#cast.start();
  }

  #addWorkers(plan: FamilySystemPlan): void {
    const simulation = this.#simulation;
    const { nodes, hazards } = this.#cast;
    const shared = { simulation, nodes, hazards, closed: () => this.#closed };
    const older = this.#cast.draw(plan.workers, "workers");
    const newer = this.#cast.draw(plan.newer, "newer-workers");
    for (let n = 0; n < older; n++)
      this.#cast.add(familyWorker(`older-${n + 1}`, { ...shared, home: n, newer: false, startAtMs: 0 }));
    for (let n = 0; n < newer; n++) {
      const startAtMs = 1_000 * simulation.choices.choose(NEWER_WITHIN_SECONDS, "newer-start");
      this.#cast.add(familyWorker(`newer-${n + 1}`, { ...shared, home: older + n, newer: true, startAtMs }));
    }
  }

  /** Brings in one parent and its messages, each until it is acknowledged. */
  #sender(name: string, plan: ParentPlan, home: number): Process<unknown> {
    this.#unsent += 1 + plan.messages.length;
    const at = this.#simulation.choices.choose(PARENT_LEASES_MS.length, "family-lease");
    return this.#simulation.process<null>(name, async (context) => {
      const client = new NodeClient(this.#simulation, context, this.#cast.nodes, home);
      const request = {
        id: plan.id,
        workflow_type: PARENT,
        version: "v1",
        state: FIRST_STATE,
        lease_ms: PARENT_LEASES_MS[at] ?? 4_000,
        max_attempts: PARENT_ATTEMPTS,
        on_exhausted: "skip" as const,
      };
      await client.repeat(Number.POSITIVE_INFINITY, () => client.create(request));
      this.#unsent--;
      for (const { id, payload, sendAtMs } of plan.messages) {
        await context.clock.sleep(sendAtMs);
        const send = { workflow_id: plan.id, id, message: payload };
        await client.repeat(Number.POSITIVE_INFINITY, () => client.send(send));
        this.#unsent--;
      }
    });
  }

  /** Cancels a turn now and then. It does not repeat a call that was lost. */
  #person(): Process<unknown> {
    return this.#simulation.process<null>("person-1", async (context) => {
      const { clock, random } = context;
      const client = new NodeClient(this.#simulation, context, this.#cast.nodes, 0);
      while (!this.#closed) {
        await clock.sleep(1_000 * (1 + random.below(20, "person-pause")));
        const parent = this.parents[random.below(this.parents.length, "person-parent")];
        if (parent === undefined || !this.#cast.hazards.on) continue;
        const turn = 1 + random.below(parent.messages.length, "person-turn");
        await client.control({ workflow_id: parent.id, action: "cancel_turn", turn });
      }
    });
  }

  /** U4. */
  #pauser(name: string, workflow_id: string, pauses: number): Process<unknown> {
    this.#unsent++;
    return this.#simulation.process<null>(name, async (context) => {
      const { clock, random } = context;
      const client = new NodeClient(this.#simulation, context, this.#cast.nodes, 0);
      for (let n = 0; n < pauses; n++) {
        await clock.sleep(1_000 * random.below(PAUSE_WITHIN_SECONDS, "pauser-rest"));
        await client.control({ workflow_id, action: "pause" });
        await clock.sleep(PAUSED_MS);
        const resume = () => client.control({ workflow_id, action: "resume" });
        await client.repeat(Number.POSITIVE_INFINITY, resume);
      }
      this.#unsent--;
    });
  }

  finished(): boolean {
    if (this.#closed) return true;
    const nowMs = this.#simulation.now();
    if (this.#unsent > 0 || nowMs < this.#lookAtMs) return false;
    this.#lookAtMs = nowMs + LOOK_EACH_MS;
    this.#why = this.#open();
    this.#closed = this.#why === "";
    return this.#closed;
  }

  /** U1: what is not done, in words; empty: nothing. */
  #open(): string {
    const prefix = this.decoder.identityKey("").slice(0, -".json".length);
    for (const [key, chain] of this.#store.chains) {
      const last = chain.at(-1);
      if (!key.startsWith(prefix) || last === undefined) continue;
      const identity = this.decoder.identity(last);
      if (identity === null) return `${key} cannot be read`;
      const { id, turns, deferred } = identity.value;
      const head = turns.find(
        (turn) => !isOver(turn) || (turn.reply_to !== null && turn.continued_to === null),
      );
      if (head !== undefined)
        return `${id}: turn ${head.number} is ${head.status} in attempt ${head.attempt}, waits for ${head.waiting_for}`;
      if (deferred.length > 0) return `${id}: ${deferred.length} deferred messages`;
    }
    return "";
  }

  waiting(): string {
    return this.#unsent > 0 ? `${this.#unsent} sends have not been answered` : this.#open();
  }

  heal(): void {
    this.#cast.heal();
  }
}
