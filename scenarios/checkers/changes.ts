/**
 * What each write of an identity changed, in the words of the domain: computed once, read by most checkers.
 *
 *   G1  two versions that follow each other differ by a list of changes; a difference that no command of the engine
 *       can make is a `forbidden` change, with what it is in words.
 *   G2  an attempt that ends and another that begins in one write are two changes, in that order.
 *
 * Says what happened, not whether it was right: that is for the checkers. What it cannot see: a write that changed
 * nothing but its stamp, and the times at which fields say that they were changed.
 */
import type { Holder, Instance, Step, Turn } from "../../src/index.ts";
import type { IdentityVersion } from "./records.ts";
import { same } from "./same.ts";

export type Change = { readonly at: IdentityVersion; readonly before: IdentityVersion | null } & What;
type What =
  | { readonly kind: "created" }
  /** `continues`: the turn that completed in the same write and was continued by this one. */
  | { readonly kind: "admitted"; readonly turn: Turn; readonly continues: Turn | null }
  | { readonly kind: "claimed"; readonly was: Turn; readonly turn: Turn; readonly holder: Holder }
  | Attempted<"renewed">
  | (Attempted<"saved"> & { readonly position: number; readonly step: Step })
  /** The attempt ended: by its worker's word, or because its lease ran out. */
  | Attempted<"completed">
  | Attempted<"failed">
  | Attempted<"expired">
  | { readonly kind: "moved"; readonly turn: Turn }
  | { readonly kind: "forbidden"; readonly what: string };
/** A change of a turn while an attempt held it. */
interface Attempted<Kind> {
  readonly kind: Kind;
  readonly was: Turn;
  readonly turn: Turn;
  readonly holder: Holder;
}

/** All changes of one identity, in order. */
export function changesOf(chain: readonly IdentityVersion[]): readonly Change[] {
  const changes: Change[] = [];
  let before: IdentityVersion | null = null;
  for (const at of chain) {
    for (const what of before === null ? [created(at.value)] : diff(before.value, at.value))
      changes.push({ ...what, at, before });
    before = at;
  }
  return changes;
}

function created(instance: Instance): What {
  const fresh = instance.turns.length === 0 && instance.next_turn === 1 && instance.history_through === 0;
  return fresh ? { kind: "created" } : forbidden("an instance began with turns");
}

function forbidden(what: string): What {
  return { kind: "forbidden", what };
}

function diff(a: Instance, b: Instance): What[] {
  const out: What[] = [];
  pinned(a, b, out);
  moved(a, b, out);
  let completed: Turn | null = null;
  for (const turn of b.turns) {
    const was = a.turns[turn.number - a.history_through - 1];
    if (was === undefined || was.number !== turn.number) continue;
    turnChanges(was, turn, out);
    if (was.status !== "completed" && turn.status === "completed") completed = turn;
  }
  admitted(a, b, completed, out);
  stateChange(a, b, completed, out);
  return out;
}

/** What never changes in the life of an instance. */
function pinned(a: Instance, b: Instance, out: What[]): void {
  const kept =
    a.id === b.id &&
    a.workflow_type === b.workflow_type &&
    a.version === b.version &&
    a.incarnation === b.incarnation &&
    a.lease_ms === b.lease_ms &&
    a.max_attempts === b.max_attempts &&
    a.initial_digest === b.initial_digest &&
    a.created_at_ms === b.created_at_ms;
  if (!kept) out.push(forbidden("what an instance was created with changed"));
}

/** Turns that left for history: finished ones, from the front. */
function moved(a: Instance, b: Instance, out: What[]): void {
  if (b.history_through < a.history_through) out.push(forbidden("history_through went back"));
  for (const turn of a.turns) {
    if (turn.number > b.history_through) break;
    const finished = turn.status === "completed" || turn.status === "cancelled";
    if (finished) out.push({ kind: "moved", turn });
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
    if (turn.status === "queued" && turn.attempt === 0 && turn.steps.length === 0)
      out.push({ kind: "admitted", turn, continues });
    else out.push(forbidden(`turn ${turn.number} entered the inbox as ${turn.status}`));
  }
  if (completed !== null && completed.continued_to !== null && !continued)
    out.push(forbidden(`turn ${completed.number} names a continuation that was not admitted with it`));
}

function stateChange(a: Instance, b: Instance, completed: Turn | null, out: What[]): void {
  if (completed === null) {
    if (!same(a.state, b.state)) out.push(forbidden("the state changed without a completion"));
    if (a.completed_turns !== b.completed_turns) out.push(forbidden("completed_turns changed alone"));
    return;
  }
  if (!same(completed.state_after, b.state))
    out.push(forbidden(`turn ${completed.number} completed and its state is not the instance's`));
  if (b.completed_turns !== a.completed_turns + 1)
    out.push(forbidden("completed_turns did not rise by one with a completion"));
}

function turnChanges(a: Turn, b: Turn, out: What[]): void {
  identityOfTurn(a, b, out);
  if (a.status === "completed" || a.status === "cancelled") {
    if (!same(a, b)) out.push(forbidden(`turn ${a.number} changed after it finished`));
    return;
  }
  const appended = stepChanges(a, b, out);
  if (a.holder === null) {
    if (appended > 0) out.push(forbidden(`turn ${a.number} got a step while nobody held it`));
    if (b.holder !== null) out.push({ kind: "claimed", was: a, turn: b, holder: b.holder });
    else if (a.status !== b.status || a.ready_at_ms !== b.ready_at_ms)
      out.push(forbidden(`turn ${a.number} went from ${a.status} to ${b.status} while nobody held it`));
    return;
  }
  heldChanges(a, b, a.holder, appended, out);
}

/** What happened to a turn that an attempt held. */
function heldChanges(a: Turn, b: Turn, holder: Holder, appended: number, out: What[]): void {
  for (let position = a.steps.length; position < a.steps.length + appended; position++) {
    const step = b.steps[position];
    if (step !== undefined) out.push({ kind: "saved", was: a, turn: b, holder, position, step });
  }
  if (b.holder !== null && b.holder.token === holder.token) {
    if (b.holder.worker !== holder.worker) out.push(forbidden(`turn ${a.number} changed its worker alone`));
    if (b.holder.deadline_ms !== holder.deadline_ms) out.push({ kind: "renewed", was: a, turn: b, holder });
    return;
  }
  if (b.status === "completed") out.push({ kind: "completed", was: a, turn: b, holder });
  else if (b.last_attempt?.end === "failed" && b.holder === null)
    out.push({ kind: "failed", was: a, turn: b, holder });
  else out.push({ kind: "expired", was: a, turn: b, holder });
  if (b.holder !== null) out.push({ kind: "claimed", was: a, turn: b, holder: b.holder });
  else if (b.status === "running") out.push(forbidden(`turn ${a.number} is running and nobody holds it`));
}

function identityOfTurn(a: Turn, b: Turn, out: What[]): void {
  if (a.message_id !== b.message_id || a.created_at_ms !== b.created_at_ms || !same(a.message, b.message))
    out.push(forbidden(`turn ${a.number} got another message`));
  if (b.attempt < a.attempt) out.push(forbidden(`turn ${a.number} counted an attempt back`));
}

/** How many steps were appended. Saved ones never change. */
function stepChanges(a: Turn, b: Turn, out: What[]): number {
  const kept = a.steps.every((step, position) => same(step, b.steps[position]));
  if (!kept) out.push(forbidden(`a saved step of turn ${a.number} changed or was lost`));
  return b.steps.length - a.steps.length;
}
