/**
 * Views: what callers see of an instance and its turns. Pure reads; a token is never in one.
 *
 * A view shares no JSON value with the document it shows: handlers change their state in place, and a document may
 * be read again.
 *
 * Time that has run out is shown as the next claim will treat it (seed 000: "timers and expired leases are applied by
 * the next claim or read"): a turn whose attempt has ended is queued again, or failed when it is out of attempts; one
 * whose wait is over is queued. What a wait received is not known before that claim: its step has no output yet.
 */
import { present } from "../std/assert.ts";
import { copyJson } from "../std/json.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import type { Operation, Turn } from "../vocabulary/turn.ts";
import type { InstanceView, OperationView, Task, TurnView } from "../vocabulary/view.ts";
import { settledTurn } from "./attempt.ts";
import { inboxHead, pendingMessages } from "./inbox.ts";
import { progressView } from "./progress-view.ts";
import { scheduleOf } from "./schedule.ts";

/** A turn as it is stored: as just written, or finished. */
export function turnView(workflowId: string, turn: Turn): TurnView {
  return {
    workflow_id: workflowId,
    number: turn.number,
    message_id: turn.message_id,
    message: copyJson(turn.message),
    version: turn.version,
    migrations: turn.migrations,
    origin: turn.origin,
    status: turn.status,
    waiting_for: turn.waiting_for,
    attempt: turn.attempt,
    created_at_ms: turn.created_at_ms,
    updated_at_ms: turn.updated_at_ms,
    ready_at_ms: turn.ready_at_ms,
    steps: turn.steps.map((step) => ({ ...step, output: copyJson(step.output) })),
    signals: turn.signals.map((one) => ({ ...one, value: copyJson(one.value) })),
    operation: turn.operation && operationView(turn.operation),
    progress: progressView(turn),
    result: copyJson(turn.result),
    state_after: copyJson(turn.state_after),
    sequence: turn.sequence,
    worker: turn.holder?.worker ?? turn.last_attempt?.worker ?? null,
    deadline_ms: turn.holder?.deadline_ms ?? null,
    error: turn.error,
    skipped: turn.skipped,
    finished_at_ms: turn.finished_at_ms,
    reply_to: turn.reply_to,
    continued_to: turn.continued_to,
  };
}

function operationView({ token: _, ...shown }: Operation): OperationView {
  return { ...shown, details: copyJson(shown.details), checkpoint: copyJson(shown.checkpoint) };
}

/** A turn as a reader sees it now. */
export function turnViewAt(instance: Instance, turn: Turn, nowMs: number): TurnView {
  const view = turnView(instance.id, turn);
  if (turn.status === "waiting" && turn.ready_at_ms <= nowMs)
    return { ...view, status: "queued", waiting_for: null };
  const now = settledTurn(turn, instance, { now_ms: nowMs, sequence: turn.sequence });
  return now === turn ? view : { ...view, status: now.status, deadline_ms: null };
}

export function instanceView(instance: Instance, stamp: WriteStamp, nowMs: number): InstanceView {
  const head = inboxHead(instance);
  const current = head && turnViewAt(instance, head, nowMs);
  return {
    id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    state: copyJson(instance.state),
    status: statusWith(current, instance),
    created_at_ms: instance.created_at_ms,
    updated_at_ms: instance.updated_at_ms,
    sequence: stamp.sequence,
    completed_turns: instance.completed_turns,
    pending_messages: pendingMessages(instance),
    history_through: instance.history_through,
    history_pruned_through: instance.history_pruned_through,
    progress: current?.status === "running" ? current.progress : null,
    current_turn: current,
  };
}

/** The status of the instance as a reader sees it now. */
export function instanceStatusAt(instance: Instance, nowMs: number): InstanceView["status"] {
  const head = inboxHead(instance);
  return statusWith(head && turnViewAt(instance, head, nowMs), instance);
}

function statusWith(current: TurnView | null, instance: Instance): InstanceView["status"] {
  const { status } = scheduleOf(instance);
  if (current === null || (status !== "running" && status !== "waiting")) return status;
  return current.status === "failed" || current.status === status ? current.status : "queued";
}

/** A claimed turn for its worker. `effectScope` names the graph that the instance lives in. */
export function taskOf(instance: Instance, turn: Turn, token: string, effectScope: string): Task {
  const migratesTo = turn.holder?.migrates_to;
  return {
    workflow_type: instance.workflow_type,
    state: copyJson(instance.state),
    turn: turnView(instance.id, turn),
    token,
    lease_ms: instance.lease_ms,
    effect_prefix: effectPrefix(instance, turn, effectScope),
    migration: migratesTo === undefined ? null : { from: instance.version, to: migratesTo },
  };
}

/** The task of a turn that was just claimed. */
export function claimedTask(instance: Instance, turn: Turn, effectScope: string): Task {
  const { token } = present(turn.holder, "the holder of a claimed turn");
  return taskOf(instance, turn, token, effectScope);
}

/**
 * Stable over attempts and recovery; never met again, not by a later life of the instance's id, nor by a message
 * whose id comes again after its first turn was pruned.
 */
export function effectPrefix(instance: Instance, turn: Turn, effectScope: string): string {
  return `${effectScope}/${instance.id}/${instance.incarnation}/${turn.number}/${turn.message_id}`;
}
