/**
 * The periodic listing: finishes interrupted moves and repairs the scheduling index.
 *
 *   L1  a list is a hint: an instance that it misses is left for the next pass, and nothing is concluded from
 *       its absence (catalogue I21, B25).
 *   L2  pages must rise strictly; a page that does not ends the pass (catalogue B26).
 *   L3  every entry is made from an identity that was read, so the pass can only make the index truer.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { History } from "../documents/history.ts";
import type { Instances } from "../documents/instances.ts";
import type { Keys } from "../documents/keys.ts";
import { entryOf, type IndexObject } from "../documents/scheduling-index.ts";
import type { Clock } from "../ports/clock.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";
import type { Engine, ReconcileReport } from "./engine.ts";

const PAGE = 1_000;

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

  /** Every instance id that the listing shows, in key order. */
  async ids(): Promise<Result<readonly string[], Failure>> {
    const ids: string[] = [];
    let after: string | null = null;
    for (;;) {
      const request = { prefix: this.#keys.instances, startAfter: after, limit: PAGE };
      const page = await this.#ports.store.list(request);
      if (page.kind !== "ok")
        return err(
          failure(
            "unavailable",
            "store_unavailable",
            "the instances could not be listed; repeat the request after a while",
          ),
        );
      for (const { key } of page.entries) {
        if (after !== null && key <= after)
          return err(
            failure(
              "unavailable",
              "list_unordered",
              `the store listed ${key} after ${after}; check the store`,
            ),
          );
        after = key;
        const id = this.#keys.instanceId(key);
        if (id !== null) ids.push(id);
      }
      if (!page.truncated) return ok(ids);
    }
  }
}

/** Sweeps for ever, one pass each interval. Ends only with its process. */
export async function keepReconciled(engine: Engine, clock: Clock, intervalMs: number): Promise<never> {
  for (;;) {
    await clock.sleep(intervalMs);
    await engine.reconcile();
  }
}
