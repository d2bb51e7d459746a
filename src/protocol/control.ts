/**
 * Control: what a person does to an instance or to one exact turn of it.
 *
 *   P41  pause and resume are idempotent. A paused instance accepts messages and lets a leased turn finish; it is not
 *        claimed (P11).
 *   P42  retry, skip and cancel_turn name their turn and never act on another one: a repeat finds its turn as the
 *        first left it, or is a conflict. So does a wake that names a turn.
 *   P43  retry puts a failed turn back with a full number of attempts; its steps stay. A turn whose last attempt ran out
 *        of time is failed here, as it is in every view, also when nobody claims it (retry, skip).
 *   P44  skip lets a failed turn leave the head: it stays `failed`, is marked as skipped and moves to history.
 *   P45  cancel_turn ends an unfinished turn wherever it stands in the inbox. The saved state does not change; an
 *        attempt that holds it is fenced from then on.
 *   P46  wake ends a wait that counts no attempt, and only such a wait; where there is none it changes nothing. Resume
 *        does the same besides.
 *   P116 no control leaves a mark of its call: one that may have acted is not decided anew (W7), because meanwhile another
 *        may have undone it.
 *
 * Source: seed 000 "Message workflows", "Message API"; contract section 2.1; catalogue I09, B67.
 */
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { ControlAction, ControlRequest } from "../vocabulary/requests.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import { endedAttempt, settledTurn } from "./attempt.ts";
import { answer, type Decision, type Moment, refuse, write } from "./decision.ts";
import { turnMissing } from "./fence.ts";
import { inboxHead, turnNumbered } from "./inbox.ts";
import { withChanged } from "./turn-write.ts";

export function control(
  instance: Instance,
  request: ControlRequest,
  moment: Moment,
): Decision<Instance, Instance> {
  const decision = acted(instance, request, moment);
  return decision.kind === "write" ? { ...decision, unmarked: true } : decision;
}

function acted(instance: Instance, request: ControlRequest, moment: Moment): Decision<Instance, Instance> {
  switch (request.action) {
    case "pause":
      return instance.paused ? answer(instance) : written({ ...instance, paused: true }, moment);
    case "resume": {
      const woken = wake(instance, null, moment) ?? instance;
      if (!instance.paused && woken === instance) return answer(instance);
      return written({ ...woken, paused: false }, moment);
    }
    case "wake": {
      const woken = wake(instance, request.turn ?? null, moment);
      return woken === null ? answer(instance) : write(woken, woken);
    }
    case "retry":
    case "skip":
    case "cancel_turn":
      return onTurn(instance, request.action, request.workflow_id, request.turn ?? 0, moment);
  }
}

/** What a control of a turn that has moved to history gets (P42). */
export function controlFinished(
  instance: Instance,
  turn: Turn,
  request: ControlRequest,
): Decision<never, Instance> {
  const done = request.action === "skip" ? turn.skipped : turn.status === "cancelled";
  if (done && request.action !== "retry") return answer(instance);
  return refuse(unfit(turn, request.action, request.workflow_id));
}

type TurnAction = "retry" | "skip" | "cancel_turn";

/** Whether the action is about one exact turn, wherever that is kept. */
export function isTurnAction(action: ControlAction): action is TurnAction {
  return action === "retry" || action === "skip" || action === "cancel_turn";
}

function onTurn(
  instance: Instance,
  action: TurnAction,
  id: string,
  number: number,
  moment: Moment,
): Decision<Instance, Instance> {
  const stored = turnNumbered(instance, number);
  if (stored === null) return refuse(turnMissing(instance, { workflow_id: id, turn: number }));
  if (action === "cancel_turn") {
    if (stored.status === "cancelled") return answer(instance);
    if (isFinished(stored)) return refuse(unfit(stored, action, id));
    return turnWritten(instance, cancelled(stored, moment), moment);
  }
  if (action === "skip" && stored.skipped) return answer(instance);
  const turn = settledTurn(stored, instance, moment);
  if (turn.status !== "failed" || (turn.skipped && action === "retry"))
    return refuse(unfit(turn, action, id));
  if (action === "skip") return turnWritten(instance, { ...turn, skipped: true }, moment);
  const retried: Turn = {
    ...turn,
    status: "queued",
    forgiven_attempts: turn.attempt,
    ready_at_ms: moment.now_ms,
    finished_at_ms: null,
  };
  return turnWritten(instance, retried, moment);
}

function unfit(turn: Turn, action: ControlAction, id: string): Failure {
  const where = `turn ${turn.number} of ${id}`;
  const is = turn.skipped ? "skipped" : turn.status;
  const what = action === "cancel_turn" ? "cannot be cancelled" : `is not a failed turn to ${action}`;
  return failure("conflict", "turn_not_in_state", `${where} is ${is}: it ${what}`, "turn");
}

function cancelled(turn: Turn, moment: Moment): Turn {
  return {
    ...turn,
    status: "cancelled",
    waiting_for: null,
    holder: null,
    last_attempt: endedAttempt(turn, "cancelled") ?? turn.last_attempt,
    finished_at_ms: moment.now_ms,
  };
}

/** The instance whose head no longer waits without an attempt; null when it does not, or another is named (P46). */
function wake(instance: Instance, number: number | null, moment: Moment): Instance | null {
  const head = inboxHead(instance);
  if (head === null || (number !== null && number !== head.number)) return null;
  if (head.waiting_for !== "retry" && head.waiting_for !== "capacity") return null;
  const woken: Turn = {
    ...head,
    status: "queued",
    waiting_for: null,
    ready_at_ms: moment.now_ms,
  };
  return withChanged(instance, woken, moment);
}

function turnWritten(instance: Instance, turn: Turn, moment: Moment): Decision<Instance, Instance> {
  const next = withChanged(instance, turn, moment);
  return write(next, next);
}

function written(instance: Instance, moment: Moment): Decision<Instance, Instance> {
  const next = { ...instance, updated_at_ms: moment.now_ms };
  return write(next, next);
}
