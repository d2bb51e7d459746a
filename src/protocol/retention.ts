/**
 * Retention: which moved turns are kept, and which of them are known to be gone.
 *
 *   P85  a turn is pruned only when it is neither among the newest `history_keep_turns` moved ones nor finished within
 *        the last `history_keep_ms`; 0 turns keeps all. `history_pruned_through` only rises, in any write of the
 *        instance. From that write on the turn is not found and its message id counts as new.
 *   P86  segments are erased after that write and never before, in whole blocks of which every turn is pruned: so what is
 *        left of a block is found from its first number. `history_erased_through` says what is known to be gone, so an
 *        erasure may stop anywhere. What another version has shown to be gone is noted only when the turns are pruned in
 *        this version, too.
 *   P88  when turns finished is remembered in marks, not turn by turn: a mark is made at most twice in a twelfth of
 *        `history_keep_ms`, so a turn may be kept that much longer, never shorter.
 *
 * A wrong clock prunes early or late; what it prunes early is only a shorter memory for repeats. Source: seed 000
 * "History retention"; catalogue I15, I16, B69, B70; E15.
 */
import { runsThrough } from "../vocabulary/history-layout.ts";
import type { HistoryMark, Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { blobsKept } from "./blob-names.ts";
import { marksAfter } from "./message-ids.ts";

export interface Retention {
  /** The newest moved turns that are kept whatever their age; 0 keeps all turns for good. */
  readonly history_keep_turns: number;
  /** Turns that finished within this time are kept, milliseconds. */
  readonly history_keep_ms: number;
}

export const KEEP_ALL: Retention = { history_keep_turns: 0, history_keep_ms: 0 };

/** Parts of `history_keep_ms` of which each has at most two marks. */
const MARKED_PARTS = 12;
const MAX_MARKS = 64;

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
  erasedThrough: number,
): Instance {
  const pruned = prunableThrough(instance, retention, nowMs);
  const kept = {
    ...instance,
    history_pruned_through: pruned,
    history_erased_through: isErasureNews(instance, erasedThrough)
      ? erasedThrough
      : instance.history_erased_through,
    history_marks: instance.history_marks.filter(([through]) => through > pruned),
    blobs: blobsKept(instance, pruned),
  };
  return { ...kept, history_ids: marksAfter(kept, []) };
}

/** Whether the instance does not know yet that they are gone, and has pruned them (P86). */
export function isErasureNews(
  { history_erased_through, history_pruned_through }: Instance,
  through: number,
): boolean {
  return through > history_erased_through && through <= history_pruned_through;
}

/** The turn through which segments may be erased: the last of the blocks that are pruned whole (P86). */
export function erasableThrough({ history_pruned_through, history_layout }: Instance): number {
  return runsThrough(history_pruned_through, history_layout.segment_turns);
}
