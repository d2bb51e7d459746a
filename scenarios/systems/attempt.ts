/**
 * One attempt at a turn, as a worker of the contract makes it.
 *
 *   Y1  a step that is saved is not performed again: its saved output is used.
 *   Y2  an effect is performed under `effect_prefix/key`, then saved; who dies in between makes the next attempt
 *       perform it again, under the same id.
 *   Y3  any answer but success ends the attempt at once; nothing more is sent for it. A call without an answer is
 *       repeated a few times.
 *   Y5  the checkpoint of a plain step is held back half of the time. What is held is saved in its order before anything
 *       else is saved or said, or goes with the completion.
 *   Y6  half of the completions ask for the next turn, and half of those name another version than the instance has.
 *   Y4  a long step renews the lease each third of it (`lease.ts`). What is no plain step is in `acts.ts`.
 */

import type { FoldedStep, LeaseRequest, NextClaim, Task } from "../../src/index.ts";
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
/** A version that no instance has. */
const STRANGE_VERSION = "v-strange";
/** A stall lasts this many leases. */
const STALL_LEASES = 1.25;

/** How an attempt came out. */
export interface Attempted {
  /** Whether it ended by its own word; else it was lost. */
  readonly ended: boolean;
  /** The turn that it was given with its completion, and when that was asked for, by the worker's monotonic clock. */
  readonly next: { readonly task: Task; readonly askedAtMs: number } | null;
}

/** Makes the attempt. `askedAtMs`: when it was claimed, by the worker's monotonic clock. */
export async function attemptTurn(
  task: Task,
  shop: Workshop,
  askedAtMs: number = shop.context.clock.monotonicMs(),
): Promise<Attempted> {
  const lease = new Lease(task, askedAtMs);
  const payload = readPayload(task.turn.message);
  const state = readState(task.state);
  if (payload === null || state === null)
    return { ended: await fail(shop, lease.request, "unknown message", true), next: null };
  await mishap(task, shop);
  const done = await steps(task, lease, payload, shop);
  if (typeof done === "boolean") return { ended: done, next: null };
  const completed = await complete(lease.request, state, payload, done, shop);
  await mishap(task, shop);
  return completed;
}

/** What the places of a turn gave. */
interface Done {
  readonly outputs: Json[];
  /** Y5: the last ones, when their checkpoints were held back. */
  held: FoldedStep[];
}

/** All steps done; or, when the attempt has ended, whether it ended by its own word. */
async function steps(task: Task, lease: Lease, payload: Payload, shop: Workshop): Promise<Done | boolean> {
  const done: Done = { outputs: task.turn.steps.map((step) => step.output), held: [] };
  for (let position = done.outputs.length; position < payload.steps; position++) {
    const isPlain = actAt(payload, position).kind === "step";
    const isLast = position === payload.steps - 1;
    if ((isLast || !isPlain) && !(await release(done, lease.request, shop))) return false;
    if (isLast) {
      const ended = await endsBeforeLast(task, lease, payload, shop);
      if (ended !== null) return ended;
    }
    const place = { task, lease, position, key: stepKey(position) };
    const acted = await act(place, payload, shop, done);
    if (typeof acted === "boolean") return acted;
    done.outputs.push(acted.output);
    await mishap(task, shop);
  }
  return done;
}

/** Y5: saves what was held back; false when the attempt was lost. */
async function release(done: Done, lease: LeaseRequest, shop: Workshop): Promise<boolean> {
  for (const { position, key, output } of done.held)
    if (!(await save(lease, { position, key, output }, shop))) return false;
  done.held = [];
  return true;
}

async function save(lease: LeaseRequest, step: FoldedStep, shop: Workshop): Promise<boolean> {
  const request = { ...lease, ...step, kind: "step" } as const;
  return (await shop.client.repeat(TRIES, () => shop.client.checkpoint(request))).ok;
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
async function act(place: Place, payload: Payload, shop: Workshop, done: Done): Promise<Acted> {
  const { task, lease, position, key } = place;
  const what = actAt(payload, position);
  if (what.kind === "sleep") return sleep(place, what.ms, shop);
  if (what.kind === "wait") return wait(place, what.name, what.ms, shop);
  const worked = what.kind === "operate" ? operate(place, what, shop) : lease.work(payload.step_ms, shop);
  if (!(await worked)) return false;
  const output = stepOutput(perform(task, key, shop));
  await mishap(task, shop);
  if (what.kind === "step" && draws(shop, "worker-folds")) {
    done.held.push({ position, key, output });
    return { output };
  }
  if (!(await release(done, lease.request, shop))) return false;
  if (!(await save(lease.request, { position, key, output }, shop))) return false;
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
  { outputs, held }: Done,
  shop: Workshop,
): Promise<Attempted> {
  const { state: after, result, continuation } = completion(state, payload, outputs);
  const request = {
    ...lease,
    state: after,
    result,
    continuation,
    ...(held.length === 0 ? {} : { steps: held }),
    ...asksForNext(shop),
  };
  const askedAtMs = shop.context.clock.monotonicMs();
  const completed = await shop.client.repeat(TRIES, () => shop.client.complete(request));
  const task = completed.ok ? (completed.value.next ?? null) : null;
  return { ended: completed.ok, next: task && { task, askedAtMs } };
}

/** Y6. */
function asksForNext(shop: Workshop): { readonly next?: NextClaim } {
  if (!draws(shop, "worker-next")) return {};
  const serves = shop.serves ?? [];
  const strange = draws(shop, "worker-next-strange");
  const workflows = strange ? serves.map((one) => ({ ...one, version: STRANGE_VERSION })) : serves;
  return { next: { worker: shop.context.name, workflows } };
}

/** Half of the time; never for a worker without such habits. */
function draws(shop: Workshop, label: string): boolean {
  return shop.serves !== undefined && shop.context.random.below(2, label) === 1;
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
