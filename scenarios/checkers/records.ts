/**
 * The stored objects of a run, decoded once for all checkers.
 *
 * Reads the stored format by code of its own, from its published description: a body is
 * `{"format":F,"sha256":H,"document":P}` and H is the SHA-256 of the text P.
 *
 *   D1  a body is parsed at most once in a run; `Decoder` also serves who asks while the run goes on.
 *   D2  what cannot be decoded is kept as `unreadable`; the checkers of the format report it.
 *   D3  versions stand in the order of their chain, so in the order in which the store applied them.
 *   D4  an object is told by its key; what its body says of itself has to agree, or it is unreadable.
 *   D5  each life of an instance is one of its own here, named `order-1`, `order-1@2` and so on, as in the keys of what
 *       belongs to it. `lifelines` has all of them and the tombstones in between, by id.
 *
 * Checksums are computed for history, which is written once, and for the last version of everything else: a wrong
 * one in between would be refused by the next reader, which the checks of progress see.
 */

import type { RunHistory, Version } from "../../sim/index.ts";
import type { IndexEntry, Instance, Tombstone, Turn, WriteStamp } from "../../src/index.ts";
import { sha256 } from "../../src/std/hash.ts";
import { parseJson } from "../../src/std/json.ts";
import { isEntry, isInstance, isObject, isStamp, isTombstone, isTurn } from "./shapes.ts";
import { filledInstance, filledTurn } from "./stored-turn.ts";

/** Where the objects of a graph lie. */
export interface Space {
  readonly tenant: string;
  readonly graph: string;
  readonly epoch: string;
}

export interface Stamped<Value> {
  readonly version: Version;
  readonly stamp: WriteStamp;
  readonly value: Value;
}
export type IdentityVersion = Stamped<Instance>;
export type IndexVersion = Stamped<ReadonlyMap<string, IndexEntry>>;

/** A segment of history, or a page of message ids; `first` is the number in its key. */
export interface HistoryObject<Content> {
  readonly version: Version;
  readonly workflowId: string;
  readonly incarnation: string;
  readonly content: Content;
}
export type SegmentObject = HistoryObject<{ readonly first: number; readonly turns: readonly Turn[] }>;
export type IdPageObject = HistoryObject<{ readonly first: number; readonly marks: string }>;

/** A blob: which value of which life. */
export interface BlobObject {
  readonly version: Version;
  readonly incarnation: string;
}

/** A version of an identity object: an instance as it lives, or the tombstone of the life before. */
export interface LifelineVersion extends Stamped<Instance | Tombstone> {
  readonly deleted: boolean;
}

export interface Unreadable {
  readonly version: Version;
  readonly reason: string;
}

/** Everything that was stored, by kind. */
export interface Records {
  /** By the name of the life (D5). */
  readonly identities: ReadonlyMap<string, readonly IdentityVersion[]>;
  /** By instance id. */
  readonly lifelines: ReadonlyMap<string, readonly LifelineVersion[]>;
  /** Each version of a shard of the scheduling index, by its key. */
  readonly shards: ReadonlyMap<string, readonly IndexVersion[]>;
  /** The whole index as each of these versions left it, in the order of the store. */
  readonly index: readonly IndexVersion[];
  /** By history key: all versions that the key ever had. */
  readonly segments: ReadonlyMap<string, readonly SegmentObject[]>;
  readonly idPages: ReadonlyMap<string, readonly IdPageObject[]>;
  readonly blobs: ReadonlyMap<string, BlobObject>;
  readonly unreadable: readonly Unreadable[];
}

/** Records while they are collected. */
interface Collected {
  readonly identities: Map<string, IdentityVersion[]>;
  readonly lifelines: Map<string, LifelineVersion[]>;
  readonly shards: Map<string, IndexVersion[]>;
  readonly segments: Map<string, SegmentObject[]>;
  readonly idPages: Map<string, IdPageObject[]>;
  readonly blobs: Map<string, BlobObject>;
}

/** Characters of a SHA-256 in hex. */
const HEX_CHARS = 64;
/** The key of one shard of the scheduling index. */
const SHARD = /state\/index\/(\d+)-(\d+)\.json$/;
const AFTER_HASH = '","document":';

export class Decoder {
  /** The prefix of everything that lies in the graph, its other epochs and its head included. */
  readonly #graph: string;
  readonly #namespace: string;
  readonly #damaged: ReadonlySet<string>;
  readonly #identities = new Map<Version, IdentityVersion | null>();

  /** `damaged`: instances whose identity objects were spoiled on purpose; they are left out of the records. */
  constructor(space: Space, damaged: readonly string[] = []) {
    const { tenant, graph, epoch } = space;
    this.#graph = `tenants/${tenant}/graphs/${graph}/branches/main/workflows/v2/`;
    this.#namespace = `${this.#graph}epoch=${epoch}/`;
    this.#damaged = new Set(damaged.map((id) => this.identityKey(id)));
  }

  /** Whether the key is that of another epoch's object, or of the head, which names no epoch. */
  isElsewhere(key: string): boolean {
    if (key.startsWith(this.#namespace)) return false;
    return key === this.headKey() || key.startsWith(`${this.#graph}epoch=`);
  }

  headKey(): string {
    return `${this.#graph}head.json`;
  }
  identityKey(id: string): string {
    return `${this.#namespace}state/instances/${id}.json`;
  }
  /** The object of the scheduling index with the entry of that instance, when it is cut into so many. */
  indexKey(id = "", shards = 1): string {
    if (shards === 1) return `${this.#namespace}state/index.json`;
    return `${this.#namespace}state/index/${shards}-${shardFor(id, shards)}.json`;
  }
  segmentKey(id: string, first: number): string {
    return `${this.#namespace}history/i-${id}/segments/${String(first).padStart(12, "0")}.json`;
  }
  idPageKey(id: string, first: number): string {
    return `${this.#namespace}history/i-${id}/ids/${String(first).padStart(12, "0")}.json`;
  }
  blobKey(id: string, reference: string): string {
    return `${this.#namespace}blobs/i-${id}/${reference.slice("blob:".length)}.json`;
  }

  /** The name of the life that an object beside the identity belongs to, or null. */
  ownerOf(key: string): string | null {
    const name = key.startsWith(this.#namespace) ? key.slice(this.#namespace.length) : "";
    return /^(?:history|blobs)\/i-([^/]+)\//.exec(name)?.[1] ?? null;
  }

  /** D1: the identity in this version, or null when it is none. */
  identity(version: Version): IdentityVersion | null {
    const known = this.#identities.get(version);
    if (known !== undefined) return known;
    const decoded = decodeStamped(version, "baton.instance.v1", readInstance);
    this.#identities.set(version, decoded);
    return decoded;
  }

  decode(history: RunHistory): Records {
    const collected: Collected = {
      identities: new Map(),
      lifelines: new Map(),
      shards: new Map(),
      segments: new Map(),
      idPages: new Map(),
      blobs: new Map(),
    };
    const unreadable: Unreadable[] = [];
    for (const [key, chain] of history.chains) {
      if (this.#damaged.has(key) || this.isElsewhere(key)) continue;
      const name = key.startsWith(this.#namespace) ? key.slice(this.#namespace.length) : key;
      for (const version of chain) {
        const reason = this.#sort(name, version, collected);
        if (reason !== null) unreadable.push({ version, reason });
      }
      const last = chain.at(-1);
      if (last !== undefined && name.startsWith("state/") && !checksumHolds(last))
        unreadable.push({ version: last, reason: "its checksum is not that of its document" });
    }
    return { ...collected, index: wholeIndex(collected.shards), unreadable };
  }

  /** Puts one version where it belongs; answers why it could not. */
  #sort(name: string, version: Version, into: Collected): string | null {
    const beside = name.startsWith("history/i-") || name.startsWith("blobs/i-");
    if (version.body === null) return beside ? null : "it was deleted, and such an object never is";
    if (name.startsWith("state/instances/")) return this.#sortIdentity(name, version, into);
    if (name === "state/index.json" || SHARD.test(name)) {
      const decoded = decodeStamped(version, "baton.index.v1", readEntries);
      if (decoded === null) return "it is no scheduling index in the stored format";
      add(into.shards, version.key, decoded);
      return null;
    }
    if (!beside) return "no object of the engine has such a key";
    if (!checksumHolds(version)) return "its checksum is not that of its document";
    if (name.startsWith("blobs/")) {
      const decoded = decodeBlob(version);
      if (decoded === null) return "it is no blob in the stored format";
      into.blobs.set(version.key, decoded);
      return null;
    }
    const first = Number(/\/(\d+)\.json$/.exec(name)?.[1]);
    if (name.includes("/segments/")) {
      const decoded = decodeSegment(version, first);
      if (decoded === null) return "it is no segment of history in the stored format";
      add(into.segments, version.key, this.#owned(decoded));
      return null;
    }
    const decoded = decodeIdPage(version, first);
    if (decoded === null) return "it is no page of message ids in the stored format";
    add(into.idPages, version.key, this.#owned(decoded));
    return null;
  }

  /** D5: named by its life, when its key and its body agree on the instance. */
  #owned<Content>(object: HistoryObject<Content>): HistoryObject<Content> {
    const owner = this.ownerOf(object.version.key);
    return owner?.startsWith(`${object.workflowId}@`) ? { ...object, workflowId: owner } : object;
  }

  #sortIdentity(name: string, version: Version, into: Collected): string | null {
    const tombstone = decodeStamped(version, "baton.tombstone.v1", (v) => (isTombstone(v) ? v : null));
    const decoded = this.identity(version);
    const found = tombstone ?? decoded;
    if (found === null) return "it is no instance in the stored format";
    const { id, life } = found.value;
    if (`state/instances/${id}.json` !== name) return "it holds an instance of another id";
    const { stamp, value } = found;
    add(into.lifelines, id, { version, stamp, value, deleted: tombstone !== null });
    if (decoded === null) return null;
    const owner = lifeName(id, life);
    add(
      into.identities,
      owner,
      life === 1 ? decoded : { ...decoded, value: { ...decoded.value, id: owner } },
    );
    return null;
  }
}

/** Which shard the entry of an instance belongs to: FNV-1a of its id, 32 bits. */
function shardFor(id: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193) >>> 0;
  return hash % shards;
}

/** Whether the entry of that instance may stand in the object of that key. */
export function isShardOf(key: string, id: string): boolean {
  const [, of, shard] = SHARD.exec(key) ?? [];
  return of === undefined || shardFor(id, Number(of)) === Number(shard);
}

/** The shards laid together after each version of one of them. */
function wholeIndex(shards: ReadonlyMap<string, readonly IndexVersion[]>): readonly IndexVersion[] {
  const [first] = shards.values();
  if (first !== undefined && shards.size === 1) return first;
  const order = (a: IndexVersion, b: IndexVersion) =>
    a.version.atMs - b.version.atMs || a.version.operation.id - b.version.operation.id;
  const latest = new Map<string, IndexVersion>();
  return [...shards.values()]
    .flat()
    .sort(order)
    .map((at) => {
      latest.set(at.version.key, at);
      return { ...at, value: new Map([...latest.values()].flatMap(({ value }) => [...value])) };
    });
}

/** D5. */
export function lifeName(id: string, life: number): string {
  return life === 1 ? id : `${id}@${life}`;
}

/** Appends to the list under a key. */
function add<Item>(to: Map<string, Item[]>, key: string, item: Item): void {
  const items = to.get(key);
  if (items === undefined) to.set(key, [item]);
  else items.push(item);
}

/** The text of the document, or null when the body is not an envelope of that format. */
function documentText(body: string, format: string): string | null {
  const head = `{"format":"${format}","sha256":"`;
  const at = head.length + HEX_CHARS;
  if (!body.startsWith(head) || !body.startsWith(AFTER_HASH, at) || !body.endsWith("}")) return null;
  return body.slice(at + AFTER_HASH.length, -1);
}

/** Whether the body's hash is that of its document; also no, when it is no envelope at all. */
function checksumHolds(version: Version): boolean {
  const body = version.body ?? "";
  const after = body.indexOf(AFTER_HASH);
  if (after < HEX_CHARS) return false;
  return sha256(body.slice(after + AFTER_HASH.length, -1)) === body.slice(after - HEX_CHARS, after);
}

/** A conditionally written object; its payload is the stamp and the value. */
function decodeStamped<Value>(
  version: Version,
  format: string,
  read: (value: unknown) => Value | null,
): Stamped<Value> | null {
  const text = documentText(version.body ?? "", format);
  const document = text === null ? null : parseJson(text);
  if (!isObject(document) || !isStamp(document.stamp)) return null;
  const value = read(document.value);
  return value === null ? null : { version, stamp: document.stamp, value };
}

function readInstance(value: unknown): Instance | null {
  const filled = filledInstance(value);
  return isInstance(filled) ? filled : null;
}

function readEntries(value: unknown): ReadonlyMap<string, IndexEntry> | null {
  if (!isObject(value) || !isObject(value.entries)) return null;
  const entries = new Map<string, IndexEntry>();
  for (const [id, entry] of Object.entries(value.entries)) {
    if (!isEntry(entry)) return null;
    entries.set(id, entry);
  }
  return entries;
}

/** History names the owner beside the content, so that a misplaced object is noticed. */
function decodeSegment(version: Version, first: number): SegmentObject | null {
  const text = documentText(version.body ?? "", "baton.segment.v1");
  const document = text === null ? null : parseJson(text);
  if (!isObject(document) || !Array.isArray(document.turns)) return null;
  const { workflow_id, incarnation } = document;
  const turns: Turn[] = [];
  for (const stored of document.turns) {
    const turn = filledTurn(stored);
    if (!isTurn(turn)) return null;
    turns.push(turn);
  }
  if (typeof workflow_id !== "string" || typeof incarnation !== "string") return null;
  return { version, workflowId: workflow_id, incarnation, content: { first, turns } };
}

function decodeIdPage(version: Version, first: number): IdPageObject | null {
  const text = documentText(version.body ?? "", "baton.ids.v1");
  const document = text === null ? null : parseJson(text);
  if (!isObject(document)) return null;
  const { workflow_id, incarnation, marks } = document;
  if (typeof workflow_id !== "string" || typeof incarnation !== "string") return null;
  if (typeof marks !== "string" || document.first !== first) return null;
  return { version, workflowId: workflow_id, incarnation, content: { first, marks } };
}

/** The head of a graph, in the order of its writes. */
export interface HeadVersion {
  readonly version: Version;
  readonly epoch: number;
  readonly live: boolean;
  readonly erased: boolean;
}

export function headsOf(chain: readonly Version[]): readonly HeadVersion[] {
  const heads: HeadVersion[] = [];
  for (const version of chain) {
    const text = documentText(version.body ?? "", "baton.graph.v1");
    const document = text === null ? null : parseJson(text);
    const value = isObject(document) ? document.value : null;
    if (!isObject(value) || typeof value.epoch !== "number") continue;
    heads.push({ version, epoch: value.epoch, live: value.live === true, erased: value.erased === true });
  }
  return heads;
}

function decodeBlob(version: Version): BlobObject | null {
  const text = documentText(version.body ?? "", "baton.blob.v1");
  const document = text === null ? null : parseJson(text);
  if (!isObject(document) || typeof document.incarnation !== "string") return null;
  return { version, incarnation: document.incarnation };
}
