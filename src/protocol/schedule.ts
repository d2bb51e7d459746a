/**
 * What an instance waits for, read from its document: its status and when it may next be claimed.
 */
import type { Schedule } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { inboxHead } from "./inbox.ts";

export function scheduleOf(instance: Instance): Schedule {
  const head = inboxHead(instance);
  if (head === null) return { status: "idle", ready_at_ms: null };
  if (head.holder !== null) return { status: "running", ready_at_ms: head.holder.deadline_ms };
  if (head.status === "failed") return { status: "failed", ready_at_ms: null };
  return { status: head.status === "waiting" ? "waiting" : "queued", ready_at_ms: head.ready_at_ms };
}

export function sameSchedule(a: Schedule, b: Schedule): boolean {
  return a.status === b.status && a.ready_at_ms === b.ready_at_ms;
}

/** Whether the index must hear of a change. A renewed lease is not one: claims find its end in the identity. */
export function isRescheduled(before: Instance, after: Instance): boolean {
  const token = inboxHead(before)?.holder?.token;
  if (token !== undefined && token === inboxHead(after)?.holder?.token) return false;
  return !sameSchedule(scheduleOf(before), scheduleOf(after));
}
