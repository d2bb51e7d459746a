/**
 * What callers ask, with the field names of the HTTP contract (sections 2 and 3).
 */
import type { Json } from "../std/json.ts";
import type { OnExhausted } from "./instance.ts";
import type { OperationKind, Origin } from "./turn.ts";

export interface CreateRequest {
  readonly id: string;
  readonly workflow_type: string;
  readonly version: string;
  /** Absent = null. */
  readonly state?: Json;
  readonly lease_ms?: number;
  readonly max_attempts?: number;
  /** Absent = `block`. */
  readonly on_exhausted?: OnExhausted;
}

export interface SendRequest {
  readonly workflow_id: string;
  readonly id: string;
  readonly message: Json;
  readonly origin?: Origin;
}

/** An event for exactly one turn; needs no token. */
export interface SignalRequest {
  readonly workflow_id: string;
  readonly turn: number;
  readonly id: string;
  readonly name: string;
  readonly value: Json;
}

export type ControlAction = "pause" | "resume" | "retry" | "skip" | "cancel_turn" | "wake";

export interface ControlRequest {
  readonly workflow_id: string;
  readonly action: ControlAction;
  /** Needed for `retry`, `skip` and `cancel_turn`. */
  readonly turn?: number | null;
}

export interface WorkflowVersion {
  readonly workflow_type: string;
  readonly version: string;
}

/** Code that a worker has. */
export interface ServedVersion extends WorkflowVersion {
  /** Versions whose saved state it can turn into its own, see `MigrateRequest`; absent: none. */
  readonly migrates_from?: readonly string[];
}

export interface ClaimRequest {
  readonly worker: string;
  readonly workflows: readonly ServedVersion[];
  /** How long to wait for work, 0 to 10,000 milliseconds; absent = 0. */
  readonly wait_ms?: number;
}

/** Names one attempt of one turn. */
export interface LeaseRequest {
  readonly workflow_id: string;
  readonly turn: number;
  readonly token: string;
}

export interface CheckpointRequest extends LeaseRequest {
  /** The step's index in the turn, from 0. */
  readonly position: number;
  readonly key: string;
  readonly kind: "step" | "sleep";
  /** Of a sleep: null, or absent. */
  readonly output?: Json;
  /** Of a sleep its length; absent or null for a step. */
  readonly delay_ms?: number | null;
}

export interface WaitSignalRequest extends LeaseRequest {
  readonly position: number;
  readonly key: string;
  readonly name: string;
  readonly timeout_ms: number;
}

/** Starts or resumes a step. */
export interface OperationRequest extends LeaseRequest {
  readonly position: number;
  readonly key: string;
  readonly kind: OperationKind;
  /** Absent = five minutes. */
  readonly timeout_ms?: number;
  readonly heartbeat_timeout_ms?: number | null;
}

export interface ProgressRequest extends LeaseRequest {
  readonly key: string;
  /** Rises within an attempt, from 1. */
  readonly sequence: number;
  readonly details: Json;
  readonly checkpoint: Json;
}

export interface CompleteRequest extends LeaseRequest {
  readonly state: Json;
  readonly result?: Json;
  readonly continuation?: { readonly message: Json } | null;
  /** Steps that were performed and not saved yet: saved by the completion. Absent = none. */
  readonly steps?: readonly FoldedStep[];
  /** Who takes the instance's next turn, if one may be claimed then. Absent: nobody asks for it. */
  readonly next?: NextClaim;
}

/** A plain step, as a checkpoint names it. */
export interface FoldedStep {
  readonly position: number;
  readonly key: string;
  readonly output: Json;
}

/** A claim of what one instance has to do next. */
export type NextClaim = Omit<ClaimRequest, "wait_ms">;

export interface FailRequest extends LeaseRequest {
  readonly error: string;
  readonly non_retryable?: boolean;
  /** The turn waits until then, keeps its steps and counts no attempt; wall milliseconds, at least a second ahead. */
  readonly retry_at_ms?: number | null;
  /** With `retry_at_ms`: the system is busy. */
  readonly reason?: "capacity" | null;
}

/** The first word of an attempt that claimed an instance of an older version: its state in the new version's form. */
export interface MigrateRequest extends LeaseRequest {
  /** As the task says it. */
  readonly from: string;
  readonly to: string;
  readonly state: Json;
}

/** Starts another instance and waits for the end of its first message, as for a signal. */
export interface StartChildRequest extends LeaseRequest {
  readonly position: number;
  readonly key: string;
  readonly workflow_type: string;
  readonly version: string;
  /** Absent = null. */
  readonly state?: Json;
  readonly message: Json;
  readonly timeout_ms: number;
  readonly lease_ms?: number;
  readonly max_attempts?: number;
}

/** Sends back what the turn could not do: a message to its own instance, after a delay. */
export interface RequeueRequest extends LeaseRequest {
  /** Names the call in the turn: a repeat with the same key is the same message. */
  readonly key: string;
  readonly instances: readonly RequeuedInstance[];
  /** What is sent; absent: `{"requeue": instances}`. */
  readonly message?: Json;
}

/** One of a turn's inputs that it could not do, and why. */
export interface RequeuedInstance {
  readonly instance: string;
  readonly error: string;
}

export interface DeleteRequest {
  readonly workflow_id: string;
}

/** A value too large for a step's output. */
export interface PutBlobRequest {
  readonly workflow_id: string;
  readonly value: Json;
}

export interface ListRequest {
  /** Instance id, exclusive. */
  readonly after?: string | null;
  readonly limit?: number;
}

export interface InboxRequest {
  readonly workflow_id: string;
  /** Turn number, exclusive. */
  readonly after?: number | null;
  readonly limit?: number;
  /** Whether each entry shows its message. */
  readonly payloads?: boolean;
}

export interface TypeInboxRequest {
  readonly workflow_type: string;
  /** Absent or null: every version. */
  readonly version?: string | null;
  /** Instance id, exclusive. */
  readonly after?: string | null;
  readonly limit?: number;
}

export interface HistoryRequest {
  readonly workflow_id: string;
  /** Turn number, exclusive. */
  readonly after?: number | null;
  readonly limit?: number;
}
