/**
 * Whole numbers within their limits, checked where an author writes them.
 */
import { WorkflowUsageError } from "./workflow-errors.ts";

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Absent is fine. `what` names the number for people. */
export function checkRange(value: number | undefined, what: string, { min, max }: Range): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= min && value <= max)) return;
  throw new WorkflowUsageError(`${what} must be a whole number from ${min} to ${max}`);
}
