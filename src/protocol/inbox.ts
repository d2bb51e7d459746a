/**
 * The inbox of an instance: finding, replacing and appending turns.
 *
 *   P1  `turns` holds the numbers `history_through + 1` to `next_turn - 1`, each once, in order.
 *   P2  finished turns stand before unfinished ones: only the head runs, so turns finish in order.
 *   P3  only the head may be `running` or `waiting`, and `holder` is set exactly while it is `running`.
 *   P4  at most `pendingMessages` turns are unfinished.
 *   P5  message ids are unique within `turns`.
 *   P6  `completed_turns` never exceeds the number of finished turns.
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

/** The head of the inbox: the oldest unfinished turn. */
export function inboxHead(instance: Instance): Turn | null {
  return instance.turns.find((turn) => !isFinished(turn)) ?? null;
}

/** Finished turns that have not moved to history yet. */
export function unmovedTurns(instance: Instance): readonly Turn[] {
  return instance.turns.filter(isFinished);
}

export function pendingMessages(instance: Instance): number {
  return instance.turns.length - unmovedTurns(instance).length;
}

/** The turns with one of them replaced by its next form. */
export function withTurn(instance: Instance, turn: Turn): readonly Turn[] {
  const at = turn.number - instance.history_through - 1;
  return instance.turns.with(at, turn);
}

/** Stops when a document breaks P1 to P6: a defect of the command that made it. */
export function assertInstance(instance: Instance): void {
  const { turns } = instance;
  assert(turns.length === instance.next_turn - 1 - instance.history_through, "P1: the turns are contiguous");
  const ids = new Set<string>();
  let unfinished = 0;
  for (const [at, turn] of turns.entries()) {
    assert(turn.number === instance.history_through + 1 + at, "P1: the turns are in order");
    const finished = isFinished(turn);
    assert(!finished || unfinished === 0, "P2: finished turns stand first");
    if (!finished) unfinished += 1;
    const active = turn.status === "running" || turn.status === "waiting";
    assert(!active || unfinished === 1, "P3: only the head is active");
    assert((turn.holder !== null) === (turn.status === "running"), "P3: a holder while running, else none");
    ids.add(turn.message_id);
  }
  assert(unfinished <= LIMITS.pendingMessages, "P4: the inbox is bounded");
  assert(ids.size === turns.length, "P5: message ids are unique");
  assert(instance.completed_turns <= instance.next_turn - 1 - unfinished, "P6: completed turns are finished");
}
