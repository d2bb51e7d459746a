/**
 * Size of a stored turn, checked before each write that adds to its content: steps, signals, operation, result, state.
 *
 * A claim, a renewal, a failure, the end of a wait with nothing and what a person does are never refused for it, so
 * that a turn which is full can be ended: holder, last attempt and error text take it at most 26 KiB past the limit.
 * Signals may fill a turn so far that no completion fits: then the worker fails it, and a person skips or cancels it.
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
