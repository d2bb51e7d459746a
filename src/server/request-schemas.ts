/**
 * The shape of every body: which fields there are, which are needed, of what JSON type.
 *
 *   S1  every object is closed, nested ones too: a field that nobody reads is a mistake of the sender.
 *   S2  a schema checks shape only. Ranges, names and sizes are the engine's to refuse, with its own codes, so that they
 *       are the same in process and over HTTP; here they stand as notes, for the OpenAPI document.
 *   S3  null is taken for an absent field only where the contract says so.
 *
 * Values (`state`, `message`, …) are any JSON and are not walked here: the engine does that once, when it measures them.
 *
 * What a schema lets through may still be wrong; what it refuses is wrong for certain. The fields that this server takes
 * beyond the contract are those of the engine's requests (`src/vocabulary/requests.ts`).
 *
 * Source: contract sections 1 to 3, 7.
 */
import { z } from "zod";
import type { Json } from "../std/json.ts";
import { LEASE_MS, LIMITS, MAX_ATTEMPTS, OPERATION_MS, SLEEP_MS, WAIT_MS } from "../vocabulary/limits.ts";
import { SENDER_ORIGINS } from "../vocabulary/turn.ts";

/** Types and versions of one claim: more than any worker has. */
const CLAIMED = 1_000;
const NAME_PATTERN = "^[A-Za-z0-9_.-]+$";
const MOST = Number.MAX_SAFE_INTEGER;

/** S2. */
export const name = z.string().meta({ minLength: 1, maxLength: LIMITS.idChars, pattern: NAME_PATTERN });
export function whole(minimum: number, maximum: number = MOST) {
  return z.number().meta({ type: "integer", minimum, maximum });
}
const any = z.custom<Json>((value) => value !== undefined);
const token = z.string().meta({ minLength: 1, maxLength: LIMITS.idChars });

const lease = { workflow_id: name, turn: whole(1), token };
const step = { ...lease, position: whole(0), key: name };

export const create = z.strictObject({
  id: name,
  workflow_type: name,
  version: name,
  state: any.exactOptional(),
  lease_ms: whole(LEASE_MS.min, LEASE_MS.max).exactOptional(),
  max_attempts: whole(MAX_ATTEMPTS.min, MAX_ATTEMPTS.max).exactOptional(),
  on_exhausted: z.enum(["block", "skip"]).exactOptional(),
});

const texts = z.array(z.string()).meta({ maxItems: 32 });
const seq = whole(-MOST);
const origin = z.strictObject({
  kind: z.enum(SENDER_ORIGINS),
  trigger: name.exactOptional(),
  reason: name.exactOptional(),
  event: name.exactOptional(),
  from_seq: seq.exactOptional(),
  to_seq: seq.exactOptional(),
  target_seq: seq.exactOptional(),
  fields: texts.exactOptional(),
  requests: texts.exactOptional(),
  actor: z.string().meta({ maxLength: 128 }).exactOptional(),
  attempt: seq.exactOptional(),
  note: z.string().meta({ maxLength: 280 }).exactOptional(),
});

export const message = z.strictObject({
  workflow_id: name,
  id: name,
  message: any,
  origin: origin.exactOptional(),
});

export const control = z.strictObject({
  workflow_id: name,
  action: z.enum(["pause", "resume", "retry", "skip", "cancel_turn", "wake"]),
  turn: whole(1).nullable().exactOptional(),
});

export const remove = z.strictObject({ workflow_id: name });
/** Of routes that need nothing. */
export const nothing = z.strictObject({});
export const putBlob = z.strictObject({ workflow_id: name, value: any });

const served = {
  worker: name,
  workflows: z
    .array(
      z.strictObject({
        workflow_type: name,
        version: name,
        migrates_from: z.array(name).max(CLAIMED).exactOptional(),
      }),
    )
    .max(CLAIMED),
};
export const claim = z.strictObject({ ...served, wait_ms: whole(0).exactOptional() });

export const heartbeat = z.strictObject(lease);

export const operation = z.strictObject({
  ...step,
  kind: z.enum(["step", "model", "tool"]),
  timeout_ms: whole(OPERATION_MS.min, OPERATION_MS.max).exactOptional(),
  heartbeat_timeout_ms: whole(OPERATION_MS.min, OPERATION_MS.max).nullable().exactOptional(),
});

export const progress = z.strictObject({
  ...lease,
  key: name,
  sequence: whole(1),
  details: any,
  checkpoint: any,
});

export const checkpoint = z.strictObject({
  ...step,
  kind: z.enum(["step", "sleep"]),
  output: any.exactOptional(),
  delay_ms: whole(SLEEP_MS.min, SLEEP_MS.max).nullable().exactOptional(),
});

const waitMs = whole(WAIT_MS.min, WAIT_MS.max);
export const waitSignal = z.strictObject({ ...step, name, timeout_ms: waitMs });
export const signal = z.strictObject({ workflow_id: name, turn: whole(1), id: name, name, value: any });

/** The contract's newer clients say what the turn's model calls used; nothing is kept of it. */
const usage = any.exactOptional();

export const complete = z.strictObject({
  ...lease,
  state: any,
  result: any.exactOptional(),
  continuation: z.strictObject({ message: any }).nullable().exactOptional(),
  /** Beyond the contract: steps whose checkpoints were held back, and who takes the next turn. */
  steps: z
    .array(z.strictObject({ position: whole(0), key: name, output: any }))
    .max(LIMITS.stepsPerTurn)
    .exactOptional(),
  next: z.strictObject(served).exactOptional(),
  usage,
});

export const fail = z.strictObject({
  ...lease,
  error: z.string().meta({ maxLength: LIMITS.errorChars }),
  non_retryable: z.boolean().exactOptional(),
  retry_at_ms: whole(0).nullable().exactOptional(),
  reason: z.enum(["capacity"]).nullable().exactOptional(),
  usage,
});

export const startChild = z.strictObject({
  ...step,
  workflow_type: name,
  version: name,
  state: any.exactOptional(),
  message: any,
  timeout_ms: waitMs,
  lease_ms: whole(LEASE_MS.min, LEASE_MS.max).exactOptional(),
  max_attempts: whole(MAX_ATTEMPTS.min, MAX_ATTEMPTS.max).exactOptional(),
});

export const migrate = z.strictObject({ ...lease, from: name, to: name, state: any });

export const requeue = z.strictObject({
  ...lease,
  key: name,
  instances: z
    .array(z.strictObject({ instance: z.string(), error: z.string() }))
    .meta({ minItems: 1, maxItems: LIMITS.requeuedInstances }),
  message: any.exactOptional(),
});
