/**
 * The inbox of an instance: finding, replacing and appending turns.
 *
 *   P1  `turns` holds the numbers `history_through + 1` to `next_turn - 1`, each once, in order.
 *   P2  completed and skipped turns stand before unfinished ones: only the head runs, so turns end in order. Only a
 *       cancelled one may stand behind an unfinished one.
 *   P3  only the head may be `running` or `waiting`, and `holder` is set exactly while it is `running`.
 *   P4  at most `pendingMessages` messages are unfinished, those without a turn yet included.
 *   P5  message ids are unique within `turns` and `deferred`.
 *   P6  `completed_turns` is the number of finished turns, moved ones included.
 * `assertInstance` holds every document that a command makes against them.
 */
import { assert } from "../std/assert.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";

/** The turn with that number, when the document still holds it. */
export function turnNumbered(instance: Instance, number: number): Turn | null {
  return instance.turns[number - instance.history_through - 1] ?? null;
}

/** Whether the turn with that number is kept in history: it has moved there and was not pruned. */
export function isInHistory(instance: Instance, number: number): boolean {
  return number > instance.history_pruned_through && number <= instance.history_through;
}

/** The head of the inbox: the oldest unfinished turn. */
export function inboxHead(instance: Instance): Turn | null {
  return instance.turns.find((turn) => !isFinished(turn)) ?? null;
}

/** Finished turns that may move to history: those before the head. */
export function unmovedTurns(instance: Instance): readonly Turn[] {
  const head = instance.turns.findIndex((turn) => !isFinished(turn));
  return head < 0 ? instance.turns : instance.turns.slice(0, head);
}

export function pendingMessages(instance: Instance): number {
  let pending = 0;
  for (const turn of instance.turns) if (!isFinished(turn)) pending += 1;
  return pending + instance.deferred.length;
}

/** The turns with one of them replaced by its next form. */
export function withTurn(instance: Instance, turn: Turn): readonly Turn[] {
  const at = turn.number - instance.history_through - 1;
  return instance.turns.with(at, turn);
}

/** Stops when a document breaks P1 to P6: a defect of the command that made it. */
export function assertInstance(instance: Instance): void {
  const { turns, deferred } = instance;
  assert(turns.length === instance.next_turn - 1 - instance.history_through, "P1: the turns are contiguous");
  const ids = new Set<string>();
  let unfinished = 0;
  for (const [at, turn] of turns.entries()) {
    assert(turn.number === instance.history_through + 1 + at, "P1: the turns are in order");
    const finished = isFinished(turn);
    assert(!finished || unfinished === 0 || turn.status === "cancelled", "P2: turns end in order");
    if (!finished) unfinished += 1;
    const active = turn.status === "running" || turn.status === "waiting";
    assert(!active || unfinished === 1, "P3: only the head is active");
    assert((turn.holder !== null) === (turn.status === "running"), "P3: a holder while running, else none");
    assert(
      (turn.waiting_for !== null) === (turn.status === "waiting"),
      "P3: a reason while waiting, else none",
    );
    ids.add(turn.message_id);
  }
  for (const { id } of deferred) ids.add(id);
  assert(unfinished + deferred.length <= LIMITS.pendingMessages, "P4: the inbox is bounded");
  assert(ids.size === turns.length + deferred.length, "P5: message ids are unique");
  assert(instance.completed_turns === instance.next_turn - 1 - unfinished, "P6: finished turns are counted");
}
