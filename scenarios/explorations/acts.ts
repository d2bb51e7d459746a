/**
 * What actors of a scene do: one thing each, as the workers and senders of the larger scenarios do it.
 */
import type { Process } from "../../sim/index.ts";
import type { Engine, LeaseRequest, Task } from "../../src/index.ts";
import { present } from "../../src/std/assert.ts";
import { attemptTurn, perform } from "../systems/attempt.ts";
import { initialState, payloadOf, stepKey, stepOutput } from "../workloads/handler.ts";
import type { InstancePlan, Workload } from "../workloads/workload.ts";
import type { Role } from "./scene.ts";

const PATIENT = Number.POSITIVE_INFINITY;
const WORKFLOWS = [{ workflow_type: "order", version: "v1" }];
/** Longer than the prologue and the scene together, by a clock that is right. */
const LEASE_MS = 20_000;
/** A node whose clock is so far ahead takes the lease of the prologue for ended. */
export const PAST_LEASE_MS = 30_000;
/** How long an actor waits for a pass of the sweeper. */
const SWEEP_MS = 10_000;

/** One instance, one message, one step. */
export const SMALLEST: Workload = {
  instances: [
    {
      id: "order-1",
      workflow_type: "order",
      version: "v1",
      initialCount: 0,
      max_attempts: 20,
      lease_ms: LEASE_MS,
      messages: [
        {
          id: "order-1-message-1",
          steps: 1,
          stepMs: 0,
          depth: 0,
          retryable: 0,
          fatal: false,
          duplicates: 0,
          duplicateAfterMs: 0,
          sendAtMs: 0,
        },
      ],
    },
  ],
};

export async function create(role: Role, plan: InstancePlan): Promise<void> {
  const { id, workflow_type, version, lease_ms, max_attempts } = plan;
  const request = { id, workflow_type, version, state: initialState(plan), lease_ms, max_attempts };
  await role.client.repeat(PATIENT, () => role.client.create(request));
}

export async function send(role: Role, plan: InstancePlan): Promise<void> {
  const message = present(plan.messages[0], "the message of the scene");
  const request = { workflow_id: plan.id, id: message.id, message: payloadOf(message) };
  await role.client.repeat(PATIENT, () => role.client.send(request));
}

/** Asks once for work; null: there was none, or no answer. */
export async function claim(role: Role): Promise<Task | null> {
  const claimed = await role.client.claim({ worker: role.context.name, workflows: WORKFLOWS, wait_ms: 0 });
  return claimed.ok ? claimed.value : null;
}

/** Performs and saves the step of the turn, unless it is saved; answers the task as a later look at the turn would. */
export async function save(role: Role, task: Task | null): Promise<Task | null> {
  if (task === null) return null;
  if (task.turn.steps.length > 0) return task;
  const effectId = perform(task, stepKey(0), role);
  const output = stepOutput(effectId);
  const step = { ...leaseOf(task), position: 0, key: stepKey(0), kind: "step", output } as const;
  const saved = await role.client.checkpoint(step);
  return saved.ok ? { ...task, turn: { ...task.turn, steps: saved.value.steps } } : null;
}

export async function work(role: Role, task: Task | null): Promise<void> {
  if (task !== null) await attemptTurn(task, role);
}

export function leaseOf(task: Task): LeaseRequest {
  return { workflow_id: task.turn.workflow_id, turn: task.turn.number, token: task.token };
}

/** One pass of the sweeper at the node; whether it got through does not matter. */
export async function sweep(role: Role, node: Process<Engine>): Promise<void> {
  const request = { operation: "reconcile", request: null };
  await role.simulation.call(role.context, node, request, (engine) => engine.reconcile(), SWEEP_MS);
}
