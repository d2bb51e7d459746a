/**
 * What a step reports through `progress`, as the details that are sent. The engine refuses the same values; here they are
 * refused before that, so that the step fails where it reported them.
 */
import type { JsonObject } from "../std/json.ts";
import { progressFault } from "../vocabulary/progress.ts";
import type { ProgressValues } from "./context.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

/** Throws for values outside the convention. */
export function progressDetails(phase: string, values: ProgressValues): JsonObject {
  const { done = 0, total = null, unit = null } = values;
  const details = { phase, done, ...(total === null ? {} : { total }), ...(unit === null ? {} : { unit }) };
  const fault = progressFault(details);
  if (fault !== null) throw new WorkflowUsageError(`progress is outside its convention: ${fault}`);
  return details;
}
