/**
 * A refused or unanswered call, as users of the client and the worker catch it.
 *
 * Inside, failures are values; this is their form at the edge. What a server's answer adds to a failure (its status, the
 * id of the request) is null when the engine runs in the same process.
 */
import type { Json } from "../std/json.ts";
import type { Failure, FailureKind } from "../vocabulary/errors.ts";

/** A failure that came over HTTP, or that had no answer at all. */
export interface AnsweredFailure extends Failure {
  /** Of the answer; null: there was none. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** How long the answer asked to wait, milliseconds; null: it did not say. */
  readonly retryAfterMs: number | null;
  readonly details: Json;
}

export function isAnswered(failure: Failure): failure is AnsweredFailure {
  return "status" in failure;
}

/** Kinds whose outcome is open, or may be another one later. */
const OPEN: readonly FailureKind[] = ["unavailable", "unknown-outcome"];

export class BatonError extends Error {
  override readonly name = "BatonError";
  readonly kind: FailureKind;
  /** Stable machine code, for example `message_conflict`. */
  readonly code: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly retryable: boolean;
  /** The field of the request that is wrong; null: none in particular. */
  readonly param: string | null;
  readonly details: Json;

  constructor(failure: Failure) {
    super(failure.message);
    this.kind = failure.kind;
    this.code = failure.code;
    this.param = failure.param;
    const answered = isAnswered(failure) ? failure : null;
    this.status = answered?.status ?? null;
    this.requestId = answered?.requestId ?? null;
    this.retryable = answered?.retryable ?? OPEN.includes(failure.kind);
    this.details = answered?.details ?? null;
  }
}
