/**
 * What a node remembers of the objects that it writes again and again, so that a write need not read first.
 *
 *   K1  a hint of one node, lost with it. A version that is remembered may have been replaced long ago; the store finds
 *       out, because every write is conditional on it (W1), and nothing but a write is decided on it (W6).
 *   K2  of each object the last version is remembered that this node read or wrote; a read that was overtaken on its way
 *       brings no older one back. A version that a write was refused on is forgotten.
 *   K3  a refused write costs as much as one that is not: an object whose remembered version turned out to be old is read
 *       first from then on, until a read shows that the remembered version was the present one. This is learned apart for
 *       each kind of document (one that is held by a worker is mostly written by one node, one that is not by any).
 *   K4  what is remembered is bounded, by number and by size; what was not used for longest goes first.
 *
 * Source: catalogue part 5, rule 4 (caches are hints).
 */
import type { Loaded, Memory } from "./conditional-write.ts";

const MAX_OBJECTS = 4_096;
const MAX_CHARS = 32 * 1024 * 1024;

interface Known<Document> {
  readonly version: Loaded<Document>;
  readonly chars: number;
  /** The kinds, one bit each, whose remembered versions turned out to be old. */
  readonly doubted: number;
}

export class KnownVersions<Document> implements Memory<Document> {
  readonly #kindOf: (document: Document) => number;
  readonly #known = new Map<string, Known<Document>>();
  /** K3, for keys whose version is forgotten. */
  readonly #doubted = new Map<string, number>();
  #chars = 0;

  /** `kindOf` answers a number from 0 to 30. */
  constructor(kindOf: (document: Document) => number = () => 0) {
    this.#kindOf = kindOf;
  }

  recall(key: string): Loaded<Document> | null {
    const known = this.#known.get(key);
    if (known === undefined || (known.doubted & this.#bitOf(known.version)) !== 0) return null;
    return known.version;
  }

  wrote(key: string, version: Loaded<Document>, chars: number): void {
    this.#keep(key, { version, chars, doubted: this.#doubtsOf(key) });
  }

  read(key: string, version: Loaded<Document> | null, chars: number): void {
    if (version === null) {
      this.#drop(key);
      return;
    }
    const before = this.#known.get(key);
    if (before !== undefined && before.version.stamp.sequence > version.stamp.sequence) return;
    let doubted = this.#doubtsOf(key);
    if (before?.version.etag === version.etag) doubted &= ~this.#bitOf(version);
    this.#keep(key, { version, chars, doubted });
  }

  forget(key: string, refused: boolean): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    const doubted = refused ? known.doubted | this.#bitOf(known.version) : known.doubted;
    this.#drop(key);
    if (doubted === 0) return;
    if (this.#doubted.size >= MAX_OBJECTS) this.#doubted.clear();
    this.#doubted.set(key, doubted);
  }

  #bitOf({ value }: Loaded<Document>): number {
    return 1 << this.#kindOf(value);
  }

  #doubtsOf(key: string): number {
    return this.#known.get(key)?.doubted ?? this.#doubted.get(key) ?? 0;
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
