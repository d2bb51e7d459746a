/**
 * What an index document becomes when it is mended: pure.
 *
 *   X1  an entry is replaced by one made from a later version of its identity, and by no other; also when both say
 *       the same, else an update that comes late could slip in between the two.
 *   X3  the entry of a deleted instance is removed, and the index remembers by which version of the identity: an
 *       entry made before that does not come back. Should it have been forgotten by then, a claim finds the
 *       tombstone and removes the entry again.
 *   X4  of two mends of one instance that are made together the one from the later version counts.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue I14, E17, part 5 rule 3.
 */
import { sameSchedule } from "../protocol/schedule.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import type { IndexDocument } from "./codec.ts";

/** What somebody learned about instances from their identities. */
export interface Mend {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  /** Deleted instances, with the sequence of the tombstone. */
  readonly gone: ReadonlyMap<string, number>;
}

export const NOTHING_GONE: ReadonlyMap<string, number> = new Map();
export const NOTHING: Mend = { entries: new Map(), gone: NOTHING_GONE };
const UNCHANGED = { document: null, wrong: new Set<string>() } as const;
/** Removed entries that the index remembers. */
const REMEMBERED = 1_000;

/** X4. */
export function together(mends: readonly Mend[]): Mend {
  const [first] = mends;
  if (first !== undefined && mends.length === 1) return first;
  const entries = new Map<string, IndexEntry>();
  const gone = new Map<string, number>();
  const knownOf = (id: string) => Math.max(entries.get(id)?.sequence ?? 0, gone.get(id) ?? 0);
  for (const mend of mends) {
    for (const [id, entry] of mend.entries) {
      if (knownOf(id) >= entry.sequence) continue;
      entries.set(id, entry);
      gone.delete(id);
    }
    for (const [id, sequence] of mend.gone) {
      if (knownOf(id) >= sequence) continue;
      gone.set(id, sequence);
      entries.delete(id);
    }
  }
  return { entries, gone };
}

/** The mend without what another one, which was written, says as well or better. */
export function without({ entries, gone }: Mend, written: Mend): Mend {
  const knownOf = (id: string) => Math.max(written.entries.get(id)?.sequence ?? 0, written.gone.get(id) ?? 0);
  return {
    entries: new Map([...entries].filter(([id, entry]) => entry.sequence > knownOf(id))),
    gone: new Map([...gone].filter(([id, sequence]) => sequence > knownOf(id))),
  };
}

/** Most copies of an index are looked at with nothing noted beside them. */
export function isNothing({ entries, gone }: Mend): boolean {
  return entries.size === 0 && gone.size === 0;
}

/** The document after the mend, or null when the mend changes nothing in it; and whose entries were wrong or missing. */
export function mended(
  stored: IndexDocument,
  mend: Mend,
): { readonly document: IndexDocument | null; readonly wrong: ReadonlySet<string> } {
  if (isNothing(mend)) return UNCHANGED;
  const { entries, gone } = mend;
  const news = [...entries].filter(([id, entry]) => isNews(stored, id, entry.sequence));
  const removals = [...gone].filter(([id, sequence]) => isRemoval(stored, id, sequence));
  const wrong = new Set<string>();
  for (const [id, entry] of news) if (isOther(stored.entries.get(id), entry)) wrong.add(id);
  for (const [id] of removals) if (stored.entries.has(id)) wrong.add(id);
  const changes = news.length + removals.length > 0;
  return { document: changes ? edited(stored, news, removals) : null, wrong };
}

function edited(
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

/** Whether the stored entry is missing, or says another thing than it should. */
export function isOther(stored: IndexEntry | undefined, entry: IndexEntry): boolean {
  return stored === undefined || !sameSchedule(stored, entry) || stored.version !== entry.version;
}
