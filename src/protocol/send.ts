/**
 * Send a message: durable admission to the end of the inbox.
 *
 *   P9   a message id has at most one turn: the caller has looked it up (P87) before it asks, among every kept turn up
 *        to `history_through` of this very document.
 *   P10  an identical repeat answers the first turn; another payload under the id is a conflict. The origin is no
 *        part of the message: a repeat keeps the first one.
 *
 * Source: seed 000 "Message API"; catalogue I06, B69.
 */
import { sameJson } from "../std/canonical-json.ts";
import type { Json } from "../std/json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { SendRequest } from "../vocabulary/requests.ts";
import type { Origin, ReplyTo, Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";
import { pendingMessages } from "./inbox.ts";

export function send(instance: Instance, request: SendRequest, moment: Moment): Decision<Instance, Turn> {
  const earlier = instance.turns.find((turn) => turn.message_id === request.id);
  if (earlier !== undefined) return repeatedSend(earlier, request);
  if (pendingMessages(instance) >= LIMITS.pendingMessages) {
    const message = `instance ${instance.id} has ${LIMITS.pendingMessages} unfinished messages, the limit; send again when some are done`;
    return refuse(failure("over-limit", "inbox_full", message));
  }
  const { id, message, origin = null } = request;
  const turn = queuedTurn(instance, { id, message, origin }, moment);
  const turns = [...instance.turns, turn];
  return write({ ...instance, turns, next_turn: instance.next_turn + 1, updated_at_ms: moment.now_ms }, turn);
}

/** What a repeated message id gets: the first turn, or a conflict when the payload differs. */
export function repeatedSend(earlier: Turn, request: SendRequest): Decision<never, Turn> {
  if (sameJson(earlier.message, request.message)) return answer(earlier);
  const message = `message ${request.id} of ${request.workflow_id} was admitted as turn ${earlier.number} with another payload; use a new id`;
  return refuse(failure("conflict", "message_conflict", message, "id"));
}

/** A message as it is admitted. */
interface Admission {
  readonly id: string;
  readonly message: Json;
  readonly origin: Origin | null;
  readonly reply_to?: ReplyTo | null;
}

/** A message as the next turn of the instance. */
export function queuedTurn(instance: Instance, admission: Admission, moment: Moment): Turn {
  const { id, message, origin, reply_to = null } = admission;
  return {
    number: instance.next_turn,
    message_id: id,
    message,
    version: instance.version,
    migrations: [],
    origin,
    status: "queued",
    waiting_for: null,
    attempt: 0,
    forgiven_attempts: 0,
    created_at_ms: moment.now_ms,
    updated_at_ms: moment.now_ms,
    ready_at_ms: moment.now_ms,
    steps: [],
    signals: [],
    operation: null,
    holder: null,
    last_attempt: null,
    result: null,
    state_after: null,
    completion_digest: null,
    error: null,
    skipped: false,
    finished_at_ms: null,
    reply_to,
    continued_to: null,
    sequence: moment.sequence,
  };
}
