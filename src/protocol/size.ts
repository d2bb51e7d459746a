/**
 * Size of a stored turn, checked before each write that adds to its content: steps, result, state.
 *
 * What attempts leave in it while it is unfinished (holder, last attempt, error text: at most 26 KiB) is not held
 * against the limit, so that every claim and every failure can be recorded. A turn in history is always within it.
 */
import { type Failure, failure } from "../vocabulary/errors.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { turnText } from "../vocabulary/turn-text.ts";

/** Why the turn may not be stored, or null when it fits. */
export function storedTurnFailure(workflowId: string, turn: Turn): Failure | null {
  const bytes = Buffer.byteLength(turnText(turn));
  if (bytes <= LIMITS.storedTurnBytes) return null;
  const message = `turn ${turn.number} of ${workflowId} would take ${bytes} bytes, the limit is ${LIMITS.storedTurnBytes}; keep large values outside and store references, or continue in another turn`;
  return failure("over-limit", "turn_too_large", message);
}
