/**
 * Retention: which moved turns are kept, and which generation of the message-ID index a turn belongs to.
 *
 *   P85  a turn is pruned only when it is neither among the newest `history_keep_turns` moved ones nor finished within
 *        the last `history_keep_ms`; 0 turns keeps all. `history_pruned_through` only rises, in the write that drops
 *        moved turns. From that write on the turn is not found and its message id counts as new.
 *   P86  objects are erased after that write and never before: `history_erased_through` and `erased_before` say what is
 *        known to be gone, so an erasure may stop anywhere.
 *   P87  a key that was ever removed is never written again. Turn numbers never repeat; message ids do, so the
 *        message-ID index has generations. A new one begins when no kept turn is of the one before the present one, with
 *        the next turn to be admitted. So the generation of a turn never changes, kept turns are of two generations at
 *        most, and an older one may be removed whole.
 *   P88  when turns finished is remembered in marks, not turn by turn: a mark is made at most twice in a twelfth of
 *        `history_keep_ms`, so a turn may be kept that much longer, never shorter.
 *
 * A wrong clock prunes early or late; what it prunes early is only a shorter memory for repeats. Source: seed 000
 * "History retention"; catalogue I15, I16, B69, B70; E15.
 */
import { assert } from "../std/assert.ts";
import type { HistoryMark, Instance, MessageIndexState } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { blobsKept } from "./blob-names.ts";

export interface Retention {
  /** The newest moved turns that are kept whatever their age; 0 keeps all turns for good. */
  readonly history_keep_turns: number;
  /** Turns that finished within this time are kept, milliseconds. */
  readonly history_keep_ms: number;
  /** Turns that a generation of the message-ID index has at least. */
  readonly history_generation_turns: number;
}

export const KEEP_ALL: Retention = {
  history_keep_turns: 0,
  history_keep_ms: 0,
  history_generation_turns: 1,
};

/** What is known to be erased. */
export interface ErasedHistory {
  readonly through: number;
  readonly generationsBefore: number;
}

/** Parts of `history_keep_ms` of which each has at most two marks. */
const MARKED_PARTS = 12;
const MAX_MARKS = 64;

/** The generation whose index names the turn (P87). Asked only about turns that are not pruned. */
export function generationOf({ message_index }: Instance, turn: number): number {
  return turn >= message_index.first_turn ? message_index.generation : message_index.generation - 1;
}

/** Turns 1 to this may be pruned by now (P85). */
export function prunableThrough(instance: Instance, retention: Retention, nowMs: number): number {
  const { history_pruned_through, history_through, history_marks } = instance;
  const { history_keep_turns, history_keep_ms } = retention;
  if (history_keep_turns === 0) return history_pruned_through;
  const limit = history_through - history_keep_turns;
  let through = history_pruned_through;
  for (const [marked, finishedAtMs] of history_marks) {
    if (through >= limit || nowMs - finishedAtMs < history_keep_ms) break;
    through = Math.max(through, Math.min(limit, marked));
  }
  return through;
}

/** The instance with the times of turns that have just moved (P88). */
export function withMarks(
  instance: Instance,
  moved: readonly Turn[],
  { history_keep_turns, history_keep_ms }: Retention,
): readonly HistoryMark[] {
  const { history_marks: marks } = instance;
  const last = moved.at(-1);
  if (history_keep_turns === 0 || last === undefined) return marks;
  let finishedAtMs = marks.at(-1)?.[1] ?? 0;
  for (const turn of moved) finishedAtMs = Math.max(finishedAtMs, turn.finished_at_ms ?? 0);
  const mark: HistoryMark = [last.number, finishedAtMs];
  const before = marks.at(-2);
  if (before !== undefined && finishedAtMs - before[1] < history_keep_ms / MARKED_PARTS)
    return [...marks.slice(0, -1), mark];
  return [...marks, mark].slice(-MAX_MARKS);
}

/** The instance without the turns that may be pruned by now, and with what is known to be erased. */
export function retained(
  instance: Instance,
  retention: Retention,
  nowMs: number,
  erased: ErasedHistory,
): Instance {
  const pruned = prunableThrough(instance, retention, nowMs);
  assert(erased.through <= instance.history_pruned_through, "P86: only pruned turns are erased");
  return {
    ...instance,
    history_pruned_through: pruned,
    history_erased_through: Math.max(instance.history_erased_through, erased.through),
    history_marks: instance.history_marks.filter(([through]) => through > pruned),
    blobs: blobsKept(instance, pruned),
    message_index: nextGeneration(instance, pruned, retention, erased),
  };
}

/** P87. */
function nextGeneration(
  { message_index: index, next_turn }: Instance,
  pruned: number,
  { history_generation_turns }: Retention,
  { generationsBefore }: ErasedHistory,
): MessageIndexState {
  assert(
    generationsBefore < Math.max(1, index.generation),
    "P87: only generations without kept turns are erased",
  );
  const erased_before = Math.max(index.erased_before, generationsBefore);
  const isOver = pruned > 0 && pruned >= index.first_turn - 1;
  if (!isOver || next_turn - index.first_turn < history_generation_turns) return { ...index, erased_before };
  return { generation: index.generation + 1, first_turn: next_turn, erased_before };
}
