/**
 * The shape of every answer, for the OpenAPI document and for the tests that hold answers against it.
 *
 *   W1  answers are not checked while serving: the engine's views are typed, and the tests hold drawn answers against
 *       these schemas.
 *   W2  objects are open: a client takes fields that it does not know, so that a newer server may have more.
 *   W3  what the engine always answers is required here, also where the contract leaves it to the server: a stricter
 *       answer suits every client.
 *   W4  times are whole milliseconds and may be negative, because the wall clock of a node may be anything. Only the
 *       progress view has texts (RFC 3339).
 *
 * The names of the schemas are the contract's; what it has no name for has none here.
 *
 * Source: contract sections 4 and 7; `src/vocabulary/view.ts`.
 */
import { z } from "zod";
import { whole } from "./request-schemas.ts";

const json = z.custom<unknown>((value) => value !== undefined);
const text = z.string();
const ms = whole(-Number.MAX_SAFE_INTEGER);
const count = whole(0);

/** Schemas that the document names. */
export const NAMED = new Map<string, z.ZodType>();

function named<T extends z.ZodType>(id: string, schema: T): T {
  NAMED.set(id, schema);
  return schema;
}

/** Of an operation whose details follow the progress convention. */
const progress = named(
  "ProgressView",
  z.looseObject({
    phase: text,
    done: count,
    total: count.nullable(),
    unit: text.nullable(),
    started_at: text.meta({ format: "date-time" }),
    heartbeat_at: text.meta({ format: "date-time" }),
  }),
);

const step = named(
  "WorkflowTurnStep",
  z.looseObject({
    key: text,
    kind: z.enum(["step", "sleep", "signal"]),
    output: json,
    at_ms: ms,
    delay_ms: count.nullable(),
    wake_at_ms: ms.nullable(),
    signal_name: text.nullable(),
    child_id: text.nullable(),
  }),
);

/** A step in progress, or the last one of a failed or retrying turn. Its token is never shown. */
const operation = named(
  "TurnOperation",
  z.looseObject({
    key: text,
    kind: z.enum(["step", "model", "tool"]),
    attempt: count,
    started_at_ms: ms,
    deadline_ms: ms,
    timeout_ms: count,
    heartbeat_timeout_ms: count.nullable(),
    last_heartbeat_ms: ms,
    sequence: count,
    details: json,
    checkpoint: json,
  }),
);

/** An event that a turn received. */
const signal = named(
  "TurnSignal",
  z.looseObject({ id: text, name: text, value: json, at_ms: ms, consumed_by: text.nullable() }),
);

const origin = z.looseObject({ kind: text }).nullable();
const turnStatus = z.enum(["queued", "running", "waiting", "completed", "failed", "cancelled"]);
const waitReason = z.enum(["sleep", "signal", "retry", "capacity"]).nullable();
const instanceStatus = z.enum(["idle", "queued", "running", "waiting", "failed", "paused"]);

/** A turn as anybody may see it: no token. */
export const turn = named(
  "WorkflowTurn",
  z.looseObject({
    workflow_id: text,
    number: count,
    message_id: text,
    message: json,
    version: text,
    migrations: z.array(z.looseObject({ from: text, to: text, at_ms: ms })),
    origin,
    status: turnStatus,
    waiting_for: waitReason,
    attempt: count,
    created_at_ms: ms,
    updated_at_ms: ms,
    ready_at_ms: ms,
    steps: z.array(step),
    signals: z.array(signal),
    operation: operation.nullable(),
    progress: progress.nullable(),
    result: json,
    state_after: json,
    sequence: count,
    worker: text.nullable(),
    deadline_ms: ms.nullable(),
    error: text.nullable(),
    skipped: z.boolean(),
    finished_at_ms: ms.nullable(),
    reply_to: z.looseObject({ workflow_id: text, turn: count }).nullable(),
    continued_to: count.nullable(),
  }),
);

/** An instance with the head of its inbox. */
export const instance = named(
  "WorkflowInstance",
  z.looseObject({
    id: text,
    workflow_type: text,
    version: text,
    state: json,
    status: instanceStatus,
    created_at_ms: ms,
    updated_at_ms: ms,
    sequence: count,
    completed_turns: count,
    pending_messages: count,
    history_through: count,
    history_pruned_through: count,
    progress: progress.nullable(),
    current_turn: turn.nullable(),
  }),
);

/** A claimed turn. */
const task = named(
  "TurnTask",
  z.looseObject({
    workflow_type: text,
    state: json,
    turn,
    token: text,
    lease_ms: count,
    effect_prefix: text,
    migration: z.looseObject({ from: text, to: text }).nullable(),
  }),
);

export const claimed = z.looseObject({ task: task.nullable() });
/** The contract's turn; `next` beside it when the request asked for the next turn. */
export const completed = z.intersection(turn, z.looseObject({ next: task.nullable().exactOptional() }));
export const instances = z.looseObject({ instances: z.array(instance), next_after: text.nullable() });
export const history = z.looseObject({ turns: z.array(turn), next_after: count.nullable() });
export const deleted = z.looseObject({ deleted: z.boolean() });
export const graph = z.looseObject({ epoch: count, created: z.boolean() });
export const blobReference = z.looseObject({ workflow_id: text, reference: text });
export const blob = z.looseObject({ workflow_id: text, reference: text, value: json });
export const requeued = z.looseObject({
  workflow_id: text,
  turn: count,
  message_id: text,
  attempt: count,
  due_at_ms: ms.nullable(),
});

/** A turn in an inbox; its message only when payloads were asked for. */
const entry = named(
  "InboxEntry",
  z.looseObject({
    turn: count,
    message_id: text,
    status: turnStatus,
    waiting_for: waitReason,
    received_at_ms: ms,
    ready_at_ms: ms,
    attempt: count,
    message_bytes: count,
    origin,
    error: text.nullable(),
    progress: progress.nullable(),
    message: json.exactOptional(),
  }),
);

export const inbox = z.looseObject({
  workflow_id: text,
  workflow_type: text,
  version: text,
  status: instanceStatus,
  pending_messages: count,
  oldest_received_at_ms: ms.nullable(),
  newest_received_at_ms: ms.nullable(),
  entries: z.array(entry),
  deferred: z.array(
    z.looseObject({ message_id: text, received_at_ms: ms, due_at_ms: ms, message_bytes: count }),
  ),
  next_after: count.nullable(),
});

export const typeInbox = z.looseObject({
  identities: count,
  with_messages: count,
  instances: z.array(
    z.looseObject({
      workflow_id: text,
      version: text,
      status: instanceStatus,
      pending_messages: count,
      oldest_received_at_ms: ms,
      head: entry.nullable(),
    }),
  ),
  next_after: text.nullable(),
});

export const version = z.looseObject({ name: text, version: text, api_version: text });
export const health = z.looseObject({ status: text });

/** What every refusal is. */
export const errorEnvelope = named(
  "LbbErrorEnvelope",
  z.looseObject({
    error: z.looseObject({
      type: text,
      code: text,
      message: text,
      request_id: text.nullable(),
      doc_url: text.nullable(),
      param: text.nullable(),
      retryable: z.boolean().exactOptional(),
      retry_after_seconds: count.exactOptional(),
    }),
  }),
);
