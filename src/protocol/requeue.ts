/**
 * Requeue: a turn sends back what it could not do, as a message to its own instance after a delay.
 *
 *   P60  the message's id is made of the turn and the key, so however often a turn, in whichever attempt, sends back
 *        under one key, it is one message. An exact repeat by the attempt that holds the turn or held it last answers
 *        the same and writes nothing; other content under the key is a conflict.
 *   P61  the delays are 1, 4 and 16 minutes: the count goes with the message's origin, and a turn whose own message was
 *        sent back three times gives up. That is an answer and writes nothing.
 *   P62  only the attempt that holds the turn sends back. What it sent stays, whatever becomes of the turn.
 *
 * Source: seed 000 "Safe writes, waits and failing instances".
 */
import { sameJson } from "../std/canonical-json.ts";
import type { Json } from "../std/json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS, REQUEUE_DELAYS_MS, REQUEUE_PREFIX } from "../vocabulary/limits.ts";
import type { RequeueRequest } from "../vocabulary/requests.ts";
import type { Origin, Turn } from "../vocabulary/turn.ts";
import type { RequeueView } from "../vocabulary/view.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { pendingMessages, turnNumbered } from "./inbox.ts";
import { isOwnAttempt, migrationPending } from "./steps.ts";

/** P60. */
export function requeueId(turn: number, key: string): string {
  return `${REQUEUE_PREFIX}${turn}-${key}`;
}

export function requeue(
  instance: Instance,
  request: RequeueRequest,
  moment: Moment,
): Decision<Instance, RequeueView> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const id = requeueId(turn.number, request.key);
  const message = messageOf(request);
  const attempt = 1 + Math.max(0, countOf(turn));
  const sent = messageWith(instance, id);
  const view = (due_at_ms: number | null): RequeueView => {
    return { workflow_id: request.workflow_id, turn: turn.number, message_id: id, attempt, due_at_ms };
  };
  const repeated = sent !== null && sameJson(sent.message, message);
  if (repeated && isOwnAttempt(turn, request)) return answer(view(sent.due_at_ms));
  const fenced = fenceFailure(turn, request, moment) ?? migrationPending(turn, request);
  if (fenced !== null) return refuse(fenced);
  if (repeated) return answer(view(sent.due_at_ms));
  const where = `turn ${turn.number} of ${request.workflow_id}`;
  if (sent !== null) {
    const text = `${where} has sent back other instances under the key ${request.key}; use another key`;
    return refuse(failure("conflict", "requeue_conflict", text, "key"));
  }
  const delayMs = REQUEUE_DELAYS_MS[attempt - 1];
  if (delayMs === undefined) return answer(view(null));
  if (pendingMessages(instance) >= LIMITS.pendingMessages) {
    const text = `instance ${instance.id} has ${LIMITS.pendingMessages} unfinished messages, the limit; send back again when some are done`;
    return refuse(failure("over-limit", "inbox_full", text));
  }
  const due_at_ms = moment.now_ms + delayMs;
  const origin: Origin = { kind: "requeue", attempt, turn: turn.number, message_id: turn.message_id };
  const deferred = { id, message, origin, received_at_ms: moment.now_ms, due_at_ms };
  return write(
    { ...instance, deferred: [...instance.deferred, deferred], updated_at_ms: moment.now_ms },
    view(due_at_ms),
  );
}

/** How often what this turn works on was sent back before (P61). */
function countOf({ origin }: Turn): number {
  return origin?.kind === "requeue" ? (origin.attempt ?? 0) : 0;
}

function messageOf({ message, instances }: RequeueRequest): Json {
  if (message !== undefined) return message;
  return { requeue: instances.map(({ instance, error }) => ({ instance, error })) };
}

/** What was sent under the id: still deferred, or a turn behind this one, which nobody has claimed yet. */
function messageWith(
  instance: Instance,
  id: string,
): { readonly message: Json; readonly due_at_ms: number } | null {
  const deferred = instance.deferred.find((one) => one.id === id);
  if (deferred !== undefined) return deferred;
  const turn = instance.turns.find((one) => one.message_id === id);
  return turn === undefined ? null : { message: turn.message, due_at_ms: turn.ready_at_ms };
}
