/**
 * Example documents for tests: each is made by the commands themselves, so none can exist that they do not make.
 *
 * Time starts at `T0` and the worker's token is named by the test. Not part of the engine: nothing imports it but
 * tests.
 */
import { assert } from "../std/assert.ts";
import type { Json } from "../std/json.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { CheckpointRequest, CompleteRequest, CreateRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { type ClaimCommand, claim } from "./claim.ts";
import { complete } from "./complete.ts";
import { create } from "./create.ts";
import { answer, type Decision, type Moment, write } from "./decision.ts";
import { type Upkeep, withoutMoved } from "./history-move.ts";
import { assertInstance } from "./inbox.ts";
import { KEEP_ALL } from "./retention.ts";
import { send } from "./send.ts";

export const T0 = 1_000_000;
const NO_UPKEEP: Upkeep = { retention: KEEP_ALL, now_ms: 0, erased_through: 0 };
export const V1 = { workflow_type: "counter", version: "v1" };

export function at(nowMs = T0, sequence = 1): Moment {
  return { now_ms: nowMs, sequence };
}

/** What a decision to write stores and answers; the document is held against P1 to P6. */
export function written<Reply>(decision: Decision<Instance, Reply>): {
  readonly next: Instance;
  readonly reply: Reply;
} {
  assert(decision.kind === "write", `a write, not ${JSON.stringify(decision)}`);
  assertInstance(decision.next);
  return decision;
}

/** The failure of a refusal. */
export function refused(decision: Decision<Instance, unknown>): Failure {
  assert(decision.kind === "refuse", `a refusal, not ${decision.kind}`);
  return decision.failure;
}

export function created(fields: Partial<CreateRequest> = {}): Instance {
  return written(create(null, { id: "i-1", ...V1, state: { n: 0 }, ...fields }, "life-1", at())).next;
}

export function sent(instance: Instance, id: string, message: Json = { add: 1 }, nowMs = T0): Instance {
  return written(send(instance, { workflow_id: instance.id, id, message }, at(nowMs))).next;
}

export function claimCommand(token: string): ClaimCommand {
  return { worker: `worker-of-${token}`, workflows: [V1], token };
}

export function claimed(instance: Instance, token: string, nowMs = T0): Instance {
  return written(claim(instance, claimCommand(token), at(nowMs))).next;
}

export function lease(token: string, turn = 1) {
  return { workflow_id: "i-1", turn, token };
}

export function step(token: string, position: number, fields: Partial<CheckpointRequest> = {}) {
  return {
    ...lease(token),
    position,
    key: `step-${position}`,
    kind: "step" as const,
    output: position,
    ...fields,
  };
}

export function completion(token: string, fields: Partial<CompleteRequest> = {}): CompleteRequest {
  return { ...lease(token), state: { n: 1 }, result: "done", ...fields };
}

export function completed(instance: Instance, request: CompleteRequest, nowMs = T0): Instance {
  return written(complete(instance, request, at(nowMs))).next;
}

/** A write that does nothing but take the drop of moved turns along (P23). */
export function dropMoved(instance: Instance, through: number, upkeep = NO_UPKEEP): Decision<Instance, null> {
  const next = withoutMoved(instance, through, upkeep);
  return next === instance ? answer(null) : write(next, null);
}

/** The turn with that number, which the document holds. */
export function turnOf(instance: Instance, number = 1): Turn {
  const turn = instance.turns.find((one) => one.number === number);
  assert(turn !== undefined, `turn ${number} in the document`);
  return turn;
}
