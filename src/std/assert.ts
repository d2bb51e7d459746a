/**
 * Assertions: what must be true or the program is wrong.
 *
 * An expected condition (a conflict, a refusal, a lost answer) is a value, never an assertion. A failed
 * assertion is a defect: it throws, and whoever runs the code stops the run.
 */

/** A broken invariant of the code itself. Never caught and turned into an answer. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** Stops with `message` unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/** The value, which the caller knows to be present; `what` names it when it is not. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new AssertionError(`${what} must be present`);
  return value;
}

/** Proof that a closed union was handled whole: the compiler rejects a call with a live case. */
export function unreachable(value: never): never {
  throw new AssertionError(`unreachable case: ${JSON.stringify(value)}`);
}
