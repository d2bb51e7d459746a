/**
 * Fold: the steps that a completion saves in its own write, because their checkpoints were held back.
 *
 *   P110 each is placed and kept by the very rules of a checkpoint of its own (P14): the next position, a key of its own,
 *        all of them below the limit. One that was saved before, just so, is left as it is (P15).
 *   P111 all are saved, or none and nothing else of the completion either.
 *
 * Plain steps only: a sleep or a wait releases the turn, so nothing can complete behind one that is not saved. Size is
 * looked at once, with what the completion adds. Does not own who may write: the completion has looked at the fence.
 */
import { err, ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { CompleteRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { isRepeat, saving, stepOf } from "./checkpoint.ts";
import type { Moment } from "./decision.ts";
import { placeFailure } from "./steps.ts";

/** The turn with the steps saved; the turn itself when there are none. */
export function folded(turn: Turn, request: CompleteRequest, moment: Moment): Result<Turn, Failure> {
  let next = turn;
  for (const given of request.steps ?? []) {
    const step = { ...given, kind: "step" } as const;
    const saved = next.steps[step.position];
    if (saved !== undefined && isRepeat(saved, step)) continue;
    const misplaced = placeFailure(next, { ...request, ...step });
    if (misplaced !== null) return err(misplaced);
    next = saving(next, stepOf(step, moment));
  }
  return ok(next);
}
