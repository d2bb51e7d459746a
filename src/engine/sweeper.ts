/**
 * The periodic listing: finishes interrupted moves and erasures and repairs the scheduling index.
 *
 *   L1  a list is a hint: an instance that it misses is left for the next pass, and nothing is concluded from
 *       its absence (catalogue I21, B25).
 *   L2  nothing is expected of the order of keys, and a key that is shown twice counts once: some sound stores list
 *       in no order (S3 Express). A listing that comes back to a cursor has no end and is given up (catalogue B26).
 *   L3  every entry is made from an identity that was read, so the pass can only make the index truer.
 *   L4  an erasure that somebody left unfinished is finished. A tombstone with nothing left is not read again as long
 *       as the listing shows it with the same etag: tombstones stay for good and must cost nothing.
 *   L5  nor is an instance, as long as the index says what the version that was looked at calls for, or something later; for
 *       an hour at most, because what retention no longer keeps is pruned here, too.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { Erasure } from "../documents/erasure.ts";
import type { History } from "../documents/history.ts";
import { isOther } from "../documents/index-mends.ts";
import type { Instances } from "../documents/instances.ts";
import type { Keys } from "../documents/keys.ts";
import { listKeys } from "../documents/removal.ts";
import { entryOf, type IndexObject } from "../documents/scheduling-index.ts";
import type { Clock } from "../ports/clock.ts";
import type { Etag } from "../ports/object-store.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import type { WriteStamp } from "../vocabulary/instance.ts";
import { isTombstone, type Tombstone } from "../vocabulary/tombstone.ts";
import type { Engine, ReconcileReport } from "./engine.ts";

/** Tombstones, and instances, that a node remembers; with more it forgets all and reads them once more. */
const GRAVES = 100_000;
/** L5. */
const LOOK_AGAIN_MS = 3_600_000;

/** An instance in which there was nothing to do. */
interface Looked {
  readonly etag: Etag;
  /** What the index has to say of it. */
  readonly entry: IndexEntry;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

export class Sweeper {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #instances: Instances;
  readonly #history: History;
  readonly #index: IndexObject;
  readonly #erasure: Erasure;
  /** By id: the etag under which the listing showed a tombstone with nothing left. */
  readonly #graves = new Map<string, Etag>();
  /** L5, by id. */
  readonly #looked = new Map<string, Looked>();

  constructor(
    ports: StorePorts,
    keys: Keys,
    instances: Instances,
    history: History,
    index: IndexObject,
    erasure: Erasure,
  ) {
    this.#ports = ports;
    this.#erasure = erasure;
    this.#keys = keys;
    this.#instances = instances;
    this.#history = history;
    this.#index = index;
  }

  async pass(): Promise<Result<ReconcileReport, Failure>> {
    const listed = await this.#listed();
    if (!listed.ok) return listed;
    if (listed.value.size === 0) return ok({ instances: 0, repaired: 0, unread: 0 });
    const read = await this.#index.read(listed.value.keys());
    if (!read.ok) return read;
    const entries = new Map<string, IndexEntry>();
    const gone = new Map<string, number>();
    let unread = 0;
    let instances = 0;
    for (const [id, etag] of listed.value) {
      instances += 1;
      if (this.#isKnown(id, etag)) continue;
      const looked = await this.#instances.look(id);
      if (!looked.ok || looked.value === null) {
        unread += 1;
        continue;
      }
      const { value, stamp } = looked.value;
      if (isTombstone(value)) {
        instances -= 1;
        gone.set(id, stamp.sequence);
        await this.#bury(value, stamp, etag);
        continue;
      }
      const entry = entryOf(value, stamp);
      if (isNews(this.#index.storedEntry(id), entry)) entries.set(id, entry);
      const moved = await this.#history.move(value);
      if (moved.ok) this.#remember(id, etag, entry);
    }
    const report = { instances, repaired: 0, unread };
    if (entries.size + gone.size === 0) return ok(report);
    const mended = await this.#index.mend(entries, gone);
    return mended.ok ? ok({ ...report, repaired: mended.value.changed }) : mended;
  }

  /** L5. */
  #isKnown(id: string, etag: Etag): boolean {
    const looked = this.#looked.get(id);
    if (looked?.etag !== etag || isNews(this.#index.storedEntry(id), looked.entry)) return false;
    return this.#ports.clock.monotonicMs() - looked.atMs < LOOK_AGAIN_MS;
  }

  #remember(id: string, etag: Etag, entry: IndexEntry): void {
    if (this.#looked.size >= GRAVES) this.#looked.clear();
    this.#looked.set(id, { etag, entry, atMs: this.#ports.clock.monotonicMs() });
  }

  /** L4. */
  async #bury(tombstone: Tombstone, stamp: WriteStamp, etag: Etag): Promise<void> {
    if (tombstone.erased) {
      if (this.#graves.size >= GRAVES) this.#graves.clear();
      this.#graves.set(tombstone.id, etag);
      return;
    }
    const erased = await this.#erasure.finish(tombstone, stamp);
    if (!erased.ok) this.#ports.trace.emit("erasure-unfinished", { instance: tombstone.id });
  }

  /** The ids that the listing shows, each once, ascending. Deleted ones may be among them. */
  async ids(): Promise<Result<readonly string[], Failure>> {
    const listed = await this.#listed();
    return listed.ok ? ok([...listed.value.keys()]) : listed;
  }

  /** By id, ascending: the etag that the listing shows. Without known graves. */
  async #listed(): Promise<Result<ReadonlyMap<string, Etag>, Failure>> {
    const listed = await listKeys(this.#ports, this.#keys.instances);
    if (!listed.ok) return listed;
    const found: [string, Etag][] = [];
    for (const [key, etag] of listed.value) {
      const id = this.#keys.instanceId(key);
      if (id !== null && this.#graves.get(id) !== etag) found.push([id, etag]);
    }
    return ok(new Map(found.sort(([a], [b]) => (a < b ? -1 : 1))));
  }
}

/** Whether the index has to hear of it: not when it says the same already, made from an earlier version. */
function isNews(known: IndexEntry | undefined, entry: IndexEntry): boolean {
  if (known === undefined) return true;
  if (known.sequence >= entry.sequence) return false;
  return isOther(known, entry) || known.bytes !== entry.bytes;
}

/** Sweeps for ever, one pass each interval. Ends only with its process. */
export async function keepReconciled(engine: Engine, clock: Clock, intervalMs: number): Promise<never> {
  for (;;) {
    await clock.sleep(intervalMs);
    await engine.reconcile();
  }
}
