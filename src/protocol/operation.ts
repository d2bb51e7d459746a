/**
 * Operation: a step starts, with limits of its own on its time.
 *
 *   P35  an operation belongs to the attempt that started it; its limits are fixed at the start and no renewal of the
 *        lease moves them (P22).
 *   P36  an exact repeat by the attempt that started it answers the same and extends nothing.
 *   P37  an operation of a later attempt with the same key gets the last checkpoint of the one before.
 *
 * A start that is answered late authorises nothing: whoever gets the answer looks at its lease first.
 * Source: seed 000 "LLM runs, signals and progress"; contract sections 3, 4 (TurnOperation).
 */
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { DEFAULTS } from "../vocabulary/limits.ts";
import type { OperationRequest } from "../vocabulary/requests.ts";
import type { Operation, Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { placeFailure } from "./steps.ts";
import { writeFitting } from "./turn-write.ts";

export function operation(
  instance: Instance,
  request: OperationRequest,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const fenced = fenceFailure(turn, request, moment) ?? placeFailure(turn, request);
  if (fenced !== null) return refuse(fenced);
  const { key, kind, token } = request;
  const timeoutMs = request.timeout_ms ?? DEFAULTS.operationMs;
  const silenceMs = request.heartbeat_timeout_ms ?? null;
  const before = turn.operation;
  if (before !== null && before.token === token) {
    if (isRepeat(before, key, kind, timeoutMs, silenceMs)) return answer(turn);
    const message = `turn ${turn.number} of ${request.workflow_id} runs the operation ${before.key} with other limits; save its step first`;
    return refuse(failure("conflict", "operation_conflict", message, "key"));
  }
  const started: Operation = {
    key,
    kind,
    attempt: turn.attempt,
    token,
    started_at_ms: moment.now_ms,
    deadline_ms: moment.now_ms + timeoutMs,
    timeout_ms: timeoutMs,
    heartbeat_timeout_ms: silenceMs,
    last_heartbeat_ms: moment.now_ms,
    sequence: 0,
    details: null,
    checkpoint: before !== null && before.key === key ? before.checkpoint : null,
  };
  return writeFitting(instance, { ...turn, operation: started }, moment);
}

function isRepeat(
  before: Operation,
  key: string,
  kind: string,
  timeoutMs: number,
  silenceMs: number | null,
): boolean {
  return (
    before.key === key &&
    before.kind === kind &&
    before.timeout_ms === timeoutMs &&
    before.heartbeat_timeout_ms === silenceMs
  );
}
