/**
 * Inbox views: what an instance still has to do, with its ages and sizes. Pure reads.
 *
 * Source: seed 000 "Inbox".
 */
import { copyJson, jsonBytes } from "../std/json.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import type { InboxEntry, InboxPage, InboxSummary } from "../vocabulary/view.ts";
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
  return {
    workflow_id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    status: instanceStatusAt(instance, nowMs),
    pending_messages: unfinished.length,
    oldest_received_at_ms: unfinished.at(0)?.created_at_ms ?? null,
    newest_received_at_ms: unfinished.at(-1)?.created_at_ms ?? null,
    entries: page.map((turn) => entryOf(instance, turn, wanted.payloads, nowMs)),
    next_after: behind.length > page.length ? (page.at(-1)?.number ?? null) : null,
  };
}

/** The instance as the inbox of its type shows it; null when it has no unfinished turn. */
export function inboxSummary(instance: Instance, nowMs: number): InboxSummary | null {
  const unfinished = instance.turns.filter((turn) => !isFinished(turn));
  const head = unfinished[0];
  if (head === undefined) return null;
  return {
    workflow_id: instance.id,
    version: instance.version,
    status: instanceStatusAt(instance, nowMs),
    pending_messages: unfinished.length,
    oldest_received_at_ms: head.created_at_ms,
    head: entryOf(instance, head, false, nowMs),
  };
}

function entryOf(instance: Instance, turn: Turn, payload: boolean, nowMs: number): InboxEntry {
  const view = turnViewAt(instance, turn, nowMs);
  const entry: InboxEntry = {
    turn: turn.number,
    message_id: turn.message_id,
    status: view.status,
    waiting_for: turn.waiting_for,
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
