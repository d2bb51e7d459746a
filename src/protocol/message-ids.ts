/**
 * Which moved turn a message became: marks of message ids, each at the place of its turn.
 *
 *   P87  for each moved turn there is a mark of its message id: in the instance for the newest ones (`history_ids`, which
 *        begins with a page and ends at `history_through`), on its page for those before. So an id whose mark is at no
 *        place of a kept turn became none of them, and nothing is read to know it.
 *   P89  a mark that is found proves nothing: the turn at its place tells. Marks are 24 bits of SHA-256, so an id that is
 *        new finds one by chance once in sixteen million kept turns.
 *   P94  the instance has at most two pages of marks. The write that would have more takes whole pages out, oldest first,
 *        and their objects are there before (P21); a page of which every turn is pruned goes without one.
 *
 * What stands on a page is a function of the turns: whoever writes it writes the same text.
 * Source: seed 000 "Storage"; catalogue B31, B69, B70.
 */
import { assert } from "../std/assert.ts";
import { shortSha256 } from "../std/hash.ts";
import { runFirst, runsThrough } from "../vocabulary/history-layout.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";

/** Marks of turns that follow each other. */
export interface MarkedTurns {
  readonly first: number;
  readonly marks: string;
}

const MARK_CHARS = 4;
/** Pages that the instance itself has at most (P94). */
const PAGES_HERE = 2;

export function markOf(messageId: string): string {
  return shortSha256(messageId);
}

/** The marks that the instance has itself. */
export function marksHere({ history_ids, history_through }: Instance): MarkedTurns {
  return { first: history_through + 1 - history_ids.length / MARK_CHARS, marks: history_ids };
}

/** The turns among these whose message may have been this one. */
export function turnsMarked({ first, marks }: MarkedTurns, mark: string): readonly number[] {
  const found: number[] = [];
  for (let at = marks.indexOf(mark); at >= 0; at = marks.indexOf(mark, at + 1))
    if (at % MARK_CHARS === 0) found.push(first + at / MARK_CHARS);
  return found;
}

/** First turns of the pages that have kept turns and are not in the instance any more. */
export function pagesAway(instance: Instance): readonly number[] {
  const size = instance.history_layout.page_turns;
  const { first } = marksHere(instance);
  const pages: number[] = [];
  for (let page = runFirst(instance.history_pruned_through + 1, size); page < first; page += size)
    pages.push(page);
  return pages;
}

/** The instance's marks once these turns have moved, too; pages that have no place or no kept turn left are taken out. */
export function marksAfter(instance: Instance, moved: readonly Turn[]): string {
  return marksFrom(instance, moved, firstAfter(instance, moved.length)).marks;
}

/** The pages that are to be written before these turns leave the instance (P94). */
export function pagesLeaving(instance: Instance, moved: readonly Turn[]): readonly MarkedTurns[] {
  const size = instance.history_layout.page_turns;
  const pages: MarkedTurns[] = [];
  const end = firstAfter(instance, moved.length);
  for (let page = marksHere(instance).first; page < end; page += size) {
    if (page + size - 1 <= instance.history_pruned_through) continue;
    const { marks } = marksFrom(instance, moved, page);
    pages.push({ first: page, marks: marks.slice(0, size * MARK_CHARS) });
  }
  return pages;
}

function marksFrom(instance: Instance, moved: readonly Turn[], first: number): MarkedTurns {
  const here = marksHere(instance);
  const marks = here.marks + moved.map((turn) => markOf(turn.message_id)).join("");
  return { first, marks: marks.slice((first - here.first) * MARK_CHARS) };
}

/** The first turn that the instance has a mark of after that many have moved. */
function firstAfter(instance: Instance, moved: number): number {
  const { history_through, history_pruned_through, history_layout } = instance;
  const size = history_layout.page_turns;
  const { first } = marksHere(instance);
  assert((first - 1) % size === 0, "P87: the marks begin with a page");
  const room = runFirst(Math.max(1, history_through + moved), size) - (PAGES_HERE - 1) * size;
  return Math.max(first, room, runsThrough(history_pruned_through, size) + 1);
}
