/**
 * The fence: which attempt may write to a turn.
 *
 *   P7  a worker's call is accepted only with the token that the document names as the holder's.
 *   P8  the end of a lease or of an operation only decides liveness: a call after it is refused, but a wrong clock can
 *       never let two attempts write, because the next claim replaces the token (catalogue I04, I19, I22; B34).
 * An exact repeat of the last accepted call of an ended attempt is recognised by its command, before the fence.
 */
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { LeaseRequest } from "../vocabulary/requests.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import { attemptLimit } from "./attempt.ts";
import type { Moment } from "./decision.ts";
import { isInHistory } from "./inbox.ts";

/** Why this call may not write to the turn now, or null when it may. */
export function fenceFailure(turn: Turn, request: LeaseRequest, moment: Moment): Failure | null {
  const where = `turn ${turn.number} of ${request.workflow_id}`;
  if (turn.holder === null || turn.holder.token !== request.token) {
    if (turn.status === "cancelled")
      return failure("fenced", "turn_cancelled", `${where} was cancelled; claim again`);
    // As when it has moved: nobody can tell from an answer where a finished turn is kept.
    if (isFinished(turn)) return failure("fenced", "turn_finished", `${where} has finished; claim again`);
    return failure("fenced", "lease_lost", `${where} is not held by this attempt; claim again`);
  }
  const end = attemptLimit(turn);
  if (end === null || end.at_ms > moment.now_ms) return null;
  if (end.limit === "lease")
    return failure("fenced", "lease_expired", `the lease on ${where} has ended; claim again`);
  const limit = end.limit === "operation" ? "ran longer than its limit" : "reported no progress in time";
  return failure("fenced", "operation_expired", `the operation of ${where} ${limit}; claim again`);
}

/** Why the document does not hold that turn. The caller has looked in history for turns that have moved. */
export function turnMissing(
  instance: Instance,
  request: { readonly workflow_id: string; readonly turn: number },
): Failure {
  const where = `turn ${request.turn} of ${request.workflow_id}`;
  if (isInHistory(instance, request.turn))
    return failure("fenced", "turn_finished", `${where} has finished; claim again`);
  return failure("not-found", "turn_not_found", `${where} does not exist`, "turn");
}
