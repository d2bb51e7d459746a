/**
 * What an engine call answers when it does not succeed: a closed union named by what the caller does next.
 *
 *   invalid          mend the request; a repeat never helps
 *   not-found        there is no such instance, turn or route of it
 *   conflict         the request contradicts what is stored; read, decide again
 *   forbidden        the caller may not do this, whoever else may; ask somebody who may
 *   fenced           the attempt is not (or no longer) the caller's; stop working on it
 *   over-limit       the write would pass a limit; nothing was written
 *   unavailable      nothing was done; repeat after a while
 *   unknown-outcome  the write may or may not have happened, or may still happen; repeat the same request
 *   corrupt          a stored object cannot be trusted; it was left as it is, a person must look
 * `invalid`, `not-found`, `conflict`, `forbidden`, `fenced` and `over-limit` promise that this delivery of the request
 * had no effect and never will (I01). An earlier one, answered or not, may have had one.
 */
export type FailureKind =
  | "invalid"
  | "not-found"
  | "conflict"
  | "forbidden"
  | "fenced"
  | "over-limit"
  | "unavailable"
  | "unknown-outcome"
  | "corrupt";

export interface Failure {
  readonly kind: FailureKind;
  /** Stable machine code in snake_case, for example `message_conflict`. */
  readonly code: string;
  /** For people: what happened, where, what to do. */
  readonly message: string;
  readonly param: string | null;
}

export function failure(
  kind: FailureKind,
  code: string,
  message: string,
  param: string | null = null,
): Failure {
  return { kind, code, message, param };
}
