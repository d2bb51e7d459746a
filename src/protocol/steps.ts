/**
 * Where the next step of a turn may stand, for every command that saves or starts one.
 */
import { type Failure, failure } from "../vocabulary/errors.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { LeaseRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";

/** Whether the call comes from the attempt that holds the turn or held it last: its exact repeats are accepted. */
export function isOwnAttempt(turn: Turn, request: LeaseRequest): boolean {
  return turn.holder?.token === request.token || turn.last_attempt?.token === request.token;
}

/** Why nothing but a migration may come from this attempt now, or null when anything may (P66). */
export function migrationPending(turn: Turn, request: LeaseRequest): Failure | null {
  const to = turn.holder?.migrates_to;
  if (to === undefined) return null;
  const message = `turn ${turn.number} of ${request.workflow_id} was claimed to migrate its instance to version ${to}; migrate first`;
  return failure("conflict", "migration_pending", message);
}

/** Why the step cannot be the next one of the turn, or null when it can (P14). */
export function placeFailure(
  turn: Turn,
  request: LeaseRequest & { readonly position: number; readonly key: string },
): Failure | null {
  const pending = migrationPending(turn, request);
  if (pending !== null) return pending;
  const where = `turn ${turn.number} of ${request.workflow_id}`;
  if (turn.steps.length >= LIMITS.stepsPerTurn && request.position >= LIMITS.stepsPerTurn) {
    const message = `${where} has ${LIMITS.stepsPerTurn} steps, the limit; continue in another turn`;
    return failure("over-limit", "too_many_steps", message, "position");
  }
  if (request.position < turn.steps.length) {
    const message = `step ${request.position} of ${where} was saved with other content; steps never change`;
    return failure("conflict", "step_conflict", message, "position");
  }
  if (request.position > turn.steps.length) {
    const message = `the next step of ${where} has position ${turn.steps.length}, not ${request.position}`;
    return failure("conflict", "step_out_of_order", message, "position");
  }
  if (turn.steps.some((step) => step.key === request.key)) {
    const message = `${where} already has a step with the key ${request.key}; keys are unique in a turn`;
    return failure("conflict", "step_key_conflict", message, "key");
  }
  return null;
}
