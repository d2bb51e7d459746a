/**
 * The driver's desk: what a measured run is driven with. Each of its calls is one call of the engine, or the calls that
 * one turn takes.
 *
 *   K1  ids and messages have the same length all along, so that bytes can be compared.
 *   K2  an open answer is asked for again, as every caller does (`../systems/node-client.ts`); a refusal stops the run.
 *   K3  a step is begun, saved, and the turn completed, as the worker of the product does it with the same options
 *       (`configuration.ts`). The start of a step that outlives a renewal is recorded in any case.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { CompleteRequest, Engine, Failure, Task } from "../../src/index.ts";
import { assert, present } from "../../src/std/assert.ts";
import type { Result } from "../../src/std/result.ts";
import { NodeClient } from "../systems/node-client.ts";
import type { MeasuredConfiguration } from "./configuration.ts";

const WORKFLOW = { workflow_type: "order", version: "v1" };
const CLAIM_WAIT_MS = 10_000;
const DIGITS = 6;

export class Desk {
  readonly configuration: MeasuredConfiguration;
  readonly nodes: readonly Process<Engine>[];
  readonly #simulation: Simulation;
  readonly #context: ProcessContext;
  readonly #clients: readonly NodeClient[];
  #messages = 0;

  constructor(
    simulation: Simulation,
    context: ProcessContext,
    nodes: readonly Process<Engine>[],
    configuration: MeasuredConfiguration,
  ) {
    this.#simulation = simulation;
    this.#context = context;
    this.nodes = nodes;
    this.configuration = configuration;
    // One for each node: who has one node only does not wander off to another (V1).
    this.#clients = nodes.map((node) => new NodeClient(simulation, context, [node], 0));
  }

  begin(): void {
    this.#simulation.incident("measure", null, "begin");
  }

  end(): void {
    this.#simulation.incident("measure", null, "end");
  }

  sleep(ms: number): Promise<void> {
    return this.#context.clock.sleep(ms);
  }

  /** All identities, at once. */
  async create(leaseMs = 60_000): Promise<void> {
    const client = this.#client(0);
    const all = Array.from({ length: this.configuration.identities }, (_, n) =>
      this.#got(client, () =>
        client.create({ id: idOf(n), ...WORKFLOW, state: { sum: 0 }, lease_ms: leaseMs }),
      ),
    );
    await Promise.all(all);
  }

  /** One message to the identity, through that node. */
  async send(node: number, identity = 0): Promise<void> {
    const client = this.#client(node);
    const id = `message-${padded(++this.#messages)}`;
    const request = { workflow_id: idOf(identity), id, message: { add: "1" } };
    await this.#got(client, () => client.send(request));
  }

  /** The next task that this node gives; asks until there is one. */
  async claim(node: number, worker = "worker-1"): Promise<Task> {
    for (;;) {
      const task = await this.look(node, worker);
      if (task !== null) return task;
    }
  }

  /** A task, or null when none came within the wait. */
  look(node: number, worker = "worker-1"): Promise<Task | null> {
    const client = this.#client(node);
    return this.#got(client, () => client.claim({ worker, workflows: [WORKFLOW], wait_ms: CLAIM_WAIT_MS }));
  }

  /** K3: one step of the turn with a checkpoint of its own, with renewals of the lease while it is under way. */
  async step(node: number, task: Task, position: number, renewals = 0): Promise<void> {
    const client = this.#client(node);
    const lease = leaseOf(task);
    const { key, output } = stepAt(position);
    if (this.configuration.records_starts || renewals > 0)
      await this.#got(client, () => client.operation({ ...lease, position, key, kind: "step" }));
    for (let n = 0; n < renewals; n++) {
      await this.sleep(Math.trunc(task.lease_ms / 3));
      await this.#got(client, () => client.heartbeat(lease));
    }
    await this.#got(client, () => client.checkpoint({ ...lease, position, key, kind: "step", output }));
  }

  /** Answers the next turn of the instance, when the worker asks for it and there is one. */
  async complete(
    node: number,
    task: Task,
    step: number | null = null,
    worker = "worker-1",
  ): Promise<Task | null> {
    const client = this.#client(node);
    const end: CompleteRequest = {
      ...leaseOf(task),
      state: { sum: 1 },
      result: { sum: 1 },
      ...(step === null ? {} : { steps: [{ position: step, ...stepAt(step) }] }),
      ...(this.configuration.claims_next ? { next: { worker, workflows: [WORKFLOW] } } : {}),
    };
    const completed = await this.#got(client, () => client.complete(end));
    return completed.next ?? null;
  }

  /** The steps that are not saved yet, and the end; as `complete`. */
  async work(node: number, task: Task, worker?: string): Promise<Task | null> {
    const { steps, folds } = this.configuration;
    const saved = folds ? steps - 1 : steps;
    let position = task.turn.steps.length;
    for (; position < saved; position++) await this.step(node, task, position);
    return this.complete(node, task, position < steps ? position : null, worker);
  }

  /** K2. */
  async #got<T>(client: NodeClient, ask: () => Promise<Result<T, Failure>>): Promise<T> {
    const answer = await client.repeat(Number.POSITIVE_INFINITY, ask);
    assert(answer.ok, `an accepted call, not ${answer.ok ? "" : answer.error.message}`);
    return answer.value;
  }

  #client(node: number): NodeClient {
    return present(this.#clients[node % this.#clients.length], "a node of the run");
  }
}

/** K1. */
function idOf(identity: number): string {
  return `identity-${padded(identity)}`;
}

/** Of the turn that the task is for. */
export function identityOf({ turn }: Task): number {
  return Number(turn.workflow_id.slice(-DIGITS));
}

function padded(n: number): string {
  return String(n).padStart(DIGITS, "0");
}

function stepAt(position: number) {
  return { key: `step-${padded(position)}`, output: "done" };
}

function leaseOf({ turn, token }: Task) {
  return { workflow_id: turn.workflow_id, turn: turn.number, token };
}
