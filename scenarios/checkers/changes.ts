/**
 * What each write of an identity changed, in the words of the domain: computed once, read by most checkers.
 *
 *   G1  two versions that follow each other differ by a list of changes; a difference that no command of the engine
 *       can make is a `forbidden` change, with what it is in words.
 *   G2  an attempt that ends and another that begins in one write are two changes, in that order.
 *   G3  every field of a turn is looked at: what a change of its kind does not explain is forbidden (`turn-changes.ts`).
 *
 *   G4  a child of a turn begins with a turn of its own.
 *   G5  a deferred message becomes a turn in the write of a claim.
 *   G6  messages and signals of several senders may come in one write; also a signal to a turn that comes with it. A message
 *       may claim its own turn; the signals of that write come after the claim.
 *   G7  a completion may claim the next turn in its own write, also its continuation; the holder names the completion.
 *
 * Says what happened, not whether it was right: that is for the checkers. What it cannot see: a write that changed
 * nothing but its stamp, and the times at which fields say that they were changed.
 */
import type { Instance, Turn } from "../../src/index.ts";
import { type Change, forbidden, isOver, type What } from "./kinds.ts";
import type { IdentityVersion } from "./records.ts";
import { same } from "./same.ts";
import { turnChanges } from "./turn-changes.ts";

export type { Change, ChangeOf } from "./kinds.ts";

/** All changes of one identity, in order. */
export function changesOf(chain: readonly IdentityVersion[]): readonly Change[] {
  const changes: Change[] = [];
  let before: IdentityVersion | null = null;
  for (const at of chain) {
    for (const what of before === null ? created(at.value) : diff(before.value, at.value))
      changes.push({ ...what, at, before });
    before = at;
  }
  return changes;
}

/** G4: a child begins with the message that its parent gave it. */
function created(instance: Instance): What[] {
  const { turns, next_turn, history_through, history_pruned_through, paused } = instance;
  const [first] = turns;
  const fresh = next_turn === turns.length + 1 && history_through + history_pruned_through === 0;
  if (!fresh || paused) return [forbidden("an instance began with a past, or paused")];
  if (first === undefined) return [{ kind: "created" }];
  if (turns.length > 1 || first.reply_to === null || !isFresh(first))
    return [forbidden("an instance began with turns, and is no child")];
  return [{ kind: "created" }, { kind: "admitted", turn: first, continues: null }];
}

function diff(a: Instance, b: Instance): What[] {
  const out: What[] = [];
  const migrates = b.turns.some((turn) => migratesIn(a, turn));
  pinned(a, b, migrates, out);
  moved(a, b, out);
  if (a.paused !== b.paused) out.push({ kind: b.paused ? "paused" : "resumed" });
  let completed: Turn | null = null;
  let finished = 0;
  for (const turn of b.turns) {
    const was = a.turns[turn.number - a.history_through - 1];
    if (was === undefined || was.number !== turn.number) continue;
    turnChanges(was, turn, out);
    if (was.status !== "completed" && turn.status === "completed") completed = turn;
    if (!isOver(was) && isOver(turn)) finished++;
  }
  admitted(a, b, completed, out);
  if (!migrates) stateChange(a, b, completed, out);
  for (const what of [...out])
    if (what.kind === "claimed" && what.holder.granted_by !== completed?.number)
      out.push(
        forbidden(`turn ${what.turn.number} names another completion that granted it than this write's`),
      );
  if (b.completed_turns !== a.completed_turns + finished)
    out.push(forbidden(`completed_turns went to ${b.completed_turns} with ${finished} finished turns`));
  return out;
}

/** Whether the turn went over to another version in this write. */
function migratesIn(a: Instance, turn: Turn): boolean {
  const was = a.turns[turn.number - a.history_through - 1];
  return was !== undefined && turn.migrations.length > was.migrations.length;
}

/** What never changes in the life of an instance; its version changes with a migration. */
function pinned(a: Instance, b: Instance, migrates: boolean, out: What[]): void {
  const kept =
    a.id === b.id &&
    a.workflow_type === b.workflow_type &&
    (a.version === b.version || migrates) &&
    a.incarnation === b.incarnation &&
    a.lease_ms === b.lease_ms &&
    a.max_attempts === b.max_attempts &&
    a.on_exhausted === b.on_exhausted &&
    a.initial_digest === b.initial_digest &&
    a.created_at_ms === b.created_at_ms;
  if (!kept) out.push(forbidden("what an instance was created with changed"));
}

/** Turns that left for history: finished ones, from the front. */
function moved(a: Instance, b: Instance, out: What[]): void {
  if (b.history_through < a.history_through) out.push(forbidden("history_through went back"));
  if (b.history_pruned_through < a.history_pruned_through || b.history_pruned_through > b.history_through)
    out.push(forbidden("history_pruned_through went back, or past what has moved"));
  for (const turn of a.turns) {
    if (turn.number > b.history_through) break;
    if (isOver(turn)) out.push({ kind: "moved", turn });
    else out.push(forbidden(`turn ${turn.number} left the inbox while it was ${turn.status}`));
  }
}

function admitted(a: Instance, b: Instance, completed: Turn | null, out: What[]): void {
  if (b.next_turn < a.next_turn) out.push(forbidden("next_turn went back"));
  let continued = false;
  for (const turn of b.turns) {
    if (turn.number < a.next_turn) continue;
    const continues = completed !== null && completed.continued_to === turn.number ? completed : null;
    if (continues !== null) continued = true;
    if (!fits(turn.origin, continues)) out.push(forbidden(`turn ${turn.number} has the origin of another`));
    const due = a.deferred.find(({ id }) => id === turn.message_id);
    if (due !== undefined) admittedLate(turn, due.due_at_ms, out);
    else if (turn.holder !== null) admittedAndClaimed(turn, continues, out);
    else if (isFresh({ ...turn, signals: [] })) {
      const fresh = turn.signals.length === 0 ? turn : { ...turn, signals: [] };
      out.push({ kind: "admitted", turn: fresh, continues });
      if (fresh !== turn) turnChanges(fresh, turn, out);
    } else out.push(forbidden(`turn ${turn.number} entered the inbox as ${turn.status}`));
  }
  if (completed !== null && completed.continued_to !== null && !continued)
    out.push(forbidden(`turn ${completed.number} names a continuation that was not admitted with it`));
}

/** G6, G7: a turn that enters the inbox and is claimed at once; its message's sender claims before the next is heard. */
function admittedAndClaimed(turn: Turn, continues: Turn | null, out: What[]): void {
  const queued: Turn = { ...turn, ...NOTHING_YET };
  const claimed: Turn = { ...turn, signals: [] };
  out.push({ kind: "admitted", turn: queued, continues });
  turnChanges(queued, claimed, out);
  turnChanges(claimed, turn, out);
}

/** G5: a deferred message becomes a turn in the write of a claim, which may be the claim of just this turn. */
function admittedLate(turn: Turn, ready_at_ms: number, out: What[]): void {
  const queued: Turn = { ...turn, ...NOTHING_YET, ready_at_ms };
  out.push({ kind: "admitted", turn: queued, continues: null });
  if (!isFresh(turn)) turnChanges(queued, turn, out);
  else if (turn.ready_at_ms !== ready_at_ms)
    out.push(forbidden(`turn ${turn.number} was due at ${ready_at_ms} and is ready at ${turn.ready_at_ms}`));
}

const NOTHING_YET = {
  status: "queued",
  attempt: 0,
  holder: null,
  last_attempt: null,
  steps: [],
  signals: [],
  operation: null,
} as const;

/** A continuation names the turn that it continues and that turn's message; nobody else says that it is one. */
function fits(origin: Turn["origin"], continues: Turn | null): boolean {
  if (continues === null) return origin?.kind !== "continuation";
  const { number: turn, message_id } = continues;
  return same(origin, { kind: "continuation", turn, message_id });
}

/** A turn begins with nothing: no step, signal or operation of the turn before comes along. */
function isFresh(turn: Turn): boolean {
  const { status, attempt, steps, signals, operation, holder, last_attempt, skipped } = turn;
  const empty = steps.length + signals.length + attempt === 0 && operation === null && !skipped;
  return status === "queued" && empty && holder === null && last_attempt === null;
}

function stateChange(a: Instance, b: Instance, completed: Turn | null, out: What[]): void {
  if (completed === null) {
    if (!same(a.state, b.state)) out.push(forbidden("the state changed without a completion"));
  } else if (!same(completed.state_after, b.state))
    out.push(forbidden(`turn ${completed.number} completed and its state is not the instance's`));
}
