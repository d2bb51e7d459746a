/**
 * Where a moved turn is to be found, and how its message id is remembered, from the published layout of history.
 *
 *   O1  turns are in blocks of a fixed number, counted from 1. The first segment of a block has the number of the block's
 *       first turn, each further one that of the turn behind the one before: the segment of a turn is found from there.
 *   O2  the mark of a message id is the first four characters of its SHA-256 in base64url.
 *   O3  the marks of an instance end with that of its turn `history_through`; those before stand on pages.
 *
 * By code of its own (`src/vocabulary/history-layout.ts` and `src/protocol/message-ids.ts` say the same). What a key had
 * first is what counts: it never has anything else, which `i13-one-home.ts` holds.
 */
import { sha256 } from "../../src/std/hash.ts";
import type { IdentityVersion, IdPageObject, Records, SegmentObject } from "./records.ts";

type Layout = IdentityVersion["value"]["history_layout"];

export const MARK_CHARS = 4;

/** The number that the run of `size` turns with this one begins with. */
export function runStart(turn: number, size: number): number {
  return Math.floor((turn - 1) / size) * size + 1;
}

/** The number that it ends with. */
export function runEnd(turn: number, size: number): number {
  return runStart(turn, size) + size - 1;
}

/** O2. */
export function markOf(messageId: string): string {
  return Buffer.from(sha256(messageId), "hex").toString("base64url").slice(0, MARK_CHARS);
}

/** O3: the first turn of which the version has a mark itself. */
export function firstMarked({ value }: IdentityVersion): number {
  return value.history_through + 1 - value.history_ids.length / MARK_CHARS;
}

/** The objects of each life, found by turn. */
export class Homes {
  readonly #records: Records;
  readonly #segmentKey: (id: string, first: number) => string;
  readonly #pageKey: (id: string, first: number) => string;

  constructor(
    records: Records,
    segmentKey: (id: string, first: number) => string,
    pageKey: (id: string, first: number) => string,
  ) {
    this.#records = records;
    this.#segmentKey = segmentKey;
    this.#pageKey = pageKey;
  }

  /** O1: the segment that has the turn, or null. */
  segment(id: string, turn: number): SegmentObject | null {
    const size = this.#layoutOf(id)?.segment_turns;
    if (size === undefined) return null;
    for (let first = runStart(turn, size); first <= turn; ) {
      const object = this.#records.segments.get(this.#segmentKey(id, first))?.[0];
      if (object === undefined || object.content.turns.length === 0) return null;
      if (object.content.turns.some(({ number }) => number === turn)) return object;
      first += object.content.turns.length;
    }
    return null;
  }

  /** The page that has a mark of the turn, or null. */
  page(id: string, turn: number): IdPageObject | null {
    const size = this.#layoutOf(id)?.page_turns;
    if (size === undefined) return null;
    return this.#records.idPages.get(this.#pageKey(id, runStart(turn, size)))?.[0] ?? null;
  }

  #layoutOf(id: string): Layout | undefined {
    return this.#records.identities.get(id)?.[0]?.value.history_layout;
  }
}
