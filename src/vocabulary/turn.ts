/**
 * A turn: one message and the work on it. The stored shape; `view.ts` has what callers see.
 *
 * Source: seed 000 "Message workflows"; contract section 4 (WorkflowTurn, StepCheckpoint).
 */
import type { Json } from "../std/json.ts";

/**
 *   queued     waits for its place at the head of the inbox, or for its next attempt
 *   running    an attempt holds a lease
 *   waiting    a durable sleep or a wait released the worker
 *   completed  state, result and inbox advance are committed
 *   failed     out of attempts, or failed for good; blocks the inbox until a person acts, unless it is skipped
 *   cancelled  ended by a person; the saved state is unchanged
 */
export type TurnStatus = "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";

export type StepKind = "step" | "sleep" | "signal";

/** One saved step. Its position in `steps` is its order in the turn. */
export interface Step {
  readonly key: string;
  readonly kind: StepKind;
  /** Of a sleep: null. Of a signal: null while it waits, then a `Received`. */
  readonly output: Json;
  /** When it was saved, wall milliseconds of the node that saved it. */
  readonly at_ms: number;
  /** The length of a sleep, or the time-out of a wait for a signal; null for a step. */
  readonly delay_ms: number | null;
  /** When the sleep is over, or the deadline of the wait; null for a step. */
  readonly wake_at_ms: number | null;
  /** The name that a signal step waits for; null for others. */
  readonly signal_name: string | null;
  /** The instance whose reply a signal step waits for; null for others. */
  readonly child_id: string | null;
}

/** The output of a wait for a signal that is over. */
export type Received =
  | { readonly received: true; readonly value: Json }
  | { readonly received: false; readonly value: null };

/**
 * Why a turn waits:
 *
 *   sleep     a durable sleep
 *   signal    a wait for a signal
 *   retry     its worker asked for a later time and spent no attempt
 *   capacity  the same, because the system is busy
 */
export type WaitReason = "sleep" | "signal" | "retry" | "capacity";

/** An event for exactly one turn. */
export interface Signal {
  /** The sender's event id. */
  readonly id: string;
  readonly name: string;
  readonly value: Json;
  /** When it was received, wall milliseconds of the receiving node. */
  readonly at_ms: number;
  /** The key of the step that took it. */
  readonly consumed_by: string | null;
}

export type OperationKind = "step" | "model" | "tool";

/** A step in progress, or the last one of a failed or retrying turn. Its limits do not depend on the lease. */
export interface Operation {
  readonly key: string;
  /** A label only. */
  readonly kind: OperationKind;
  readonly attempt: number;
  /** The attempt that may report progress. Never shown. */
  readonly token: string;
  readonly started_at_ms: number;
  /** Execution limit, wall milliseconds: no renewal moves it. */
  readonly deadline_ms: number;
  readonly timeout_ms: number;
  /** The most time between two reports of progress; null: none asked for. */
  readonly heartbeat_timeout_ms: number | null;
  readonly last_heartbeat_ms: number;
  /** The last report's number; 0 before the first. */
  readonly sequence: number;
  readonly details: Json;
  /** Where the step could go on: handed to the next attempt. */
  readonly checkpoint: Json;
}

/** Where a message came from. No part of its identity. */
export interface Origin {
  readonly kind: OriginKind;
  readonly trigger?: string;
  readonly reason?: string;
  readonly event?: string;
  readonly from_seq?: number;
  readonly to_seq?: number;
  readonly target_seq?: number;
  readonly fields?: readonly string[];
  readonly requests?: readonly string[];
  readonly actor?: string;
  readonly attempt?: number;
  readonly note?: string;
  /** Of a continuation or a requeued message: the turn that it comes from, and that turn's message. */
  readonly turn?: number;
  readonly message_id?: string;
}

export type OriginKind = (typeof SENDER_ORIGINS)[number] | "continuation";

/** The kinds that a sender may set. */
export const SENDER_ORIGINS = [
  "app",
  "console",
  "manual",
  "watch",
  "backfill",
  "commit",
  "schema_changed",
  "requeue",
  "migration",
  "schedule",
  "event",
  "signal",
] as const;

/** The attempt that may write to a running turn. */
export interface Holder {
  readonly worker: string;
  /** The fence: opaque, unique to the attempt. */
  readonly token: string;
  /** End of the lease, wall milliseconds of the node that granted it. Liveness only. */
  readonly deadline_ms: number;
  /** The version that the attempt has to bring its instance to before anything else; absent: nothing of the kind. */
  readonly migrates_to?: string;
  /** The turn whose completion began the attempt in its own write; absent: a claim began it. */
  readonly granted_by?: number;
}

/** The turn that waits for the end of this one, and the name of the signal that tells it. */
export interface ReplyTo {
  readonly workflow_id: string;
  readonly incarnation: string;
  readonly turn: number;
  readonly name: string;
}

/** A change of an instance's version, made by the attempt of a turn before its first step. */
export interface Migration {
  readonly from: string;
  readonly to: string;
  readonly at_ms: number;
}

/** How the attempt before the current one ended. */
export interface EndedAttempt {
  readonly worker: string;
  readonly token: string;
  readonly end: AttemptEnd;
}

/**
 * How an attempt lets go of its turn:
 *
 *   completed  failed   by its worker
 *   expired             its lease or its operation ran out of time, and the turn was taken
 *   suspended           by a sleep or a wait for a signal: the next claim continues it
 *   deferred            by a wait that counts no attempt: the next claim continues it
 *   cancelled           by a person
 */
export type AttemptEnd = "completed" | "failed" | "expired" | "suspended" | "deferred" | "cancelled";

export interface Turn {
  /** 1, 2, 3 … per instance. */
  readonly number: number;
  readonly message_id: string;
  readonly message: Json;
  /** Of the code that runs it: the instance's when it was admitted, and from a claim on that of then. */
  readonly version: string;
  /** In their order; mostly none. */
  readonly migrations: readonly Migration[];
  readonly status: TurnStatus;
  readonly origin: Origin | null;
  /** The current or last attempt; 0 before the first. Only an execution counts: a wait does not. */
  readonly attempt: number;
  /** Attempts that no longer count against the instance's limit, because a person asked for more. */
  readonly forgiven_attempts: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  /** May not be claimed before this, wall milliseconds. */
  readonly ready_at_ms: number;
  /** Set exactly while `status` is `waiting`. */
  readonly waiting_for: WaitReason | null;
  readonly steps: readonly Step[];
  /** In the order of their receipt. */
  readonly signals: readonly Signal[];
  readonly operation: Operation | null;
  /** Set exactly while `status` is `running`. */
  readonly holder: Holder | null;
  /** The attempt that ended last: recognises exact repeats of its last call. */
  readonly last_attempt: EndedAttempt | null;
  readonly result: Json;
  readonly state_after: Json;
  /** SHA-256 of the canonical completion request; null before completion. */
  readonly completion_digest: string | null;
  readonly error: string | null;
  /** A failed turn that no longer blocks the inbox. */
  readonly skipped: boolean;
  readonly finished_at_ms: number | null;
  /** Of a child's work: who started it. A continuation takes it over. */
  readonly reply_to: ReplyTo | null;
  /** The turn that continues this one. */
  readonly continued_to: number | null;
  /** The instance's `sequence` at this turn's last change. */
  readonly sequence: number;
}

/** Finished turns leave the inbox for history. A failed one blocks it until it is skipped. */
export function isFinished(turn: Turn): boolean {
  return turn.status === "completed" || turn.status === "cancelled" || turn.skipped;
}
