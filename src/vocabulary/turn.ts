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
 *   failed     out of attempts, or failed for good; blocks the inbox
 *   cancelled  ended by a person; the saved state is unchanged
 */
export type TurnStatus = "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";

export type StepKind = "step" | "sleep" | "signal";

/** One saved step. Its position in `steps` is its order in the turn. */
export interface Step {
  readonly key: string;
  readonly kind: StepKind;
  readonly output: Json;
  /** When it was saved, wall milliseconds of the node that saved it. */
  readonly at_ms: number;
}

/** The attempt that may write to a running turn. */
export interface Holder {
  readonly worker: string;
  /** The fence: opaque, unique to the attempt. */
  readonly token: string;
  /** End of the lease, wall milliseconds of the node that granted it. Liveness only. */
  readonly deadline_ms: number;
}

/** How the attempt before the current one ended. */
export interface EndedAttempt {
  readonly worker: string;
  readonly token: string;
  /** `completed` and `failed`: by its worker; `expired`: its lease ran out and was taken. */
  readonly end: "completed" | "failed" | "expired";
}

export interface Turn {
  /** 1, 2, 3 … per instance. */
  readonly number: number;
  readonly message_id: string;
  readonly message: Json;
  readonly version: string;
  readonly status: TurnStatus;
  /** The current or last attempt; 0 before the first. */
  readonly attempt: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  /** May not be claimed before this, wall milliseconds. */
  readonly ready_at_ms: number;
  readonly steps: readonly Step[];
  /** Set exactly while `status` is `running`. */
  readonly holder: Holder | null;
  /** The attempt that ended last: recognises exact repeats of its last call. */
  readonly last_attempt: EndedAttempt | null;
  readonly result: Json;
  readonly state_after: Json;
  /** SHA-256 of the canonical completion request; null before completion. */
  readonly completion_digest: string | null;
  readonly error: string | null;
  readonly finished_at_ms: number | null;
  /** The turn that continues this one. */
  readonly continued_to: number | null;
  /** The instance's `sequence` at this turn's last change. */
  readonly sequence: number;
}

/** Completed and cancelled turns are finished: they leave the inbox for history. A failed one blocks it. */
export function isFinished(turn: Turn): boolean {
  return turn.status === "completed" || turn.status === "cancelled";
}
