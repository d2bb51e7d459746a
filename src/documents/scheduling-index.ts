/**
 * The scheduling index: hints of what each instance waits for, in shards. One object of the store each
 * (`index-shard.ts`), so that no single key has to take every change of the graph.
 *
 *   X9   an instance's entry is in the shard that its id calls for and nowhere else. Not its type: an id is unique in its
 *        graph, and who removes the entry of a deleted instance knows no type any more.
 *   X10  a graph that has shards and finds an index in one object, as older versions wrote it, takes its entries over: once
 *        for each node, as notes. That object is left as it was. Between other numbers of shards nothing is taken over; the
 *        periodic listing writes what is missing.
 *   X11  who looks for work reads the shards whose copy is too old for it. One that cannot be read keeps nobody from what
 *        the others say; who wants to know all (`read`) is told of it.
 *
 * Nodes of one graph have the same number of shards, else they find each other's work by the periodic listing alone.
 * Source: seed 000 "Storage, recovery and erasure"; catalogue I14, B29.
 */
import { currentBytes } from "../protocol/budget.ts";
import { scheduleOf } from "../protocol/schedule.ts";
import { present } from "../std/assert.ts";
import { fnv1a } from "../std/hash.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import { HINT } from "./backoff.ts";
import type { Codecs, IndexDocument } from "./codec.ts";
import { type Memory, NO_MEMORY, type StorePorts } from "./conditional-write.ts";
import { NOTHING_GONE } from "./index-mends.ts";
import { IndexShard, type SeenIndex } from "./index-shard.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";

/** X8: polls from one look at a quiet shard to the next, at most; half more than there are shards. */
const RARELY = 6;

/** What `IndexObject` is told beside its ports. */
export interface IndexSettings {
  /** Shards of the index, 1 to 16. */
  readonly shards: number;
  /** Whether it hears of changes later (X2). */
  readonly defers: boolean;
}

export class IndexObject {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  readonly #shards: readonly IndexShard[];
  readonly #defers: boolean;
  /** X10: whether nothing is to be taken over any more. */
  #adopted: boolean;
  #seen: { readonly of: readonly (SeenIndex | null)[]; readonly seen: SeenIndex } | null = null;

  constructor(
    ports: StorePorts,
    keys: Keys,
    codecs: Codecs,
    memory: Memory<IndexDocument> = NO_MEMORY,
    { shards, defers }: IndexSettings = { shards: 1, defers: false },
  ) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#defers = defers;
    const rarely = shards === 1 ? 1 : Math.min(RARELY, Math.ceil(1.5 * shards));
    this.#adopted = shards === 1;
    this.#shards = Array.from(
      { length: shards },
      (_, at) => new IndexShard(ports, keys.indexShard(at, shards), codecs.index, memory, defers, rarely),
    );
  }

  /** Reads the shards of these ids; of all, when none are named. */
  async read(ids?: Iterable<string>): Promise<Result<SchedulingIndex, Failure>> {
    await this.#adopt();
    const shards = ids === undefined ? this.#shards : new Set([...ids].map((id) => this.#shardOf(id)));
    const reads = await Promise.all([...shards].map((shard) => shard.read()));
    const failed = reads.find((read) => !read.ok);
    return failed ?? ok(this.#known());
  }

  /** Reads the shards whose copies are older than that (X11). */
  async refresh(oldestMs: number): Promise<Result<SchedulingIndex, Failure>> {
    await this.#adopt();
    const old = this.#shards.filter((shard) => shard.ageMs >= oldestMs);
    if (old.length === 0) return ok(this.#known());
    const reads = await Promise.all(old.map((shard) => shard.read()));
    const failed = reads.find((read) => !read.ok);
    const isBlind =
      failed !== undefined && reads.length === this.#shards.length && reads.every((read) => !read.ok);
    return isBlind ? failed : ok(this.#known());
  }

  /** How old the oldest copy is for one who looks for work, milliseconds. */
  get ageMs(): number {
    let ageMs = 0;
    for (const shard of this.#shards) ageMs = Math.max(ageMs, shard.ageMs);
    return ageMs;
  }

  /** The index as this node read or wrote it last, with what it has noted since; null: it has not seen all of it yet. */
  get seen(): SeenIndex | null {
    const parts = this.#shards.map((shard) => shard.seen);
    const [first] = parts;
    if (first === undefined || parts.includes(null)) return null;
    if (parts.length === 1) return first;
    const before = this.#seen;
    if (before?.of.every((part, at) => part === parts[at])) return before.seen;
    const index = new Map<string, IndexEntry>();
    let atMs = Number.POSITIVE_INFINITY;
    for (const part of parts) {
      for (const [id, entry] of part?.index ?? []) index.set(id, entry);
      atMs = Math.min(atMs, part?.atMs ?? atMs);
    }
    this.#seen = { of: parts, seen: { index, atMs } };
    return this.#seen.seen;
  }

  /** The shards that this node has seen, with all that it has noted; null: it has seen none. */
  get known(): SchedulingIndex | null {
    return this.#shards.every((shard) => shard.seen === null) ? null : this.#known();
  }

  /** What is known of the instance from the index, with what was noted since. */
  entry(id: string): IndexEntry | undefined {
    const shard = this.#shardOf(id);
    return shard.noted.get(id) ?? shard.stored.get(id);
  }

  /** Its entry as it is stored, as far as this node knows: without what it has noted. */
  storedEntry(id: string): IndexEntry | undefined {
    return this.#shardOf(id).stored.get(id);
  }

  /** What this node knows of instances and has not written yet. */
  get noted(): SchedulingIndex {
    const noted = this.#shards.map((shard) => shard.noted).filter(({ size }) => size > 0);
    const [first] = noted;
    return first !== undefined && noted.length === 1 ? first : new Map(noted.flatMap((part) => [...part]));
  }

  /** Hears what an identity calls for now: noted, and written when that is due, or written at once. */
  hear(id: string, entry: IndexEntry): Promise<Result<unknown, Failure>> {
    return this.#shardOf(id).hear(id, entry);
  }

  /** The same for what nobody else needs to be told. */
  learn(id: string, entry: IndexEntry): void {
    this.#shardOf(id).learn(id, entry);
  }

  /** Writes what is noted, where something has to be written. */
  async flush(): Promise<void> {
    await Promise.all(this.#shards.map((shard) => shard.flush()));
  }

  /**
   * Mends the entries, each shard's in one write; answers the index as it then stands and how many were wrong or missing.
   * `gone`: deleted instances, with the sequence of the tombstone.
   */
  async mend(
    entries: ReadonlyMap<string, IndexEntry>,
    gone: ReadonlyMap<string, number> = NOTHING_GONE,
  ): Promise<Result<{ readonly index: SchedulingIndex; readonly changed: number }, Failure>> {
    const ids = [...entries.keys(), ...gone.keys()];
    const shards = [...new Set(ids.map((id) => this.#shardOf(id)))];
    const own = <T>(of: ReadonlyMap<string, T>, shard: IndexShard) =>
      new Map([...of].filter(([id]) => this.#shardOf(id) === shard));
    const mended = await Promise.all(
      shards.map((shard) => shard.mend({ entries: own(entries, shard), gone: own(gone, shard) })),
    );
    const wrong = new Set<string>();
    for (const written of mended) {
      if (!written.ok) return written;
      for (const id of written.value.wrong) wrong.add(id);
    }
    const changed = ids.filter((id) => wrong.has(id)).length;
    return ok({ index: this.#known(), changed });
  }

  /** X9. */
  #shardOf(id: string): IndexShard {
    return present(this.#shards[shardOf(id, this.#shards.length)], "the shard of an id");
  }

  /** All that is known, though some shards may not have been seen. */
  #known(): SchedulingIndex {
    return (
      this.seen?.index ?? new Map(this.#shards.flatMap((shard) => [...(shard.seen?.index ?? shard.noted)]))
    );
  }

  /** X10. What cannot be read now is found by the listing. */
  async #adopt(): Promise<void> {
    if (this.#adopted) return;
    this.#adopted = true;
    const read = await readPatiently(this.#ports, this.#keys.index, this.#codecs.index, HINT);
    if (!read.ok || read.value === null) return;
    const { entries } = read.value.value;
    if (!this.#defers) await this.mend(entries);
    else for (const [id, entry] of entries) await this.hear(id, entry);
  }
}

/** X9: which of so many shards the entry of an instance is in. */
export function shardOf(id: string, shards: number): number {
  return fnv1a(id) % shards;
}

/** The entry that an identity's version calls for. */
export function entryOf(instance: Instance, stamp: WriteStamp): IndexEntry {
  const { workflow_type, version } = instance;
  const { sequence } = stamp;
  return { workflow_type, version, ...scheduleOf(instance), sequence, bytes: currentBytes(instance) };
}
