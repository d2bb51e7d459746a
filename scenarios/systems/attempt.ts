/**
 * One attempt at a turn, as a worker of the contract makes it.
 *
 *   Y1  a step that is saved is not performed again: its saved output is used.
 *   Y2  an effect is performed under `effect_prefix/key`, then saved; who dies in between makes the next attempt
 *       perform it again, under the same id.
 *   Y3  any answer but success ends the attempt at once; nothing more is sent for it. A call without an answer is
 *       repeated a few times.
 *   Y4  a long step renews the lease each third of it.
 */

import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { LeaseRequest, Task } from "../../src/index.ts";
import type { Json } from "../../src/std/json.ts";
import {
  completion,
  type OrderState,
  type Payload,
  readPayload,
  readState,
  stepKey,
  stepOutput,
  verdict,
} from "../workloads/handler.ts";
import { type Hazards, never } from "./hazards.ts";
import type { NodeClient } from "./node-client.ts";
import type { Outside } from "./outside.ts";

/** What a worker works with. */
export interface Workshop {
  readonly simulation: Simulation;
  readonly context: ProcessContext;
  readonly client: NodeClient;
  readonly outside: Outside;
  readonly hazards: Hazards;
  readonly self: Process<unknown>;
}

const TRIES = 4;
/** A stall lasts this many leases. */
const STALL_LEASES = 1.25;

/** Makes the attempt; false when it was lost. */
export async function attemptTurn(task: Task, shop: Workshop): Promise<boolean> {
  const { turn, token } = task;
  const lease: LeaseRequest = { workflow_id: turn.workflow_id, turn: turn.number, token };
  const payload = readPayload(turn.message);
  const state = readState(task.state);
  if (payload === null || state === null) return fail(shop, lease, "unknown message", true);
  await mishap(task, shop);
  const outputs = await steps(task, lease, payload, shop);
  if (typeof outputs === "boolean") return outputs;
  const completed = await complete(lease, state, payload, outputs, shop);
  await mishap(task, shop);
  return completed;
}

/** The outputs of all steps; or, when the attempt has ended, whether it ended by its own word. */
async function steps(
  task: Task,
  lease: LeaseRequest,
  payload: Payload,
  shop: Workshop,
): Promise<readonly Json[] | boolean> {
  const outputs = task.turn.steps.map((step) => step.output);
  for (let position = outputs.length; position < payload.steps; position++) {
    const outcome = verdict(payload, task.turn.attempt);
    if (position === payload.steps - 1 && outcome !== "completes") {
      return fail(shop, lease, `attempt ${task.turn.attempt} ${outcome}`, outcome === "fails-for-good");
    }
    if (!(await work(payload.step_ms, task.lease_ms, lease, shop))) return false;
    const key = stepKey(position);
    const output = stepOutput(perform(task, key, shop));
    await mishap(task, shop);
    const request = { ...lease, position, key, kind: "step", output } as const;
    const saved = await shop.client.repeat(TRIES, () => shop.client.checkpoint(request));
    if (!saved.ok) return false;
    outputs.push(output);
    await mishap(task, shop);
  }
  return outputs;
}

/** Y2; answers the effect id. */
export function perform(task: Task, key: string, shop: Workshop): string {
  const effectId = `${task.effect_prefix}/${key}`;
  const { workflow_id, number } = task.turn;
  const atMs = shop.simulation.now();
  const worker = shop.context.name;
  shop.outside.perform({
    effectId,
    workflowId: workflow_id,
    turn: number,
    key,
    worker,
    token: task.token,
    atMs,
  });
  return effectId;
}

async function complete(
  lease: LeaseRequest,
  state: OrderState,
  payload: Payload,
  outputs: readonly Json[],
  shop: Workshop,
): Promise<boolean> {
  const { state: after, result, continuation } = completion(state, payload, outputs);
  const request = { ...lease, state: after, result, continuation };
  return (await shop.client.repeat(TRIES, () => shop.client.complete(request))).ok;
}

async function fail(shop: Workshop, lease: LeaseRequest, error: string, final: boolean): Promise<boolean> {
  const request = { ...lease, error, non_retryable: final };
  return (await shop.client.repeat(TRIES, () => shop.client.fail(request))).ok;
}

/** Y4: takes the time of a step; false when the lease was lost meanwhile. */
async function work(stepMs: number, leaseMs: number, lease: LeaseRequest, shop: Workshop): Promise<boolean> {
  const thirdMs = Math.trunc(leaseMs / 3);
  for (let leftMs = stepMs; leftMs > 0; leftMs -= thirdMs) {
    await shop.context.clock.sleep(Math.min(leftMs, thirdMs));
    if (leftMs <= thirdMs) break;
    const renewed = await shop.client.heartbeat(lease);
    if (!renewed.ok && renewed.error.kind !== "unknown-outcome" && renewed.error.kind !== "unavailable")
      return false;
  }
  return true;
}

/** A point at which a worker may die or stall. */
async function mishap(task: Task, shop: Workshop): Promise<void> {
  switch (shop.hazards.atWorker()) {
    case "nothing":
      return;
    case "stall":
      shop.simulation.incident("stall", shop.context.name, "");
      return shop.context.clock.sleep(Math.trunc(task.lease_ms * STALL_LEASES));
    case "death":
      shop.hazards.kill(shop.self);
      return never();
  }
}
