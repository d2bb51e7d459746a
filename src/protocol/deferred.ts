/**
 * Deferred messages: messages that an instance has already and that become turns later.
 *
 *   P63  a deferred message becomes a turn at the end of the inbox in the write of the first claim that finds it due,
 *        the one that is due first before the others. No other command admits it, so a paused or blocked inbox leaves
 *        it where it is.
 *   P64  it counts as pending all the time (P4), and its id as taken (P5).
 *
 * A due time is compared as one node's clock wrote it with another node's clock: skew can only admit it earlier or
 * later, never twice. Source: seed 000 "Failing instances".
 */
import type { DeferredMessage, Instance } from "../vocabulary/instance.ts";
import type { Moment } from "./decision.ts";
import { queuedTurn } from "./send.ts";

/** When the first one is due, wall milliseconds; null: none is deferred. */
export function earliestDueMs(deferred: readonly DeferredMessage[]): number | null {
  let earliest: number | null = null;
  for (const { due_at_ms } of deferred) if (earliest === null || due_at_ms < earliest) earliest = due_at_ms;
  return earliest;
}

/** The instance with a turn for each message that is due; the instance itself when none is. */
export function admitDue(instance: Instance, moment: Moment): Instance {
  const due = instance.deferred.filter((one) => one.due_at_ms <= moment.now_ms);
  if (due.length === 0) return instance;
  due.sort((a, b) => a.due_at_ms - b.due_at_ms);
  let next = { ...instance, deferred: instance.deferred.filter((one) => !due.includes(one)) };
  for (const { id, message, origin, received_at_ms, due_at_ms } of due) {
    const queued = queuedTurn(next, { id, message, origin }, moment);
    const turn = { ...queued, created_at_ms: received_at_ms, ready_at_ms: due_at_ms };
    next = { ...next, turns: [...next.turns, turn], next_turn: next.next_turn + 1 };
  }
  return next;
}
