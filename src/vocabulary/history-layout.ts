/**
 * How the finished turns of one life are cut into objects of history: blocks of turns, and pages of message ids.
 *
 * Both are runs of a fixed number of turn numbers, counted from 1: with 32 turns in a block, turns 1 to 32 are the first
 * one, 33 to 64 the second. So the object that has a turn is told by its number alone. The sizes are fixed when the life
 * begins and stored with it: a configuration that changes later changes nothing of what is there.
 */

export interface HistoryLayout {
  /** Turns of a block. No segment of history crosses the end of its block. */
  readonly segment_turns: number;
  /** Turns whose message ids stand on one page. The instance itself has at most two pages of them. */
  readonly page_turns: number;
}

/** That of a life that does not say otherwise; part of the stored format. */
export const DEFAULT_LAYOUT: HistoryLayout = { segment_turns: 32, page_turns: 256 };

/** Turns that a block, and a page, may have. */
export const SEGMENT_TURNS = { min: 1, max: 64 } as const;
export const PAGE_TURNS = { min: 1, max: 256 } as const;

/** The first number of the run of `size` numbers that has this one. */
export function runFirst(number: number, size: number): number {
  return number - ((number - 1) % size);
}

/** The last number of whole runs among 1 to `through`. */
export function runsThrough(through: number, size: number): number {
  return through - (through % size);
}
