/**
 * Signal: an event for exactly one turn, buffered until a step of it waits for one of that name.
 *
 *   P31  an event id is received once for a turn: a repeat with the same name and value answers the first receipt,
 *        also after the turn has finished or moved to history; with another it is a conflict.
 *   P32  a signal never reaches another turn than the one it names; a finished turn takes no new one.
 *   P33  a signal received strictly before the deadline of a wait that it matches ends the wait, in the same write.
 *        At or after it the signal stays for the next wait.
 *   P34  a signal changes neither the status of a turn that is not waiting for it nor its attempt.
 *
 * Source: seed 000 "LLM runs, signals and progress"; contract sections 3, 8; catalogue I12, B63-B66.
 */
import { sameJson } from "../std/canonical-json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS, REPLY_PREFIX } from "../vocabulary/limits.ts";
import type { SignalRequest } from "../vocabulary/requests.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { writeFitting } from "./turn-write.ts";
import { received } from "./wait-signal.ts";

export function signal(instance: Instance, request: SignalRequest, moment: Moment): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const earlier = repeatedSignal(turn, request);
  if (earlier !== null) return earlier;
  const where = `turn ${turn.number} of ${request.workflow_id}`;
  const isReply = request.id.startsWith(REPLY_PREFIX);
  if (!isReply && fromOutside(turn) >= LIMITS.signalsPerTurn) {
    const message = `${where} has received ${LIMITS.signalsPerTurn} signals, the limit; send a message instead`;
    return refuse(failure("over-limit", "too_many_signals", message));
  }
  const { id, name, value } = request;
  const received = { id, name, value, at_ms: moment.now_ms, consumed_by: null };
  const buffered: Turn = { ...turn, signals: [...turn.signals, received] };
  const next = endsWait(turn, name, moment) ? woken(buffered, moment) : buffered;
  return writeFitting(instance, next, moment);
}

/** What a repeated event id gets, or any signal to a finished turn; null: the signal is new and may be received. */
export function repeatedSignal(turn: Turn, request: SignalRequest): Decision<never, Turn> | null {
  const where = `turn ${turn.number} of ${request.workflow_id}`;
  const earlier = turn.signals.find((one) => one.id === request.id);
  if (earlier !== undefined) {
    if (earlier.name === request.name && sameJson(earlier.value, request.value)) return answer(turn);
    const message = `${where} received signal ${request.id} with another name or value; use a new id`;
    return refuse(failure("conflict", "signal_conflict", message, "id"));
  }
  if (!isFinished(turn)) return null;
  const message = `${where} has finished and takes no more signals; signal the turn that follows, or send a message`;
  return refuse(failure("conflict", "turn_finished", message, "turn"));
}

/** Signals that count: a reply of a child has its place with the step that waits for it. */
function fromOutside(turn: Turn): number {
  let count = 0;
  for (const { id } of turn.signals) if (!id.startsWith(REPLY_PREFIX)) count += 1;
  return count;
}

/** P33. */
function endsWait(turn: Turn, name: string, moment: Moment): boolean {
  const wait = turn.steps.at(-1);
  return (
    turn.waiting_for === "signal" &&
    wait?.signal_name === name &&
    wait.wake_at_ms !== null &&
    moment.now_ms < wait.wake_at_ms
  );
}

/**
 * The turn whose wait takes the signal that came last. An older match there can only be one that a node with a faster
 * clock received after the deadline: that one stays for the next wait (P33).
 */
function woken(turn: Turn, moment: Moment): Turn {
  const taken = received(turn, turn.signals.length - 1);
  return { ...taken, status: "queued", waiting_for: null, ready_at_ms: moment.now_ms };
}
