/**
 * What a handler throws to say how its turn ends, and what text the failure is stored with.
 *
 *   any other error      this attempt failed: the turn is tried again, up to its instance's attempts
 *   `WorkflowError`      the turn fails for good
 *   `WorkflowWait`       the turn waits until then and spends no attempt
 *
 * A turn that used its context wrongly (an order of steps that changed, steps in parallel, a value that is not JSON)
 * fails for good: the same code would do the same again.
 */

/** Fails the turn for good. */
export class WorkflowError extends Error {
  override readonly name: string = "WorkflowError";
}

/** The context was used against its rules; thrown by the context, never by authors. */
export class WorkflowUsageError extends WorkflowError {
  override readonly name = "WorkflowUsageError";
}

/** Lets the turn wait, at least a second, with its steps kept and no attempt spent. */
export class WorkflowWait extends Error {
  override readonly name = "WorkflowWait";
  /** Wall time, Unix milliseconds. */
  readonly retryAtMs: number;

  constructor(retryAtMs: number, why = "waits") {
    super(why);
    this.retryAtMs = retryAtMs;
  }
}

/** Characters of a failure's text that a worker sends. */
const ERROR_CHARS = 1_000;

/** The first 1,000 characters of the error's text; never half a character. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  const cut = text.slice(0, ERROR_CHARS);
  const splits = text.length > ERROR_CHARS && /[\uD800-\uDBFF]$/.test(cut);
  return splits ? cut.slice(0, -1) : cut;
}
