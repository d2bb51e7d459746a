/**
 * A worker of instances with lives and blobs. It may die or stall anywhere, and may so hold a turn of a life that ended.
 *
 *   Y1  an answer that is no success ends the attempt; a call without an answer is repeated a few times.
 *   Y2  a saved step is not done again; an effect is performed under `effect_prefix/key` and then saved.
 *   Y3  a blob is put before the step or the state that names it. One that is put by an attempt that dies before is left
 *       to the sweep.
 *   Y4  what the state names is read before anything else, so that a blob that is gone too early is missed.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { Engine, LeaseRequest, Task } from "../../src/index.ts";
import type { Json } from "../../src/std/json.ts";
import { isObject } from "../checkers/shapes.ts";
import { isKeptPayload, KEPT, type KeptPayload } from "../workloads/lifetimes.ts";
import { type Hazards, never } from "./hazards.ts";
import { NodeClient } from "./node-client.ts";
import type { Outside } from "./outside.ts";

const TRIES = 4;
const REST_MS = 400;
const STALL_LEASES = 1.5;

export interface LifetimeWorkerSetup {
  readonly simulation: Simulation;
  readonly nodes: readonly Process<Engine>[];
  readonly hazards: Hazards;
  readonly outside: Outside;
  readonly home: number;
}

export function lifetimeWorker(name: string, setup: LifetimeWorkerSetup): Process<null> {
  const { simulation, nodes, outside, home } = setup;
  const self: Process<null> = simulation.process<null>(name, async (context) => {
    const client = new NodeClient(simulation, context, nodes, home);
    while (!outside.closed) {
      const claimed = await client.claim({ worker: name, workflows: [KEPT] });
      if (claimed.ok && claimed.value !== null)
        await attempt(claimed.value, client, context, setup, () => self);
      else {
        client.move();
        await context.clock.sleep(REST_MS * (1 + context.random.below(4, "worker-rest")));
      }
    }
  });
  return self;
}

async function attempt(
  task: Task,
  client: NodeClient,
  context: ProcessContext,
  setup: LifetimeWorkerSetup,
  self: () => Process<null>,
): Promise<void> {
  const { turn, token } = task;
  const { message } = turn;
  if (!isKeptPayload(message)) throw new Error("a message that nobody sends");
  const lease: LeaseRequest = { workflow_id: turn.workflow_id, turn: turn.number, token };
  const mishap = () => happens(task, context, setup, self);
  const held = isObject(task.state) ? task.state.blob : null;
  if (typeof held === "string") await client.blob(turn.workflow_id, held);
  await mishap();
  for (let position = turn.steps.length; position < message.steps; position++) {
    await context.clock.sleep(message.step_ms);
    const key = `step-${position}`;
    perform(task, key, context, setup);
    await mishap();
    const output = message.blob === "output" && position === 0 ? await put(lease, message, client) : key;
    if (output === null) return;
    const request = { ...lease, position, key, kind: "step", output } as const;
    if (!(await client.repeat(TRIES, () => client.checkpoint(request))).ok) return;
    await mishap();
  }
  const blob = message.blob === "state" ? await put(lease, message, client) : null;
  if (message.blob === "state" && blob === null) return;
  await mishap();
  // What the state names goes on until another blob takes its place: it outlives its tag by many turns.
  const state: Json = { count: turn.number, blob: blob ?? (typeof held === "string" ? held : null) };
  await client.repeat(TRIES, () => client.complete({ ...lease, state, result: message.name }));
}

/** Y3: the reference; null: the attempt is over. */
async function put(lease: LeaseRequest, { name }: KeptPayload, client: NodeClient): Promise<string | null> {
  const value = { name, large: "x".repeat(40) };
  const reply = await client.repeat(TRIES, () => client.putBlob({ workflow_id: lease.workflow_id, value }));
  return reply.ok ? reply.value.reference : null;
}

/** Y2. */
function perform(task: Task, key: string, context: ProcessContext, setup: LifetimeWorkerSetup): void {
  const { workflow_id, number } = task.turn;
  const effectId = `${task.effect_prefix}/${key}`;
  const { token } = task;
  const atMs = setup.simulation.now();
  setup.outside.perform({
    effectId,
    workflowId: workflow_id,
    turn: number,
    key,
    worker: context.name,
    token,
    atMs,
  });
}

/** A point at which the worker may die or stall. */
async function happens(
  task: Task,
  context: ProcessContext,
  { simulation, hazards }: LifetimeWorkerSetup,
  self: () => Process<null>,
): Promise<void> {
  switch (hazards.atWorker()) {
    case "nothing":
      return;
    case "stall":
      simulation.incident("stall", context.name, "");
      return context.clock.sleep(Math.trunc(task.lease_ms * STALL_LEASES));
    case "death":
      hazards.kill(self());
      return never();
  }
}
