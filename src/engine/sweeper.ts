/**
 * The periodic listing: finishes interrupted moves and repairs the scheduling index.
 *
 *   L1  a list is a hint: an instance that it misses is left for the next pass, and nothing is concluded from
 *       its absence (catalogue I21, B25).
 *   L2  nothing is expected of the order of keys, and a key that is shown twice counts once: some sound stores list
 *       in no order (S3 Express). A listing that comes back to a cursor has no end and is given up (catalogue B26).
 *   L3  every entry is made from an identity that was read, so the pass can only make the index truer.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { History } from "../documents/history.ts";
import type { Instances } from "../documents/instances.ts";
import type { Keys } from "../documents/keys.ts";
import { entryOf, type IndexObject } from "../documents/scheduling-index.ts";
import type { Clock } from "../ports/clock.ts";
import type { ListCursor } from "../ports/object-store.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import type { Engine, ReconcileReport } from "./engine.ts";

const PAGE = 1_000;
const UNLISTED = failure(
  "unavailable",
  "store_unavailable",
  "the instances could not be listed; repeat the request after a while",
);
const ENDLESS = failure(
  "unavailable",
  "list_endless",
  "the store's listing of the instances came back to where it had been; check the store",
);

export class Sweeper {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #instances: Instances;
  readonly #history: History;
  readonly #index: IndexObject;

  constructor(ports: StorePorts, keys: Keys, instances: Instances, history: History, index: IndexObject) {
    this.#ports = ports;
    this.#keys = keys;
    this.#instances = instances;
    this.#history = history;
    this.#index = index;
  }

  async pass(): Promise<Result<ReconcileReport, Failure>> {
    const ids = await this.ids();
    if (!ids.ok) return ids;
    const entries = new Map<string, IndexEntry>();
    for (const id of ids.value) {
      const loaded = await this.#instances.load(id);
      if (!loaded.ok) continue;
      entries.set(id, entryOf(loaded.value.value, loaded.value.stamp));
      await this.#history.move(loaded.value.value);
    }
    const unread = ids.value.length - entries.size;
    if (entries.size === 0) return ok({ instances: ids.value.length, repaired: 0, unread });
    const mended = await this.#index.mend(entries);
    return mended.ok ? ok({ instances: ids.value.length, repaired: mended.value.changed, unread }) : mended;
  }

  /** Every instance id that the listing shows, each once, ascending. */
  async ids(): Promise<Result<readonly string[], Failure>> {
    const ids = new Set<string>();
    const cursors = new Set<ListCursor>();
    let cursor: ListCursor | null = null;
    do {
      const page = await this.#ports.store.list({ prefix: this.#keys.instances, cursor, limit: PAGE });
      if (page.kind !== "ok") return err(UNLISTED);
      for (const { key } of page.entries) {
        const id = this.#keys.instanceId(key);
        if (id !== null) ids.add(id);
      }
      cursor = page.next;
      if (cursor !== null && cursors.has(cursor)) return err(ENDLESS);
      if (cursor !== null) cursors.add(cursor);
    } while (cursor !== null);
    return ok([...ids].sort());
  }
}

/** Sweeps for ever, one pass each interval. Ends only with its process. */
export async function keepReconciled(engine: Engine, clock: Clock, intervalMs: number): Promise<never> {
  for (;;) {
    await clock.sleep(intervalMs);
    await engine.reconcile();
  }
}
