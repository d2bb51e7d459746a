/**
 * Progress of an operation: replaces its details and its checkpoint, and shows that it lives.
 *
 *   P38  sequence numbers rise within an attempt; a repeat of the last one with the same content answers the same and
 *        extends nothing; a lower one, or other content, is a conflict.
 *   P39  only the operation in progress of the attempt that holds the turn takes progress: a report that comes after
 *        its step was saved changes nothing.
 *
 * Source: seed 000 "LLM runs, signals and progress"; contract section 3.
 */
import { sameJson } from "../std/canonical-json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { ProgressRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { writeFitting } from "./turn-write.ts";

export function progress(
  instance: Instance,
  request: ProgressRequest,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const fenced = fenceFailure(turn, request, moment);
  if (fenced !== null) return refuse(fenced);
  const { operation } = turn;
  const where = `turn ${turn.number} of ${request.workflow_id}`;
  if (operation === null || operation.token !== request.token || operation.key !== request.key) {
    const message = `${where} has no operation ${request.key} in progress; start it first`;
    return refuse(failure("conflict", "no_operation", message, "key"));
  }
  const { sequence, details, checkpoint } = request;
  const repeated =
    sequence === operation.sequence &&
    sameJson(operation.details, details) &&
    sameJson(operation.checkpoint, checkpoint);
  if (repeated) return answer(turn);
  if (sequence <= operation.sequence) {
    const message = `${where} has progress ${operation.sequence} of ${request.key}; the next number is higher`;
    return refuse(failure("conflict", "progress_out_of_order", message, "sequence"));
  }
  const reported = { ...operation, sequence, details, checkpoint, last_heartbeat_ms: moment.now_ms };
  return writeFitting(instance, { ...turn, operation: reported }, moment);
}
