/**
 * The move of finished turns to history: when it is due, how it is cut into segments, and how the identity drops them.
 *
 *   P20  finished turns stay in the instance until a block of them is full (`vocabulary/history-layout.ts`), or their text
 *        is longer than a configuration allows, or one of them owes a reply (P74): then what has finished moves. Each write
 *        of the instance carries them, so the more writes the last turn took, the less text may stay.
 *   P21  segments, and pages of message ids that have no place here any more (P94), are written first; only then are
 *        turns dropped here. So a turn is in at least one place at any time, and authoritative in exactly one: here while
 *        this document holds it (catalogue I13, E16).
 *   P22  turns are dropped up to the end of a segment and no farther, so each segment begins where the one before has
 *        ended, or with its block.
 *   P23  a drop needs no write of its own: whatever command writes next takes it along. What another version has shown
 *        to be written is dropped only if the turns have finished in this version, too; else it waits.
 *
 * The same write prunes what retention no longer keeps, and notes what was erased before it (`retention.ts`).
 */
import { runFirst, runsThrough } from "../vocabulary/history-layout.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import { turnText } from "../vocabulary/turn-text.ts";
import { unmovedTurns } from "./inbox.ts";
import { marksAfter } from "./message-ids.ts";
import { owesReply } from "./reply.ts";
import { isErasureNews, prunableThrough, type Retention, retained, withMarks } from "./retention.ts";

/** What is known of the history of an instance beside what the instance says, and the rules by which it is kept. */
export interface Upkeep {
  readonly retention: Retention;
  readonly now_ms: number;
  /** The segments of turns 1 to this are gone. */
  readonly erased_through: number;
}

/** Finished turns that may stay beyond a full block, and characters of them, before a command has to move them first. */
const TURNS_BEHIND = 8;
/** Of a turn: its admission and its end. */
const WRITES_BESIDE_STEPS = 2;
const CHARS_BEHIND = 2 * 1024 * 1024;

/** The turn through which history ought to have the turns by now (P20); `history_through` when there is nothing to do. */
export function dueThrough(instance: Instance, tailChars: number): number {
  const finished = unmovedTurns(instance);
  const last = finished.at(-1)?.number ?? instance.history_through;
  if (finished.some(owesReply) || charsOf(finished) * loadOf(finished) > tailChars) return last;
  return Math.max(instance.history_through, runsThrough(last, instance.history_layout.segment_turns));
}

/** Whether so much waits for its move that nothing may be added before that. */
export function isBehind(instance: Instance): boolean {
  const finished = unmovedTurns(instance);
  if (finished.length < TURNS_BEHIND) return false;
  return (
    finished.length >= instance.history_layout.segment_turns + TURNS_BEHIND ||
    charsOf(finished) > CHARS_BEHIND
  );
}

/** The turns behind `from` up to `through`, cut where blocks end. */
export function segmentsOf(instance: Instance, from: number, through: number): readonly (readonly Turn[])[] {
  const { history_through, history_layout, turns } = instance;
  const segments: Turn[][] = [];
  let block = 0;
  for (const turn of turns.slice(from - history_through, through - history_through)) {
    const first = runFirst(turn.number, history_layout.segment_turns);
    if (first !== block) segments.push([]);
    block = first;
    segments.at(-1)?.push(turn);
  }
  return segments;
}

/** Drops the turns up to and with `through`, which the caller has found in history; the very same object when nothing is to be changed. */
export function withoutMoved(instance: Instance, through: number, upkeep: Upkeep): Instance {
  const { retention, now_ms, erased_through } = upkeep;
  const moved = droppedBy(instance, through);
  const pruned = prunableThrough(instance, retention, now_ms) > instance.history_pruned_through;
  if (moved.length === 0 && !pruned && !isErasureNews(instance, erased_through)) return instance;
  const dropped = {
    ...instance,
    turns: instance.turns.slice(moved.length),
    history_through: instance.history_through + moved.length,
    history_ids: marksAfter(instance, moved),
    history_marks: withMarks(instance, moved, retention),
  };
  return retained(dropped, retention, now_ms, erased_through);
}

/** The turns that leave; none when one of them has not finished here (P23). */
function droppedBy(instance: Instance, through: number): readonly Turn[] {
  const moved = instance.turns.slice(0, Math.max(0, through - instance.history_through));
  return moved.at(-1)?.number === through && moved.every(isFinished) ? moved : [];
}

/** How many writes carry the finished turns along, by those of the last one; that of a turn with one step is 1. */
function loadOf(turns: readonly Turn[]): number {
  const steps = turns.at(-1)?.steps.length ?? 0;
  return Math.max(1, (steps + WRITES_BESIDE_STEPS) / (1 + WRITES_BESIDE_STEPS));
}

function charsOf(turns: readonly Turn[]): number {
  let chars = 0;
  for (const turn of turns) chars += turnText(turn).length;
  return chars;
}
