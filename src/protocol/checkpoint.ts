/**
 * Checkpoint: saves the output of one step.
 *
 *   P14  steps only append: position is the next index, keys are unique in the turn, a saved step never changes.
 *   P15  an exact repeat (position, key, kind, output) by the attempt that holds the turn, or held it last, is
 *        accepted and writes nothing.
 *
 * Source: seed 000 "Message API"; contract sections 3, 3.3; catalogue I06.
 */
import { sameJson } from "../std/canonical-json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { CheckpointRequest } from "../vocabulary/requests.ts";
import type { Step, Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered, withTurn } from "./inbox.ts";
import { storedTurnFailure } from "./size.ts";

export function checkpoint(
  instance: Instance,
  request: CheckpointRequest,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const saved = turn.steps[request.position];
  const ours = turn.holder?.token === request.token || turn.last_attempt?.token === request.token;
  if (saved !== undefined && ours && isRepeat(saved, request)) return answer(turn);
  const fenced = fenceFailure(turn, request, moment);
  if (fenced !== null) return refuse(fenced);
  const misplaced = placeFailure(turn, request);
  if (misplaced !== null) return refuse(misplaced);
  const step: Step = { key: request.key, kind: request.kind, output: request.output, at_ms: moment.now_ms };
  const next: Turn = {
    ...turn,
    steps: [...turn.steps, step],
    updated_at_ms: moment.now_ms,
    sequence: moment.sequence,
  };
  const tooLarge = storedTurnFailure(request.workflow_id, next);
  if (tooLarge !== null) return refuse(tooLarge);
  return write({ ...instance, turns: withTurn(instance, next), updated_at_ms: moment.now_ms }, next);
}

function isRepeat(saved: Step, request: CheckpointRequest): boolean {
  return saved.key === request.key && saved.kind === request.kind && sameJson(saved.output, request.output);
}

function placeFailure(turn: Turn, request: CheckpointRequest) {
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
