/**
 * The scheduling index object: read and mended, never trusted.
 *
 *   X1  an entry is replaced by one made from a later version of its identity, and by no other; also when both say
 *       the same, else an update that comes late could slip in between the two.
 *   X2  a failed update is forgotten: the periodic listing finds what it missed.
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
import type { Codecs } from "./codec.ts";
import { conditionalWrite, type StorePorts } from "./conditional-write.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";

const EMPTY: SchedulingIndex = new Map();

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
    return read.ok ? ok(this.#see(read.value?.value ?? EMPTY)) : read;
  }

  /** Mends the entries in one write; answers the index as it then stands and how many were wrong or missing. */
  async mend(
    entries: ReadonlyMap<string, IndexEntry>,
  ): Promise<Result<{ readonly index: SchedulingIndex; readonly changed: number }, Failure>> {
    const settled = await conditionalWrite(
      this.#ports,
      this.#keys.index,
      this.#codecs.index,
      HINT,
      (current) => {
        const stored = current?.value ?? EMPTY;
        const news = [...entries].filter(([id, entry]) => isNews(stored.get(id), entry));
        const changed = news.filter(([id, entry]) => isOther(stored.get(id), entry)).length;
        if (news.length === 0 && current !== null) return answer({ changed });
        return write(new Map([...stored, ...news]), { changed });
      },
    );
    if (!settled.ok) return settled;
    return ok({ index: this.#see(settled.value.value), changed: settled.value.reply.changed });
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

function isNews(stored: IndexEntry | undefined, entry: IndexEntry): boolean {
  return stored === undefined || stored.sequence < entry.sequence;
}

function isOther(stored: IndexEntry | undefined, entry: IndexEntry): boolean {
  return stored === undefined || !sameSchedule(stored, entry) || stored.version !== entry.version;
}
