/**
 * Segments of history: each an immutable object with turns that follow each other.
 *
 *   H1  a segment is written once, if absent, under its first turn's number, and never again. It does not cross the end of
 *       its block, and what follows it in the block begins behind its last turn: so there is one chain of segments, and a
 *       turn is found from its block's first number; mostly with one read, for a block mostly moves as a whole.
 *   H2  who finds a segment where it would have written its own opens it: the turns of both are the same, or the object is
 *       corrupt. Then the one that is there counts, also when it ends earlier or later: two movers that have seen different
 *       versions agree. One that goes on behind what the mover has seen finished is left to who has seen more.
 *   H3  an erasure takes whole blocks, their last segment first, so that what is left can be found.
 *
 * Does not own when turns move or which are kept (`protocol`). What lands late, when its block is erased or its life has
 * ended, stands under a key that nobody reads again, and goes with the instance.
 */
import { inParallel } from "../std/parallel.ts";
import { err, ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import { type HistoryLayout, runFirst } from "../vocabulary/history-layout.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { turnText } from "../vocabulary/turn-text.ts";
import { CALLER, HINT, type Patience } from "./backoff.ts";
import type { StorePorts } from "./conditional-write.ts";
import type { Keys, Owner } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";
import { corrupt } from "./read.ts";
import { segmentCodec } from "./record-codecs.ts";
import { removeObjects } from "./removal.ts";
import type { SegmentRecord } from "./stored-shapes.ts";
import { writeOnce } from "./write-once.ts";

/** Blocks that one erasure looks into at a time. */
const AT_ONCE = 16;

export class Segments {
  readonly #ports: StorePorts;
  readonly #keys: Keys;

  constructor(ports: StorePorts, keys: Keys) {
    this.#ports = ports;
    this.#keys = keys;
  }

  /** Writes turns of one block; answers the last turn of the chain that is known to be there then (H2). */
  async write(instance: Instance, turns: readonly Turn[]): Promise<Result<number, Failure>> {
    const { id: workflow_id, incarnation } = instance;
    let left = turns;
    let through = (turns[0]?.number ?? 1) - 1;
    while (left.length > 0) {
      const key = this.#keys.segment(instance, through + 1);
      const written = await writeOnce(
        this.#ports,
        key,
        segmentCodec.encode({ workflow_id, incarnation, turns: left }),
      );
      if (!written.ok) return written;
      if (written.value === null) return ok(through + left.length);
      const there = opened(instance, key, through + 1, segmentCodec.decode(written.value.body));
      if (!there.ok) return there;
      const shared = there.value.turns;
      if (!agree(shared, left)) return err(corrupt(key, "it has other turns than the instance"));
      if (shared.length > left.length) break;
      through += shared.length;
      left = left.slice(shared.length);
    }
    return ok(through);
  }

  /** The turns from one number to another of the same block; null when one of them is in no segment. */
  async read(
    instance: Instance,
    from: number,
    through: number,
  ): Promise<Result<readonly Turn[] | null, Failure>> {
    const found: Turn[] = [];
    let first = runFirst(from, instance.history_layout.segment_turns);
    while (first <= through) {
      const segment = await this.#open(instance, first, CALLER);
      if (!segment.ok) return segment;
      if (segment.value === null) return ok(null);
      const { turns } = segment.value;
      for (const turn of turns) if (turn.number >= from && turn.number <= through) found.push(turn);
      first += turns.length;
    }
    return ok(found);
  }

  /** Removes the blocks with the turns behind `from` up to `through` (H3). */
  async erase(
    owner: Owner,
    { segment_turns }: HistoryLayout,
    from: number,
    through: number,
  ): Promise<Result<null, Failure>> {
    const blocks: number[] = [];
    for (let first = runFirst(from + 1, segment_turns); first <= through; first += segment_turns)
      blocks.push(first);
    const erased = await inParallel(blocks, AT_ONCE, (first) =>
      this.#eraseBlock(owner, first, segment_turns),
    );
    return erased.find((one) => !one.ok) ?? ok(null);
  }

  async #eraseBlock(owner: Owner, block: number, size: number): Promise<Result<null, Failure>> {
    const keys: string[] = [];
    let damaged = false;
    for (let first = block; first < block + size; ) {
      const segment = await this.#open(owner, first, HINT);
      if (!segment.ok && segment.error.kind !== "corrupt") return segment;
      // What follows a damaged one may be behind any of its turns.
      damaged ||= !segment.ok;
      const found = segment.ok ? segment.value : null;
      if (found === null && !damaged) break;
      if (found !== null || !segment.ok) keys.push(this.#keys.segment(owner, first));
      first += found?.turns.length ?? 1;
    }
    for (const key of keys.reverse()) {
      const removed = await removeObjects(this.#ports, [key]);
      if (!removed.ok) return removed;
    }
    return ok(null);
  }

  async #open(
    owner: Owner,
    first: number,
    patience: Patience,
  ): Promise<Result<SegmentRecord | null, Failure>> {
    const key = this.#keys.segment(owner, first);
    const read = await readPatiently(this.#ports, key, segmentCodec, patience);
    if (!read.ok || read.value === null) return read;
    return opened(owner, key, first, ok(read.value));
  }
}

/** The segment, if it is that of this instance, and of these numbers. */
function opened(
  owner: Owner & { readonly incarnation?: string },
  key: string,
  first: number,
  decoded: Result<SegmentRecord, string>,
): Result<SegmentRecord, Failure> {
  if (!decoded.ok) return err(corrupt(key, decoded.error));
  const { workflow_id, incarnation, turns } = decoded.value;
  if (workflow_id !== owner.id || (owner.incarnation ?? incarnation) !== incarnation)
    return err(corrupt(key, "it belongs to another instance"));
  const inOrder = turns.length > 0 && turns.every(({ number }, at) => number === first + at);
  return inOrder ? decoded : err(corrupt(key, "its turns are not those of its place"));
}

/** Whether the turns that both have are the same. */
function agree(some: readonly Turn[], others: readonly Turn[]): boolean {
  return some.every((turn, at) => {
    const other = others[at];
    return other === undefined || turnText(turn) === turnText(other);
  });
}
