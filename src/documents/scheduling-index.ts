/**
 * The scheduling index object: read and mended, never trusted.
 *
 *   X1  an entry is replaced by one made from a later version of its identity, and by no other; also when both say
 *       the same, else an update that comes late could slip in between the two.
 *   X2  a failed update is forgotten: the periodic listing finds what it missed.
 *   X3  the entry of a deleted instance is removed, and the index remembers by which version of the identity: an
 *       entry made before that does not come back. Should it have been forgotten by then, a claim finds the
 *       tombstone and removes the entry again.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue I14, E17, part 5 rule 3.
 */
import { currentBytes } from "../protocol/budget.ts";
import { answer, write } from "../protocol/decision.ts";
import { sameSchedule, scheduleOf } from "../protocol/schedule.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import { HINT } from "./backoff.ts";
import type { Codecs, IndexDocument } from "./codec.ts";
import { conditionalWrite, type StorePorts } from "./conditional-write.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";

const EMPTY: IndexDocument = { entries: new Map(), removed: new Map() };
const NONE: ReadonlyMap<string, number> = new Map();
/** Removed entries that the index remembers. */
const REMEMBERED = 1_000;

export interface SeenIndex {
  readonly index: SchedulingIndex;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

export class IndexObject {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  #seen: SeenIndex | null = null;

  constructor(ports: StorePorts, keys: Keys, codecs: Codecs) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
  }

  async read(): Promise<Result<SchedulingIndex, Failure>> {
    const read = await readPatiently(this.#ports, this.#keys.index, this.#codecs.index, HINT);
    return read.ok ? ok(this.#see((read.value?.value ?? EMPTY).entries)) : read;
  }

  /**
   * Mends the entries in one write; answers the index as it then stands and how many were wrong or missing.
   * `gone`: deleted instances, with the sequence of the tombstone.
   */
  async mend(
    entries: ReadonlyMap<string, IndexEntry>,
    gone: ReadonlyMap<string, number> = NONE,
  ): Promise<Result<{ readonly index: SchedulingIndex; readonly changed: number }, Failure>> {
    const settled = await conditionalWrite(
      this.#ports,
      this.#keys.index,
      this.#codecs.index,
      HINT,
      (current) => {
        const stored = current?.value ?? EMPTY;
        const news = [...entries].filter(([id, entry]) => isNews(stored, id, entry.sequence));
        const removals = [...gone].filter(([id, sequence]) => isRemoval(stored, id, sequence));
        const wrong = news.filter(([id, entry]) => isOther(stored.entries.get(id), entry));
        const listed = removals.filter(([id]) => stored.entries.has(id));
        const changed = wrong.length + listed.length;
        if (news.length + removals.length === 0 && current !== null) return answer({ changed });
        return write(mended(stored, news, removals), { changed });
      },
    );
    if (!settled.ok) return settled;
    return ok({ index: this.#see(settled.value.value.entries), changed: settled.value.reply.changed });
  }

  /** The index as this node read or wrote it last; null: it has not yet. */
  get seen(): SeenIndex | null {
    return this.#seen;
  }

  #see(index: SchedulingIndex): SchedulingIndex {
    this.#seen = { index, atMs: this.#ports.clock.monotonicMs() };
    return index;
  }
}

/** The entry that an identity's version calls for. */
export function entryOf(instance: Instance, stamp: WriteStamp): IndexEntry {
  const { workflow_type, version } = instance;
  const { sequence } = stamp;
  return { workflow_type, version, ...scheduleOf(instance), sequence, bytes: currentBytes(instance) };
}

function mended(
  stored: IndexDocument,
  news: readonly (readonly [string, IndexEntry])[],
  removals: readonly (readonly [string, number])[],
): IndexDocument {
  const entries = new Map([...stored.entries, ...news]);
  const removed = new Map(stored.removed);
  for (const [id] of news) removed.delete(id);
  for (const [id, sequence] of removals) {
    entries.delete(id);
    removed.set(id, sequence);
  }
  for (const oldest of removed.keys()) {
    if (removed.size <= REMEMBERED) break;
    removed.delete(oldest);
  }
  return { entries, removed };
}

/** X1, X3. */
function isNews({ entries, removed }: IndexDocument, id: string, sequence: number): boolean {
  const stored = entries.get(id);
  if (stored !== undefined) return stored.sequence < sequence;
  return (removed.get(id) ?? 0) < sequence;
}

/** Nothing to do for an instance that the index does not list, unless an entry could still be on its way. */
function isRemoval({ entries, removed }: IndexDocument, id: string, sequence: number): boolean {
  const stored = entries.get(id);
  return stored === undefined ? (removed.get(id) ?? 0) < sequence : stored.sequence < sequence;
}

function isOther(stored: IndexEntry | undefined, entry: IndexEntry): boolean {
  return stored === undefined || !sameSchedule(stored, entry) || stored.version !== entry.version;
}
