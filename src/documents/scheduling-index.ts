/**
 * The scheduling index object: read and mended, never trusted. What a mend does to it is said in `index-mends.ts`.
 *
 *   X2  a failed update is no failure of what it followed. The node keeps what it could not write: it lays it over what
 *       it reads and writes it with its next update. When the node is gone, the periodic listing finds what was missed.
 *   X5  group commit: updates that come while one is being written share the next write. So however many callers a node
 *       has, its own writes never race each other for the one key.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue I14, B29.
 */
import { currentBytes } from "../protocol/budget.ts";
import { answer, write } from "../protocol/decision.ts";
import { scheduleOf } from "../protocol/schedule.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import { HINT } from "./backoff.ts";
import type { Codecs, IndexDocument } from "./codec.ts";
import { conditionalWrite, type StorePorts } from "./conditional-write.ts";
import { type Mend, mended, NOTHING_GONE, together } from "./index-mends.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";

const EMPTY: IndexDocument = { entries: new Map(), removed: new Map() };

export interface SeenIndex {
  readonly index: SchedulingIndex;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

/** The index after a write, and whose entries were wrong or missing before it. */
interface Written {
  readonly index: SchedulingIndex;
  readonly wrong: ReadonlySet<string>;
}

/** X5: mends that go into one write. */
interface Group {
  readonly mends: Mend[];
  readonly written: Promise<Result<Written, Failure>>;
}

export class IndexObject {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  #seen: SeenIndex | null = null;
  /** The group that waits for the write under way. */
  #waiting: Group | null = null;
  #underWay: Promise<unknown> | null = null;
  /** X2. */
  #missed: Mend | null = null;

  constructor(ports: StorePorts, keys: Keys, codecs: Codecs) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
  }

  async read(): Promise<Result<SchedulingIndex, Failure>> {
    const read = await readPatiently(this.#ports, this.#keys.index, this.#codecs.index, HINT);
    return read.ok ? ok(this.#see(read.value?.value ?? EMPTY)) : read;
  }

  /**
   * Mends the entries in one write; answers the index as it then stands and how many were wrong or missing.
   * `gone`: deleted instances, with the sequence of the tombstone.
   */
  async mend(
    entries: ReadonlyMap<string, IndexEntry>,
    gone: ReadonlyMap<string, number> = NOTHING_GONE,
  ): Promise<Result<{ readonly index: SchedulingIndex; readonly changed: number }, Failure>> {
    const settled = await this.#write({ entries, gone });
    if (!settled.ok) return settled;
    const { index, wrong } = settled.value;
    let changed = 0;
    for (const id of entries.keys()) if (wrong.has(id)) changed++;
    for (const id of gone.keys()) if (wrong.has(id)) changed++;
    return ok({ index, changed });
  }

  /** The index as this node read or wrote it last; null: it has not yet. */
  get seen(): SeenIndex | null {
    return this.#seen;
  }

  /** X5. */
  #write(mend: Mend): Promise<Result<Written, Failure>> {
    if (this.#waiting !== null) {
      this.#waiting.mends.push(mend);
      return this.#waiting.written;
    }
    const mends = [mend];
    if (this.#underWay === null) return this.#commit(mends);
    const commit = () => {
      this.#waiting = null;
      return this.#commit(mends);
    };
    const written = this.#underWay.then(commit, commit);
    this.#waiting = { mends, written };
    return written;
  }

  #commit(mends: readonly Mend[]): Promise<Result<Written, Failure>> {
    const written = this.#send(together(this.#missed === null ? mends : [this.#missed, ...mends]));
    this.#underWay = written;
    return written;
  }

  async #send(mend: Mend): Promise<Result<Written, Failure>> {
    const settled = await conditionalWrite(
      this.#ports,
      this.#keys.index,
      this.#codecs.index,
      HINT,
      (current) => {
        const { document, wrong } = mended(current?.value ?? EMPTY, mend);
        if (document === null && current !== null) return answer(wrong);
        return write(document ?? EMPTY, wrong);
      },
    );
    this.#missed = settled.ok ? null : mend;
    // The group that waits goes on before anybody else can begin a write of its own.
    if (this.#waiting === null) this.#underWay = null;
    if (!settled.ok) return settled;
    return ok({ index: this.#see(settled.value.value), wrong: settled.value.reply });
  }

  #see(stored: IndexDocument): SchedulingIndex {
    const document = this.#missed === null ? null : mended(stored, this.#missed).document;
    const index = (document ?? stored).entries;
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
