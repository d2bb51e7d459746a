/**
 * One shard of the scheduling index: read, noted and mended, never trusted. What a mend does to it is said in
 * `index-mends.ts`.
 *
 *   X2  what follows a commit is noted and written later, off the way of the caller: with everything else that the node has
 *       noted until then, in one write. A note is laid over what the node reads. A write that fails leaves its notes for
 *       the next one. When the node is gone, the periodic listing finds what was not written.
 *   X5  group commit: updates that come while one is being written share the next write. So however many callers a node
 *       has, its own writes never race each other for the one key.
 *   X6  how soon a note has to be written follows from what the stored entry tells everybody else (`index-urgency.ts`). A
 *       note that is replaced is as urgent as what replaces it, and of two that are urgent alike the first one's time
 *       stands. So work that comes and is taken at once is never written.
 *   X7  notes of one node make one write in `GAP_MS` at most, and fewer where writes of a key have to keep their distance
 *       (`key-pace.ts`): the shard is everybody's, and that distance is kept for `WRITERS` of them.
 *   X12 what a read or a write of this node has brought is not replaced by what was asked for before it and is older: each may
 *       be overtaken on its way. What was asked for later is news whatever its number: the object may have been made again.
 *   X8  a copy that looked the same again and again is looked at less and less often: in each `rarely`th poll at last.
 *
 * Source: seed 000 "Storage, recovery and erasure"; catalogue I14, B29.
 */
import { answer, write } from "../protocol/decision.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import { HINT } from "./backoff.ts";
import type { Codec, IndexDocument } from "./codec.ts";
import { conditionalWrite, type Memory, type StorePorts } from "./conditional-write.ts";
import { isNothing, type Mend, mended, NOTHING, together, without } from "./index-mends.ts";
import { SOON_MS, type Urgency, urgencyOf } from "./index-urgency.ts";
import { readRemembering } from "./patient-read.ts";

const EMPTY: IndexDocument = { entries: new Map(), removed: new Map() };
/** X7. */
const GAP_MS = 1_000;
const WRITERS = 8;
/** A write that failed is tried again after `SOON_MS`, then twice as long each time, up to this. */
const RETRY_CAP_MS = 10_000;

export interface SeenIndex {
  readonly index: SchedulingIndex;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

/** The index after a write, and whose entries were wrong or missing before it. */
export interface Written {
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

interface Stored {
  readonly document: IndexDocument;
  /** Of its write; 0: there is no object. */
  readonly sequence: number;
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

interface Due {
  readonly kind: Urgency["kind"];
  /** Monotonic milliseconds. */
  readonly atMs: number;
}

export class IndexShard {
  readonly #ports: StorePorts;
  readonly #key: string;
  readonly #codec: Codec<IndexDocument>;
  readonly #memory: Memory<IndexDocument>;
  readonly #defers: boolean;
  readonly #rarely: number;
  /** The document as it was read or written last, and when. */
  #stored: Stored | null = null;
  /** X12: how often `#stored` was replaced. */
  #sights = 0;
  /** `#stored` with the notes laid over it; null: to be made again. */
  #seen: SeenIndex | null = null;
  /** X8: reads in a row that showed nothing new. */
  #same = 0;
  /** The group that waits for the write under way. */
  #waiting: Group | null = null;
  #underWay: Promise<unknown> | null = null;
  /** X2. */
  #notes: Notes = { entries: new Map(), gone: new Map() };
  /** X6: of the notes that have to be written. */
  readonly #dues = new Map<string, Due>();
  /** When somebody looks whether a note is due; infinite: nobody does. */
  #wakesMs = Number.POSITIVE_INFINITY;
  /** X7: no notes are written before. */
  #restsUntilMs = 0;
  #failures = 0;

  /** `defers`: it hears of changes later (X2). Else before `hear` is answered; what it could not write goes with the next write. */
  constructor(
    ports: StorePorts,
    key: string,
    codec: Codec<IndexDocument>,
    memory: Memory<IndexDocument>,
    defers: boolean,
    rarely = 1,
  ) {
    this.#ports = ports;
    this.#key = key;
    this.#codec = codec;
    this.#memory = memory;
    this.#defers = defers;
    this.#rarely = rarely;
  }

  async read(): Promise<Result<SchedulingIndex, Failure>> {
    const asked = this.#sights;
    const read = await readRemembering(this.#ports, this.#key, this.#codec, HINT, this.#memory);
    if (!read.ok) return read;
    const document = read.value?.value ?? EMPTY;
    const isSame = this.#stored !== null && sameEntries(this.#stored.document, document);
    this.#same = isSame ? Math.min(this.#same + 1, this.#rarely) : 0;
    return ok(this.#see(document, read.value?.stamp.sequence ?? 0, asked).index);
  }

  /** The shard as this node read or wrote it last, with what it has noted since; null: it has not yet. */
  get seen(): SeenIndex | null {
    if (this.#stored === null) return null;
    this.#seen ??= laidOver(this.#stored, this.#notes);
    return this.#seen;
  }

  /** How old the copy is for one who looks at it (X8), milliseconds. */
  get ageMs(): number {
    if (this.#stored === null) return Number.POSITIVE_INFINITY;
    const factor = Math.min(this.#rarely, 2 ** Math.max(0, this.#same - 1));
    return (this.#ports.clock.monotonicMs() - this.#stored.atMs) / factor;
  }

  /** The entries as they are stored, as far as this node knows: without its notes. */
  get stored(): SchedulingIndex {
    return this.#stored?.document.entries ?? EMPTY.entries;
  }

  /** What this node knows of instances and has not written yet. */
  get noted(): SchedulingIndex {
    return this.#notes.entries;
  }

  /** Hears what an identity calls for now: noted, and written when that is due (X6), or written at once. */
  async hear(id: string, entry: IndexEntry): Promise<Result<unknown, Failure>> {
    if (!this.#defers) return this.mend({ entries: new Map([[id, entry]]), gone: NOTHING.gone });
    this.learn(id, entry);
    if (this.#notes.entries.get(id)?.sequence !== entry.sequence) return ok(null);
    this.#want(id, entry);
    this.#wake();
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

  /** Writes what is noted, if some of it has to be written: without waiting until it is due. */
  async flush(): Promise<void> {
    if (this.#dues.size > 0) await this.mend(NOTHING);
  }

  /** X6. */
  #want(id: string, entry: IndexEntry): void {
    const { clock } = this.#ports;
    const { kind, withinMs } = urgencyOf(entry, this.stored.get(id), clock.wallMs());
    const before = this.#dues.get(id);
    const atMs = clock.monotonicMs() + withinMs;
    this.#dues.set(id, before?.kind === kind ? { kind, atMs: Math.min(before.atMs, atMs) } : { kind, atMs });
  }

  /** Somebody looks when the first note is due. */
  #wake(): void {
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { atMs } of this.#dues.values()) firstMs = Math.min(firstMs, atMs);
    const atMs = Math.max(firstMs, this.#restsUntilMs);
    if (atMs >= this.#wakesMs) return;
    this.#wakesMs = atMs;
    void this.#wait(atMs);
  }

  async #wait(atMs: number): Promise<void> {
    const { clock } = this.#ports;
    await clock.sleep(Math.max(0, atMs - clock.monotonicMs()));
    const nowMs = clock.monotonicMs();
    // A clock that was stopped ends every sleep at once: its process is about to end, and the listing finds the rest.
    if (nowMs < atMs - 1) return;
    // Somebody else looks sooner.
    if (this.#wakesMs !== atMs) return;
    this.#wakesMs = Number.POSITIVE_INFINITY;
    let isDue = false;
    for (const due of this.#dues.values()) isDue ||= due.atMs <= nowMs;
    if (isDue && nowMs >= this.#restsUntilMs) await this.flush();
    this.#wake();
  }

  /** Writes the mend and what is noted (X5). */
  mend(mend: Mend): Promise<Result<Written, Failure>> {
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
    const dues = new Map(this.#dues);
    this.#dues.clear();
    const asked = this.#sights;
    const settled = await conditionalWrite(
      this.#ports,
      this.#key,
      this.#codec,
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
      if (this.#defers) this.#again(dues);
      return settled;
    }
    this.#failures = 0;
    this.#rest(Math.max(GAP_MS, WRITERS * (this.#ports.pace?.distanceMs(this.#key) ?? 0)));
    this.#keep(without(this.#notes, mend));
    this.#same = 0;
    const { value, stamp, reply } = settled.value;
    return ok({ index: this.#see(value, stamp.sequence, asked).index, wrong: reply });
  }

  /** What could not be written stays due, and whatever was written with it: after a while. */
  #again(dues: ReadonlyMap<string, Due>): void {
    const nowMs = this.#ports.clock.monotonicMs();
    for (const id of this.#notes.entries.keys())
      this.#dues.set(id, this.#dues.get(id) ?? dues.get(id) ?? { kind: "soon", atMs: nowMs });
    this.#rest(Math.min(RETRY_CAP_MS, SOON_MS * 2 ** this.#failures++));
    this.#wake();
  }

  /** X7. */
  #rest(ms: number): void {
    this.#restsUntilMs = this.#ports.clock.monotonicMs() + ms;
  }

  #keep({ entries, gone }: Mend): void {
    this.#notes = { entries: new Map(entries), gone: new Map(gone) };
    this.#seen = null;
  }

  /**
   * What others have written since may say what is noted, or something else than was to be told. `asked`: `#sights` when it
   * was asked for (X12).
   */
  #see(document: IndexDocument, sequence: number, asked: number): SeenIndex {
    const stored = this.#stored;
    if (stored !== null && asked !== this.#sights && sequence < stored.sequence) {
      this.#seen ??= laidOver(stored, this.#notes);
      return this.#seen;
    }
    this.#sights += 1;
    const before = stored?.document.entries;
    this.#stored = { document, sequence, atMs: this.#ports.clock.monotonicMs() };
    if (isNothing(this.#notes)) this.#seen = null;
    else this.#keep(without(this.#notes, toldBy(document, this.#notes)));
    for (const id of this.#dues.keys()) {
      const note = this.#notes.entries.get(id);
      if (note === undefined) this.#dues.delete(id);
      else if (before?.get(id)?.sequence !== document.entries.get(id)?.sequence) this.#want(id, note);
    }
    this.#wake();
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

/** What the document says of the instances of the notes. */
function toldBy({ entries, removed }: IndexDocument, notes: Mend): Mend {
  const told = new Map<string, IndexEntry>();
  const gone = new Map<string, number>();
  for (const id of [...notes.entries.keys(), ...notes.gone.keys()]) {
    const entry = entries.get(id);
    if (entry !== undefined) told.set(id, entry);
    else if (removed.has(id)) gone.set(id, removed.get(id) ?? 0);
  }
  return { entries: told, gone };
}

/** Whether no entry was written in between. */
function sameEntries(before: IndexDocument, after: IndexDocument): boolean {
  if (before.entries === after.entries) return true;
  if (before.entries.size !== after.entries.size) return false;
  for (const [id, { sequence }] of after.entries)
    if (before.entries.get(id)?.sequence !== sequence) return false;
  return true;
}
