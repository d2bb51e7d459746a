/**
 * Erasure: what is left of a deleted instance goes, and its tombstone says when nothing is left.
 *
 *   R3  the history objects first, by the numbers of blocks and pages and then by what a listing still shows, blobs
 *       included; then the index entry; the tombstone's note last (P81, P82). Stopped anywhere, the next who meets the
 *       tombstone goes on.
 *   R4  the keys are those of the life that ended, which no later life uses: an erasure that goes on after the id was
 *       created again takes nothing of the new life.
 *
 * A deletion waits for the moves of its own node. What lands later than that (a segment of another node's move, or of a
 * mover that was asleep) is garbage under keys that nobody reads; a mover that finds that life over with its drop removes
 * what it has written (`history.ts`, H8).
 */
import { refuse } from "../protocol/decision.ts";
import { noteErased } from "../protocol/deletion.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { WriteStamp } from "../vocabulary/instance.ts";
import type { Tombstone } from "../vocabulary/tombstone.ts";
import { HINT } from "./backoff.ts";
import type { Codecs } from "./codec.ts";
import { conditionalWrite, type StorePorts } from "./conditional-write.ts";
import type { IdPages } from "./id-pages.ts";
import { notFound } from "./identities.ts";
import type { Keys } from "./keys.ts";
import { listKeys, removeObjects } from "./removal.ts";
import type { IndexObject } from "./scheduling-index.ts";
import type { Segments } from "./segments.ts";

/** Turns between two notes of how far an erasure is. */
const BATCH = 512;
const LISTINGS = 3;

export class Erasure {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  readonly #index: IndexObject;
  readonly #segments: Segments;
  readonly #pages: IdPages;

  constructor(
    ports: StorePorts,
    keys: Keys,
    codecs: Codecs,
    index: IndexObject,
    segments: Segments,
    pages: IdPages,
  ) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#index = index;
    this.#segments = segments;
    this.#pages = pages;
  }

  /** Goes on where the erasure stopped. Answers once nothing is left of the life that the tombstone ended. */
  async finish(tombstone: Tombstone, { sequence }: WriteStamp): Promise<Result<null, Failure>> {
    if (tombstone.erased) return ok(null);
    const { id, life, turns_through, history_layout: layout } = tombstone;
    for (let from = tombstone.erased_through; from < turns_through; ) {
      const through = Math.min(from + BATCH, turns_through);
      const removed = await Promise.all([
        this.#segments.erase(tombstone, layout, from, through),
        this.#pages.erase(tombstone, layout, from, through),
      ]);
      for (const one of removed) if (!one.ok) return one;
      from = through;
      if (from === turns_through) break;
      const noted = await this.#note(id, { life, through, all: false });
      if (!noted.ok) return noted;
    }
    for (const prefix of [this.#keys.history(tombstone), this.#keys.blobs(tombstone)]) {
      const left = await this.#removeListed(prefix);
      if (!left.ok) return left;
    }
    const unlisted = await this.#index.mend(new Map(), new Map([[id, sequence]]));
    if (!unlisted.ok) return unlisted;
    return this.#note(id, { life, through: turns_through, all: true });
  }

  /** What a listing still shows, until one shows nothing: also what came while the one before was used. */
  async #removeListed(prefix: string): Promise<Result<null, Failure>> {
    for (let listing = 1; ; listing++) {
      const listed = await listKeys(this.#ports, prefix);
      if (!listed.ok) return listed;
      if (listed.value.size === 0) return ok(null);
      const removed = await removeObjects(this.#ports, [...listed.value.keys()]);
      if (!removed.ok || listing === LISTINGS) return removed;
    }
  }

  async #note(
    id: string,
    erased: { readonly life: number; readonly through: number; readonly all: boolean },
  ): Promise<Result<null, Failure>> {
    const key = this.#keys.instance(id);
    const noted = await conditionalWrite(this.#ports, key, this.#codecs.identity, HINT, (current) =>
      current === null ? refuse(notFound(id)) : noteErased(current.value, erased),
    );
    return noted.ok ? ok(null) : noted;
  }
}
