/**
 * Progress in the shape that clients draw: what a step may report through `progress`.
 *
 * The engine refuses the same values; here they are refused before they are sent, so that the step fails where it
 * reported them. Source: seed 000 "Progress convention".
 */
import type { JsonObject } from "../std/json.ts";
import type { ProgressValues } from "./context.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

const PHASE_CHARS = 80;
const UNIT = /^[A-Za-z0-9 _-]{1,32}$/;

/** The details as they are sent. Throws for values outside the convention. */
export function progressDetails(phase: string, values: ProgressValues): JsonObject {
  const { done = 0, total = null, unit = null } = values;
  if (typeof phase !== "string" || phase.length === 0 || [...phase].length > PHASE_CHARS)
    throw outside(`phase must be text of 1 to ${PHASE_CHARS} characters`);
  if (!isCount(done)) throw outside("done must be a whole number, at least 0");
  if (total !== null && !isCount(total)) throw outside("total must be a whole number, or left out");
  if (unit !== null && (typeof unit !== "string" || !UNIT.test(unit)))
    throw outside("unit must be 1 to 32 letters, digits, spaces, - or _, or left out");
  return { phase, done, ...(total === null ? {} : { total }), ...(unit === null ? {} : { unit }) };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function outside(rule: string): WorkflowUsageError {
  return new WorkflowUsageError(`progress is outside its convention: ${rule}`);
}
