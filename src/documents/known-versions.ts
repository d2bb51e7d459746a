/**
 * What a node remembers of the objects that it writes again and again, so that a write need not read first.
 *
 *   K1  a hint of one node, lost with it. A version that is remembered may have been replaced long ago; the store finds
 *       out, because every write is conditional on it (W1), and nothing but a write is decided on it (W6).
 *   K2  of each object the last version is remembered that this node read or wrote; a read that was overtaken on its way
 *       brings no older one back. A version that a write was refused on is forgotten.
 *   K3  a refused write costs as much as one that is not, and a read much less: an object whose remembered version turned
 *       out to be old is read first from then on, until reads in a row show that the remembered version was the present
 *       one. One such read is enough the first time, and twice as many each time after, up to `SURE`; `CALM` writes without
 *       a refusal later it is one again. This is learned apart for each kind of document (one that is held by a worker is
 *       mostly written by one node, one that is not by any).
 *   K4  what is remembered is bounded, by number and by size; what was not used for longest goes first.
 *
 * Source: catalogue part 5, rule 4 (caches are hints).
 */
import type { Loaded, Memory } from "./conditional-write.ts";

const MAX_OBJECTS = 4_096;
const MAX_CHARS = 32 * 1024 * 1024;

/** K3. */
const SURE = 16;
const CALM = 64;

/** K3. */
interface Doubt {
  /** The kinds, one bit each, whose remembered versions turned out to be old. */
  readonly kinds: number;
  /** Reads in a row that it takes to trust them again, doubled by each refusal; and those that there were. */
  readonly needed: number;
  readonly sure: number;
  /** Writes since the last refusal. */
  readonly calm: number;
}
const NO_DOUBT: Doubt = { kinds: 0, needed: 0.5, sure: 0, calm: 0 };

interface Known<Document> {
  readonly version: Loaded<Document>;
  readonly chars: number;
  readonly doubt: Doubt;
}

export class KnownVersions<Document> implements Memory<Document> {
  readonly #kindOf: (document: Document) => number;
  readonly #known = new Map<string, Known<Document>>();
  /** K3, for keys whose version is forgotten. */
  readonly #doubted = new Map<string, Doubt>();
  #chars = 0;

  /** `kindOf` answers a number from 0 to 30. */
  constructor(kindOf: (document: Document) => number = () => 0) {
    this.#kindOf = kindOf;
  }

  recall(key: string): Loaded<Document> | null {
    const known = this.#known.get(key);
    if (known === undefined || (known.doubt.kinds & this.#bitOf(known.version)) !== 0) return null;
    return known.version;
  }

  wrote(key: string, version: Loaded<Document>, chars: number): void {
    this.#keep(key, { version, chars, doubt: calmer(this.#doubtOf(key)) });
  }

  read(key: string, version: Loaded<Document> | null, chars: number): void {
    if (version === null) {
      this.#drop(key);
      return;
    }
    const before = this.#known.get(key);
    if (before !== undefined && before.version.stamp.sequence > version.stamp.sequence) return;
    const doubt = this.#doubtOf(key);
    const isSame = before?.version.etag === version.etag;
    this.#keep(key, { version, chars, doubt: isSame ? surer(doubt, this.#bitOf(version)) : unsure(doubt) });
  }

  forget(key: string, refused: boolean): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    const doubt = refused ? doubting(known.doubt, this.#bitOf(known.version)) : known.doubt;
    this.#drop(key);
    if (doubt === NO_DOUBT) return;
    if (this.#doubted.size >= MAX_OBJECTS) this.#doubted.clear();
    this.#doubted.set(key, doubt);
  }

  #bitOf({ value }: Loaded<Document>): number {
    return 1 << this.#kindOf(value);
  }

  #doubtOf(key: string): Doubt {
    return this.#known.get(key)?.doubt ?? this.#doubted.get(key) ?? NO_DOUBT;
  }

  /** K4: the newest stands last. */
  #keep(key: string, known: Known<Document>): void {
    this.#drop(key);
    this.#doubted.delete(key);
    this.#known.set(key, known);
    this.#chars += known.chars;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_OBJECTS && this.#chars <= MAX_CHARS) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#chars -= this.#known.get(key)?.chars ?? 0;
    this.#known.delete(key);
  }
}

/** A write was refused. */
function doubting({ kinds, needed }: Doubt, bit: number): Doubt {
  return { kinds: kinds | bit, needed: Math.min(SURE, 2 * needed), sure: 0, calm: 0 };
}

/** A read has shown what was remembered. */
function surer(doubt: Doubt, bit: number): Doubt {
  if ((doubt.kinds & bit) === 0) return doubt;
  const sure = doubt.sure + 1;
  return sure < doubt.needed ? { ...doubt, sure } : { ...doubt, kinds: doubt.kinds & ~bit, sure: 0, calm: 0 };
}

/** A read has shown another version. */
function unsure(doubt: Doubt): Doubt {
  return doubt.sure === 0 ? doubt : { ...doubt, sure: 0 };
}

function calmer(doubt: Doubt): Doubt {
  if (doubt === NO_DOUBT) return doubt;
  const calm = doubt.calm + 1;
  return calm >= CALM && doubt.kinds === 0 ? NO_DOUBT : { ...doubt, calm };
}
