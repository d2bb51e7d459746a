/**
 * Size of a stored turn, checked before each write that makes it grow.
 */
import { type Failure, failure } from "../vocabulary/errors.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { Turn } from "../vocabulary/turn.ts";

/** Why the turn may not be stored, or null when it fits. */
export function storedTurnFailure(workflowId: string, turn: Turn): Failure | null {
  const bytes = Buffer.byteLength(JSON.stringify(turn));
  if (bytes <= LIMITS.storedTurnBytes) return null;
  const message = `turn ${turn.number} of ${workflowId} would take ${bytes} bytes, the limit is ${LIMITS.storedTurnBytes}; keep large values outside and store references, or continue in another turn`;
  return failure("over-limit", "turn_too_large", message);
}
