/**
 * What an instance waits for, read from its document: its status and when it may next be claimed.
 */
import type { Schedule } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { attemptLimit } from "./attempt.ts";
import { earliestDueMs } from "./deferred.ts";
import { inboxHead } from "./inbox.ts";

export function scheduleOf(instance: Instance): Schedule {
  if (instance.paused) return { status: "paused", ready_at_ms: null };
  const head = inboxHead(instance);
  if (head === null) return emptySchedule(instance);
  const end = attemptLimit(head);
  if (end !== null) return { status: "running", ready_at_ms: end.at_ms };
  if (head.status === "failed") return { status: "failed", ready_at_ms: null };
  return { status: head.status === "waiting" ? "waiting" : "queued", ready_at_ms: head.ready_at_ms };
}

/** Of an inbox without a turn: what is deferred makes one when it is due (P63). */
function emptySchedule({ deferred }: Instance): Schedule {
  const ready_at_ms = earliestDueMs(deferred);
  return { status: ready_at_ms === null ? "idle" : "waiting", ready_at_ms };
}

export function sameSchedule(a: Schedule, b: Schedule): boolean {
  return a.status === b.status && a.ready_at_ms === b.ready_at_ms;
}

/**
 * Whether the index must hear of a change. A renewed lease or a started operation is not one: a claim that looks when
 * the known end has come finds the new one in the identity. That saves a write for each renewal and each operation.
 *
 * An operation that has to end sooner than the lease that the index knows of is therefore taken over with the next pass of
 * the listing at the latest, which mends the entry. Its attempt is over in time all the same: that is decided on the
 * identity, by whoever writes next.
 */
export function isRescheduled(before: Instance, after: Instance): boolean {
  if (before.version !== after.version) return true;
  const token = inboxHead(before)?.holder?.token;
  if (token !== undefined && before.paused === after.paused && token === inboxHead(after)?.holder?.token)
    return false;
  return !sameSchedule(scheduleOf(before), scheduleOf(after));
}
