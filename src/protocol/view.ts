/**
 * Views: what callers see of an instance and its turns. Pure reads; a token is never in one.
 *
 * A view shares no JSON value with the document it shows: handlers change their state in place, and a document may
 * be read again.
 *
 * A lease that has ended is shown as the next claim will treat it: the turn is queued again, or failed when it is
 * out of attempts (seed 000: "timers and expired leases are applied by the next claim or read").
 */
import { copyJson } from "../std/json.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { InstanceView, Task, TurnView } from "../vocabulary/view.ts";
import { inboxHead, pendingMessages } from "./inbox.ts";
import { scheduleOf } from "./schedule.ts";

/** A turn as it is stored: as just written, or finished. */
export function turnView(workflowId: string, turn: Turn): TurnView {
  return {
    workflow_id: workflowId,
    number: turn.number,
    message_id: turn.message_id,
    message: copyJson(turn.message),
    version: turn.version,
    status: turn.status,
    attempt: turn.attempt,
    created_at_ms: turn.created_at_ms,
    updated_at_ms: turn.updated_at_ms,
    ready_at_ms: turn.ready_at_ms,
    steps: turn.steps.map((step) => ({ ...step, output: copyJson(step.output) })),
    result: copyJson(turn.result),
    state_after: copyJson(turn.state_after),
    sequence: turn.sequence,
    worker: turn.holder?.worker ?? turn.last_attempt?.worker ?? null,
    deadline_ms: turn.holder?.deadline_ms ?? null,
    error: turn.error,
    finished_at_ms: turn.finished_at_ms,
    continued_to: turn.continued_to,
  };
}

/** A turn as a reader sees it now. */
export function turnViewAt(instance: Instance, turn: Turn, nowMs: number): TurnView {
  const view = turnView(instance.id, turn);
  if (turn.holder === null || turn.holder.deadline_ms > nowMs) return view;
  return { ...view, status: turn.attempt >= instance.max_attempts ? "failed" : "queued", deadline_ms: null };
}

export function instanceView(instance: Instance, stamp: WriteStamp, nowMs: number): InstanceView {
  const head = inboxHead(instance);
  const current = head && turnViewAt(instance, head, nowMs);
  return {
    id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    state: copyJson(instance.state),
    status: current === null ? "idle" : shownStatus(current, instance),
    created_at_ms: instance.created_at_ms,
    updated_at_ms: instance.updated_at_ms,
    sequence: stamp.sequence,
    completed_turns: instance.completed_turns,
    pending_messages: pendingMessages(instance),
    history_through: instance.history_through,
    current_turn: current,
  };
}

function shownStatus(current: TurnView, instance: Instance): InstanceView["status"] {
  const { status } = scheduleOf(instance);
  if (status !== "running") return status;
  return current.status === "running" || current.status === "failed" ? current.status : "queued";
}

/** A claimed turn for its worker. `effectScope` names the graph that the instance lives in. */
export function taskOf(instance: Instance, turn: Turn, token: string, effectScope: string): Task {
  return {
    workflow_type: instance.workflow_type,
    state: copyJson(instance.state),
    turn: turnView(instance.id, turn),
    token,
    lease_ms: instance.lease_ms,
    effect_prefix: effectPrefix(instance, turn, effectScope),
  };
}

/**
 * Stable over attempts and recovery; never met again, not by a later life of the instance's id, nor by a message
 * whose id comes again after its first turn was pruned.
 */
function effectPrefix(instance: Instance, turn: Turn, effectScope: string): string {
  return `${effectScope}/${instance.id}/${instance.incarnation}/${turn.number}/${turn.message_id}`;
}
