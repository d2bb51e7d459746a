/**
 * Inbox views: what an instance still has to do, with its ages and sizes. Pure reads.
 *
 * A turn is shown as the next claim will find it (`view.ts`). Cancelled turns that stand behind unfinished ones are
 * neither shown nor counted.
 *
 * Source: seed 000 "Inbox".
 */
import { copyJson, jsonBytes } from "../std/json.ts";
import type { DeferredMessage, Instance } from "../vocabulary/instance.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import type { DeferredView, InboxEntry, InboxPage, InboxSummary } from "../vocabulary/view.ts";
import { pendingMessages } from "./inbox.ts";
import { instanceStatusAt, turnViewAt } from "./view.ts";

interface Wanted {
  /** Turn number, exclusive. */
  readonly after: number;
  readonly limit: number;
  readonly payloads: boolean;
}

export function inboxPage(instance: Instance, wanted: Wanted, nowMs: number): InboxPage {
  const unfinished = instance.turns.filter((turn) => !isFinished(turn));
  const behind = unfinished.filter((turn) => turn.number > wanted.after);
  const page = behind.slice(0, wanted.limit);
  const ages = receiptsOf(instance, unfinished);
  return {
    workflow_id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    status: instanceStatusAt(instance, nowMs),
    pending_messages: pendingMessages(instance),
    oldest_received_at_ms: ages.length === 0 ? null : Math.min(...ages),
    newest_received_at_ms: ages.length === 0 ? null : Math.max(...ages),
    entries: page.map((turn) => entryOf(instance, turn, wanted.payloads, nowMs)),
    deferred: wanted.after > 0 ? [] : instance.deferred.map((one) => deferredView(one, wanted.payloads)),
    next_after: behind.length > page.length ? (page.at(-1)?.number ?? null) : null,
  };
}

/** The instance as the inbox of its type shows it; null when it has no pending message. */
export function inboxSummary(instance: Instance, nowMs: number): InboxSummary | null {
  const unfinished = instance.turns.filter((turn) => !isFinished(turn));
  const ages = receiptsOf(instance, unfinished);
  if (ages.length === 0) return null;
  const head = unfinished[0];
  return {
    workflow_id: instance.id,
    version: instance.version,
    status: instanceStatusAt(instance, nowMs),
    pending_messages: ages.length,
    oldest_received_at_ms: Math.min(...ages),
    head: head === undefined ? null : entryOf(instance, head, false, nowMs),
  };
}

/** When each pending message was received, those that are not due yet included. */
function receiptsOf(instance: Instance, unfinished: readonly Turn[]): readonly number[] {
  const receipts = unfinished.map((turn) => turn.created_at_ms);
  return instance.deferred.length === 0
    ? receipts
    : [...receipts, ...instance.deferred.map((one) => one.received_at_ms)];
}

function deferredView(one: DeferredMessage, payload: boolean): DeferredView {
  const { id, received_at_ms, due_at_ms, origin } = one;
  const message_bytes = jsonBytes(one.message);
  const view = { message_id: id, received_at_ms, due_at_ms, message_bytes, origin };
  return payload ? { ...view, message: copyJson(one.message) } : view;
}

function entryOf(instance: Instance, turn: Turn, payload: boolean, nowMs: number): InboxEntry {
  const view = turnViewAt(instance, turn, nowMs);
  const entry: InboxEntry = {
    turn: turn.number,
    message_id: turn.message_id,
    status: view.status,
    waiting_for: view.waiting_for,
    received_at_ms: turn.created_at_ms,
    ready_at_ms: turn.ready_at_ms,
    attempt: turn.attempt,
    message_bytes: jsonBytes(turn.message),
    origin: turn.origin,
    error: turn.error,
    progress: view.status === "running" ? view.progress : null,
  };
  return payload ? { ...entry, message: copyJson(turn.message) } : entry;
}
