/**
 * A worker of families: runs the turns of parents and children, migrates what it is told to, and may die anywhere.
 *
 *   Y1  an answer that is no success ends the attempt; a call without an answer is repeated a few times.
 *   Y3  a task that names a migration is migrated before anything else; the state is computed by a pure function, so
 *       every worker that is told the same computes the same.
 *   Y4  what cannot be done today is sent back before the turn completes, so a turn that has completed has sent it.
 *   Y5  the handler asks for the same steps in the same order in every attempt: children first, then plain steps.
 *   Y6  a turn with steps that sent work back sleeps past the time at which that becomes a turn; the attempt that goes
 *       on sends it back again, under the same key, before it completes.
 *   Y7  the first plain step runs as an operation, so that a worker may leave one behind before the turn has any step.
 *   Y8  a worker of the old version now and then asks for a migration that nobody told it to make, and is refused.
 *   Y2  a saved step is not done again. A step that waits ends the attempt: the next claim brings its output.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { Engine, LeaseRequest, Task, TurnView } from "../../src/index.ts";
import type { Json } from "../../src/std/json.ts";
import {
  againOf,
  CHILD,
  type ChildPayload,
  isChildPayload,
  isParentPayload,
  migrated,
  PARENT,
  type ParentPayload,
  taken,
} from "../workloads/family.ts";
import { type Hazards, never } from "./hazards.ts";
import { NodeClient } from "./node-client.ts";

const TRIES = 4;
/** Between two claims that found nothing, at least. */
const REST_MS = 900;
const STALL_LEASES = 1.25;
export const CHILD_LEASE_MS = 4_000;
const CHILD_ATTEMPTS = 20;
/** Longer than the first delay of what is sent back. */
const AGAIN_AND_MORE_MS = 75_000;
const OPERATION_MS = 60_000;
/** Y8: one attempt in so many. */
const UNTOLD = 6;

export interface FamilyWorkerSetup {
  readonly simulation: Simulation;
  readonly nodes: readonly Process<Engine>[];
  readonly hazards: Hazards;
  readonly home: number;
  /** Whether it has the second version of parents, which migrates from the first. */
  readonly newer: boolean;
  readonly startAtMs: number;
  readonly closed: () => boolean;
}

const OLDER = [
  { workflow_type: PARENT, version: "v1" },
  { workflow_type: CHILD, version: "v1" },
];
const NEWER = [
  { workflow_type: PARENT, version: "v2", migrates_from: ["v1"] },
  { workflow_type: CHILD, version: "v1" },
];

export function familyWorker(name: string, setup: FamilyWorkerSetup): Process<null> {
  const { simulation, nodes, hazards, home } = setup;
  const workflows = setup.newer ? NEWER : OLDER;
  const self: Process<null> = simulation.process<null>(name, async (context) => {
    const client = new NodeClient(simulation, context, nodes, home);
    const { clock, random } = context;
    await clock.sleep(setup.startAtMs);
    while (!setup.closed()) {
      const claimed = await client.claim({ worker: name, workflows });
      if (!claimed.ok || claimed.value === null) {
        client.move();
        await clock.sleep(REST_MS * (1 + random.below(4, "family-rest")));
        continue;
      }
      await new FamilyAttempt(claimed.value, simulation, context, client, hazards, self).run();
    }
  });
  return self;
}

/** One attempt at one turn, with all that it needs at hand. */
class FamilyAttempt {
  readonly #task: Task;
  readonly #lease: LeaseRequest;
  readonly #simulation: Simulation;
  readonly #context: ProcessContext;
  readonly #client: NodeClient;
  readonly #hazards: Hazards;
  readonly #self: Process<unknown>;

  constructor(
    task: Task,
    simulation: Simulation,
    context: ProcessContext,
    client: NodeClient,
    hazards: Hazards,
    self: Process<unknown>,
  ) {
    const { turn, token } = task;
    this.#task = task;
    this.#lease = { workflow_id: turn.workflow_id, turn: turn.number, token };
    this.#simulation = simulation;
    this.#context = context;
    this.#client = client;
    this.#hazards = hazards;
    this.#self = self;
  }

  /** Returns when the attempt is over, whoever ended it. */
  async run(): Promise<void> {
    const { message } = this.#task.turn;
    const { workflow_type } = this.#task;
    await this.#mishap();
    if (workflow_type === PARENT && isParentPayload(message)) await this.#parent(message);
    else if (workflow_type === CHILD && isChildPayload(message)) await this.#child(message);
    await this.#mishap();
  }

  /** Children first, then plain steps, then what is sent back, then the end (Y4, Y5). */
  async #parent(payload: ParentPayload): Promise<void> {
    const state = await this.#stateNow();
    if (state === null) return;
    let position = 0;
    for (const [n, child] of payload.children.entries()) {
      if (!(await this.#startChild(position, `child-${n}`, child))) return;
      position++;
    }
    for (let n = 0; n < payload.steps; n++) {
      if (!(await this.#step(position, `step-${n}`))) return;
      position++;
    }
    if (payload.again > 0 && !(await this.#sendBack(payload))) return;
    // Y6: the message that was sent back is a turn by then.
    if (payload.again > 0 && payload.steps > 0 && !(await this.#step(position, "rest", AGAIN_AND_MORE_MS)))
      return;
    const version = this.#task.migration?.to ?? this.#task.turn.version;
    const after = taken(state, version, payload.name);
    if (after === null) throw new Error(`a state of another version: ${JSON.stringify(state)}`);
    const request = { ...this.#lease, state: after, result: payload.name };
    await this.#client.repeat(TRIES, () => this.#client.complete(request));
  }

  /** The state in the form of the code's version; null: the attempt is over. */
  async #stateNow(): Promise<Json | null> {
    const { migration, state } = this.#task;
    if (migration === null) {
      await this.#migrateUntold();
      return state;
    }
    const next = migrated(state);
    if (next === null) throw new Error(`a state that is none of v1: ${JSON.stringify(state)}`);
    const request = { ...this.#lease, ...migration, state: next };
    const done = await this.#client.repeat(TRIES, () => this.#client.migrate(request));
    await this.#mishap();
    return done.ok ? next : null;
  }

  /** Y8: what a worker with the new code would do that did not look at its task. */
  async #migrateUntold(): Promise<void> {
    const next = migrated(this.#task.state);
    if (next === null || this.#task.turn.version !== "v1") return;
    if (this.#context.random.below(UNTOLD, "family-untold") < UNTOLD - 1) return;
    await this.#client.migrate({ ...this.#lease, from: "v1", to: "v2", state: next });
  }

  /** Y2: whether the attempt goes on. */
  async #startChild(
    position: number,
    key: string,
    child: ParentPayload["children"][number],
  ): Promise<boolean> {
    if (this.#task.turn.steps[position] !== undefined) return true;
    const { timeout_ms, ...message } = child;
    const request = {
      ...this.#lease,
      position,
      key,
      workflow_type: CHILD,
      version: "v1",
      message,
      timeout_ms,
      lease_ms: CHILD_LEASE_MS,
      max_attempts: CHILD_ATTEMPTS,
    };
    const started = await this.#client.repeat(TRIES, () => this.#client.startChild(request));
    await this.#mishap();
    return started.ok && !isWaiting(started.value);
  }

  /** Y2, of a plain step, or of a sleep: whether the attempt goes on. */
  async #step(position: number, key: string, delay_ms: number | null = null): Promise<boolean> {
    if (this.#task.turn.steps[position] !== undefined) return true;
    const place = { ...this.#lease, position, key };
    if (position === 0 && delay_ms === null) {
      const start = { ...place, kind: "step", timeout_ms: OPERATION_MS } as const;
      if (!(await this.#client.repeat(TRIES, () => this.#client.operation(start))).ok) return false;
      await this.#mishap();
    }
    const request =
      delay_ms === null
        ? ({ ...place, kind: "step", output: key } as const)
        : ({ ...place, kind: "sleep", delay_ms } as const);
    const saved = await this.#client.repeat(TRIES, () => this.#client.checkpoint(request));
    await this.#mishap();
    return saved.ok && !isWaiting(saved.value);
  }

  /** Whether the work is known to be sent back, or given up; else the attempt is over. */
  async #sendBack(payload: ParentPayload): Promise<boolean> {
    const instances = [{ instance: payload.name, error: "not today" }];
    const request = { ...this.#lease, key: "again", instances, message: againOf(payload) };
    const sent = await this.#client.repeat(TRIES, () => this.#client.requeue(request));
    await this.#mishap();
    return sent.ok;
  }

  /** Takes its time, and then ends as its message says. */
  async #child(payload: ChildPayload): Promise<void> {
    await this.#context.clock.sleep(payload.ms);
    await this.#mishap();
    if (payload.fails) {
      const request = { ...this.#lease, error: `${payload.name} cannot be done`, non_retryable: true };
      await this.#client.repeat(TRIES, () => this.#client.fail(request));
      return;
    }
    const continuation =
      payload.depth > 0
        ? { message: { ...payload, name: `${payload.name}+`, depth: payload.depth - 1 } }
        : null;
    const request = { ...this.#lease, state: payload.name, result: payload.name, continuation };
    await this.#client.repeat(TRIES, () => this.#client.complete(request));
  }

  /** A point at which the worker may die or stall. */
  async #mishap(): Promise<void> {
    switch (this.#hazards.atWorker()) {
      case "nothing":
        return;
      case "stall":
        this.#simulation.incident("stall", this.#context.name, "");
        return this.#context.clock.sleep(Math.trunc(this.#task.lease_ms * STALL_LEASES));
      case "death":
        this.#hazards.kill(this.#self);
        return never();
    }
  }
}

/** Whether the attempt was released: its step waits for a reply that has not come. */
function isWaiting(turn: TurnView): boolean {
  return turn.status === "waiting";
}
