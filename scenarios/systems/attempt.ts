/**
 * One attempt at a turn, as a worker of the contract makes it.
 *
 *   Y1  a step that is saved is not performed again: its saved output is used.
 *   Y2  an effect is performed under `effect_prefix/key`, then saved; who dies in between makes the next attempt
 *       perform it again, under the same id.
 *   Y3  any answer but success ends the attempt at once; nothing more is sent for it. A call without an answer is
 *       repeated a few times.
 *   Y4  a long step renews the lease each third of it (`lease.ts`). What is no plain step is in `acts.ts`.
 */

import type { LeaseRequest, Task } from "../../src/index.ts";
import type { Json } from "../../src/std/json.ts";
import {
  actAt,
  completion,
  type OrderState,
  type Payload,
  readPayload,
  readState,
  stepKey,
  stepOutput,
  verdict,
} from "../workloads/handler.ts";
import { type Acted, askForLater, operate, type Place, reportTooLate, sleep, wait } from "./acts.ts";
import { never } from "./hazards.ts";
import { Lease } from "./lease.ts";
import type { Workshop } from "./workshop.ts";

export type { Workshop } from "./workshop.ts";

const TRIES = 4;
/** A stall lasts this many leases. */
const STALL_LEASES = 1.25;

/** Makes the attempt; false when it was lost. `askedAtMs`: when it was claimed, by the worker's monotonic clock. */
export async function attemptTurn(
  task: Task,
  shop: Workshop,
  askedAtMs: number = shop.context.clock.monotonicMs(),
): Promise<boolean> {
  const lease = new Lease(task, askedAtMs);
  const payload = readPayload(task.turn.message);
  const state = readState(task.state);
  if (payload === null || state === null) return fail(shop, lease.request, "unknown message", true);
  await mishap(task, shop);
  const outputs = await steps(task, lease, payload, shop);
  if (typeof outputs === "boolean") return outputs;
  const completed = await complete(lease.request, state, payload, outputs, shop);
  await mishap(task, shop);
  return completed;
}

/** The outputs of all steps; or, when the attempt has ended, whether it ended by its own word. */
async function steps(
  task: Task,
  lease: Lease,
  payload: Payload,
  shop: Workshop,
): Promise<readonly Json[] | boolean> {
  const outputs = task.turn.steps.map((step) => step.output);
  for (let position = outputs.length; position < payload.steps; position++) {
    if (position === payload.steps - 1) {
      const ended = await endsBeforeLast(task, lease, payload, shop);
      if (ended !== null) return ended;
    }
    const place = { task, lease, position, key: stepKey(position) };
    const acted = await act(place, payload, shop);
    if (typeof acted === "boolean") return acted;
    outputs.push(acted.output);
    await mishap(task, shop);
  }
  return outputs;
}

/** W4: what the attempt comes to before the last place: it fails, is turned away (whether it was heard), or neither. */
async function endsBeforeLast(
  task: Task,
  lease: Lease,
  payload: Payload,
  shop: Workshop,
): Promise<boolean | null> {
  const [times, ms, busy] = ("away" in payload ? payload.away : null) ?? [0, 0, false];
  if (times > 0 && shop.outside.turnsAway(task.turn.workflow_id, task.turn.number, times)) {
    const later = await askForLater(lease.request, ms, busy, shop);
    if (later !== null) return later;
  }
  const outcome = verdict(payload, task.turn.attempt);
  if (outcome === "completes") return null;
  const error = `attempt ${task.turn.attempt} ${outcome}`;
  return fail(shop, lease.request, error, outcome === "fails-for-good");
}

/** One place of the handler: its output, or that the attempt is over. */
async function act(place: Place, payload: Payload, shop: Workshop): Promise<Acted> {
  const { task, lease, position, key } = place;
  const what = actAt(payload, position);
  if (what.kind === "sleep") return sleep(place, what.ms, shop);
  if (what.kind === "wait") return wait(place, what.name, what.ms, shop);
  const worked = what.kind === "operate" ? operate(place, what, shop) : lease.work(payload.step_ms, shop);
  if (!(await worked)) return false;
  const output = stepOutput(perform(task, key, shop));
  await mishap(task, shop);
  const { workflow_id, turn, token } = lease.request;
  const request = { workflow_id, turn, token, position, key, kind: "step", output } as const;
  const saved = await shop.client.repeat(TRIES, () => shop.client.checkpoint(request));
  if (!saved.ok) return false;
  if (what.kind === "operate") await reportTooLate(place, what, shop);
  return { output };
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
