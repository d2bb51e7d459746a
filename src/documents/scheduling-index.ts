/**
 * The scheduling index object: read, noted and mended, never trusted. What a mend does to it is said in `index-mends.ts`.
 *
 *   X2  what follows a commit is noted and written later, off the way of the caller: with everything else that the node has
 *       noted until then, in one write. A note is laid over what the node reads. A write that fails leaves its notes for
 *       the next one. When the node is gone, the periodic listing finds what was not written.
 *   X5  group commit: updates that come while one is being written share the next write. So however many callers a node
 *       has, its own writes never race each other for the one key.
 *   X6  how soon a note has to be written follows from what the stored entry tells everybody else. It hides work: soon, or,
 *       while the work is held by a worker, long before that lease ends. It promises work too early, which costs others
 *       a look: some time. It says the same: never, until something else is written.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue I14, B29.
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
import { conditionalWrite, type Memory, NO_MEMORY, type StorePorts } from "./conditional-write.ts";
import { type Mend, mended, NOTHING, NOTHING_GONE, together, without } from "./index-mends.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";

const EMPTY: IndexDocument = { entries: new Map(), removed: new Map() };

export interface SeenIndex {
  readonly index: SchedulingIndex;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

/** How long a note may wait, milliseconds (X6). */
const SOON_MS = 200;
const LAZY_MS = 5_000;
/** A write that failed is tried again after `SOON_MS`, then twice as long each time, up to this. */
const RETRY_CAP_MS = 10_000;

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

/** A mend that grows. */
interface Notes extends Mend {
  readonly entries: Map<string, IndexEntry>;
  readonly gone: Map<string, number>;
}

export class IndexObject {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;
  readonly #memory: Memory<IndexDocument>;
  /** The document as it was read or written last, and when. */
  #stored: { readonly document: IndexDocument; readonly atMs: number } | null = null;
  /** `#stored` with the notes laid over it; null: to be made again. */
  #seen: SeenIndex | null = null;
  /** The group that waits for the write under way. */
  #waiting: Group | null = null;
  #underWay: Promise<unknown> | null = null;
  /** X2. */
  #notes: Notes = { entries: new Map(), gone: new Map() };
  /** When the notes are due, monotonic milliseconds; infinite: they are not. */
  #dueMs = Number.POSITIVE_INFINITY;
  #failures = 0;
  readonly #defers: boolean;

  /** `defers`: it hears of changes later (X2). Else before `hear` is answered; what it could not write goes with the next write. */
  constructor(
    ports: StorePorts,
    keys: Keys,
    codecs: Codecs,
    memory: Memory<IndexDocument> = NO_MEMORY,
    defers = false,
  ) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
    this.#memory = memory;
    this.#defers = defers;
  }

  async read(): Promise<Result<SchedulingIndex, Failure>> {
    const read = await readPatiently(this.#ports, this.#keys.index, this.#codecs.index, HINT);
    if (!read.ok) return read;
    return ok(this.#see(read.value?.value ?? EMPTY).index);
  }

  /** The index as this node read or wrote it last, with what it has noted since; null: it has not yet. */
  get seen(): SeenIndex | null {
    if (this.#stored === null) return null;
    this.#seen ??= laidOver(this.#stored, this.#notes);
    return this.#seen;
  }

  /** The index as it is stored, as far as this node knows: without its notes. */
  get stored(): SchedulingIndex {
    return this.#stored?.document.entries ?? EMPTY.entries;
  }

  /** What this node knows of instances and has not written yet. */
  get noted(): SchedulingIndex {
    return this.#notes.entries;
  }

  /** Hears what an identity calls for now: noted, and written when that is due (X6), or written at once. */
  async hear(id: string, entry: IndexEntry): Promise<Result<unknown, Failure>> {
    if (!this.#defers) return this.mend(new Map([[id, entry]]));
    this.learn(id, entry);
    this.#due(this.#patienceMs(entry, this.#stored?.document.entries.get(id)));
    return ok(null);
  }

  /** The same for what nobody else needs to be told. */
  learn(id: string, entry: IndexEntry): void {
    const known = this.#notes.entries.get(id)?.sequence ?? this.#notes.gone.get(id) ?? 0;
    if (known >= entry.sequence) return;
    this.#notes.gone.delete(id);
    this.#notes.entries.set(id, entry);
    this.#seen = null;
  }

  /** Writes what is noted, if there is anything. */
  async flush(): Promise<void> {
    if (this.#notes.entries.size + this.#notes.gone.size > 0) await this.#write(NOTHING);
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

  /** X6, milliseconds. */
  #patienceMs(entry: IndexEntry, stored: IndexEntry | undefined): number {
    if (stored === undefined || stored.version !== entry.version) return SOON_MS;
    const { ready_at_ms } = entry;
    if (ready_at_ms !== null && (stored.ready_at_ms === null || stored.ready_at_ms > ready_at_ms)) {
      if (entry.status !== "running") return SOON_MS;
      return Math.max(SOON_MS, Math.ceil((ready_at_ms - this.#ports.clock.wallMs()) / 3));
    }
    return sameSchedule(stored, entry) ? Number.POSITIVE_INFINITY : LAZY_MS;
  }

  /** The notes are to be written within that time. */
  #due(withinMs: number): void {
    const dueMs = this.#ports.clock.monotonicMs() + withinMs;
    if (dueMs >= this.#dueMs) return;
    this.#dueMs = dueMs;
    void this.#wait(dueMs, withinMs);
  }

  async #wait(dueMs: number, withinMs: number): Promise<void> {
    await this.#ports.clock.sleep(withinMs);
    // A clock that was stopped ends every sleep at once: its process is about to end, and the listing finds the rest.
    if (this.#ports.clock.monotonicMs() < dueMs - 1) return;
    // Written meanwhile, or due sooner, and then somebody else waits.
    if (this.#dueMs === dueMs) await this.flush();
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
    const written = this.#send(together([this.#notes, ...mends]));
    this.#underWay = written;
    return written;
  }

  async #send(mend: Mend): Promise<Result<Written, Failure>> {
    this.#dueMs = Number.POSITIVE_INFINITY;
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
      this.#memory,
    );
    // The group that waits goes on before anybody else can begin a write of its own.
    if (this.#waiting === null) this.#underWay = null;
    if (!settled.ok) {
      this.#keep(together([mend, this.#notes]));
      if (this.#defers) this.#due(Math.min(RETRY_CAP_MS, SOON_MS * 2 ** this.#failures++));
      return settled;
    }
    this.#failures = 0;
    this.#keep(without(this.#notes, mend));
    return ok({ index: this.#see(settled.value.value).index, wrong: settled.value.reply });
  }

  #keep({ entries, gone }: Mend): void {
    this.#notes = { entries: new Map(entries), gone: new Map(gone) };
    this.#seen = null;
  }

  #see(document: IndexDocument): SeenIndex {
    this.#stored = { document, atMs: this.#ports.clock.monotonicMs() };
    this.#seen = laidOver(this.#stored, this.#notes);
    return this.#seen;
  }
}

/** X2: the document as it will be once the notes are written. */
function laidOver(
  { document, atMs }: { readonly document: IndexDocument; readonly atMs: number },
  notes: Mend,
): SeenIndex {
  return { index: (mended(document, notes).document ?? document).entries, atMs };
}

/** The entry that an identity's version calls for. */
export function entryOf(instance: Instance, stamp: WriteStamp): IndexEntry {
  const { workflow_type, version } = instance;
  const { sequence } = stamp;
  return { workflow_type, version, ...scheduleOf(instance), sequence, bytes: currentBytes(instance) };
}
