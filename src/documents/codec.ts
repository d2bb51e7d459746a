/**
 * Codecs: the kinds of stored objects to text and back.
 *
 *   C1  what was encoded decodes to an equal document, and encodes to the same text again, whoever does it: history
 *       objects are compared as texts.
 *   C2  no key means anything to the code: `__proto__` is an id like any other.
 *   C3  a body that does not decode is named with its reason and never mended.
 *
 * A body that passes its checksum was written by this code, so decoding checks the fields that tell formats and
 * owners apart, not each value again. Whether a document belongs under its key is checked by those who know the key.
 */
import { isJsonObject, type Json } from "../std/json.ts";
import { err, ok, type Result } from "../std/result.ts";
import type { GraphHead } from "../vocabulary/graph-head.ts";
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import { instanceOf, instanceText, type StoredInstance } from "../vocabulary/instance-text.ts";
import { type Identity, isTombstone, type Tombstone } from "../vocabulary/tombstone.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { type StoredTurn, turnOf, turnText } from "../vocabulary/turn-text.ts";
import { type Format, isMarked, open, seal, sealText } from "./envelope.ts";

/** A document that is written on a condition, with its stamp. */
export interface Stamped<Document> {
  readonly stamp: WriteStamp;
  readonly value: Document;
}

export interface Codec<Document> {
  encode(stamp: WriteStamp, value: Document): string;
  /** The document, or why the body cannot be trusted. */
  decode(body: string): Result<Stamped<Document>, string>;
}

/** The identity object: the instance as it is stored (`vocabulary/instance-text.ts`). */
export const instanceCodec: Codec<Instance> = {
  encode: (stamp, instance) => {
    const rest = instanceText(instance).slice(0, -"}".length);
    const turns = instance.turns.map(turnText).join(",");
    const text = `{"stamp":${JSON.stringify(stamp)},"value":${rest},"turns":[${turns}]}}`;
    return sealText("baton.instance.v1", text);
  },
  decode: (body) => {
    const opened = decodeStamped("baton.instance.v1", body, isInstance);
    if (!opened.ok) return opened;
    const { stamp, value } = opened.value;
    return ok({ stamp, value: instanceOf(value, value.turns.map(turnOf)) });
  },
};

/** What an identity object holds: an instance, or what was left of one when it was deleted. */
export const identityCodec: Codec<Identity> = {
  encode: (stamp, value) =>
    isTombstone(value)
      ? seal("baton.tombstone.v1", asJson({ stamp, value }))
      : instanceCodec.encode(stamp, value),
  decode: (body) =>
    isMarked("baton.tombstone.v1", body)
      ? decodeStamped("baton.tombstone.v1", body, isStoredTombstone)
      : instanceCodec.decode(body),
};

/** The same document; an instance of the one shape that read ones have. */
export function shapedIdentity(identity: Identity): Identity {
  return isTombstone(identity) ? identity : instanceOf(identity, identity.turns);
}

/** The codecs of the objects that are written again and again. */
export interface Codecs {
  readonly identity: Codec<Identity>;
  readonly index: Codec<IndexDocument>;
}

/** The scheduling index as it is stored. */
export interface IndexDocument {
  readonly entries: SchedulingIndex;
  /** Instances whose entries were removed lately, with the sequence of the tombstone that did it. */
  readonly removed: ReadonlyMap<string, number>;
}

/** The index is stored as objects by id; in memory they are maps. */
export const indexCodec: Codec<IndexDocument> = {
  encode: (stamp, { entries, removed }) => {
    const value = { entries: Object.fromEntries(entries), removed: Object.fromEntries(removed) };
    return seal("baton.index.v1", asJson({ stamp, value }));
  },
  decode: (body) => {
    const opened = decodeStamped("baton.index.v1", body, isIndex);
    if (!opened.ok) return opened;
    const { stamp, value } = opened.value;
    const entries = new Map(Object.entries(value.entries));
    return ok({ stamp, value: { entries, removed: new Map(Object.entries(value.removed ?? {})) } });
  },
};

export const graphCodec: Codec<GraphHead> = {
  encode: (stamp, value) => seal("baton.graph.v1", asJson({ stamp, value })),
  decode: (body) => decodeStamped("baton.graph.v1", body, isGraphHead),
};

/** A turn in history. The same turn always has the same text, whoever moves it. */
export interface TurnRecord {
  readonly workflow_id: string;
  readonly incarnation: string;
  readonly turn: Turn;
}

/** Which turn a message became. */
export interface MessageRecord {
  readonly workflow_id: string;
  readonly incarnation: string;
  readonly message_id: string;
  readonly turn: number;
}

/** A value too large for its document. */
export interface BlobRecord {
  readonly workflow_id: string;
  readonly incarnation: string;
  readonly value: Json;
}

export const turnCodec: RecordCodec<TurnRecord> = {
  encode: ({ turn, ...owner }) =>
    sealText("baton.turn.v1", `${JSON.stringify(owner).slice(0, -"}".length)},"turn":${turnText(turn)}}`),
  decode: (body) => {
    const opened = decodeRecord("baton.turn.v1", body, isTurnRecord);
    return opened.ok ? ok({ ...opened.value, turn: turnOf(opened.value.turn) }) : opened;
  },
};

export const messageCodec: RecordCodec<MessageRecord> = {
  encode: (record) => seal("baton.message.v1", asJson(record)),
  decode: (body) => decodeRecord("baton.message.v1", body, isMessageRecord),
};

export const blobCodec: RecordCodec<BlobRecord> = {
  encode: (record) => seal("baton.blob.v1", asJson(record)),
  decode: (body) => decodeRecord("baton.blob.v1", body, isBlobRecord),
};

export interface RecordCodec<T> {
  encode(record: T): string;
  decode(body: string): Result<T, string>;
}

function decodeRecord<T>(
  format: Format,
  body: string,
  guard: (value: unknown) => value is T,
): Result<T, string> {
  const opened = open(format, body);
  if (!opened.ok) return opened;
  const payload: unknown = opened.value;
  return guard(payload) ? ok(payload) : err("its fields are not those of its format");
}

function decodeStamped<T>(
  format: Format,
  body: string,
  guard: (value: unknown) => value is T,
): Result<Stamped<T>, string> {
  const opened = open(format, body);
  if (!opened.ok) return opened;
  const payload = opened.value;
  if (!isJsonObject(payload)) return err("its fields are not those of its format");
  const stamp: unknown = payload.stamp;
  const value: unknown = payload.value;
  return isStamp(stamp) && guard(value)
    ? ok({ stamp, value })
    : err("its fields are not those of its format");
}

function asJson(value: unknown): Json {
  return value as Json; // documents hold JSON values only; an interface type has no index signature to show it
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStamp(value: unknown): value is WriteStamp {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.sequence) &&
    typeof value.write_id === "string" &&
    Array.isArray(value.lineage)
  );
}

function isInstance(value: unknown): value is StoredInstance {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    typeof value.incarnation === "string" &&
    Number.isSafeInteger(value.next_turn) &&
    Array.isArray(value.turns) &&
    value.turns.every(isTurn)
  );
}

function isTurn(value: unknown): value is StoredTurn {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.number) &&
    typeof value.message_id === "string" &&
    typeof value.status === "string" &&
    (value.steps === undefined || Array.isArray(value.steps))
  );
}

function isStoredTombstone(value: unknown): value is Tombstone {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    Number.isSafeInteger(value.life) &&
    Number.isSafeInteger(value.deleted_at_ms) &&
    Number.isSafeInteger(value.turns_through) &&
    Number.isSafeInteger(value.erased_through) &&
    typeof value.erased === "boolean"
  );
}

interface StoredIndex {
  readonly entries: { readonly [id: string]: IndexEntry };
  /** Absent: none. */
  readonly removed?: { readonly [id: string]: number };
}

function isIndex(value: unknown): value is StoredIndex {
  return (
    isRecord(value) &&
    isRecord(value.entries) &&
    Object.values(value.entries).every(isEntry) &&
    (value.removed === undefined ||
      (isRecord(value.removed) && Object.values(value.removed).every(Number.isSafeInteger)))
  );
}

function isEntry(value: unknown): value is IndexEntry {
  return isRecord(value) && Number.isSafeInteger(value.sequence);
}

function isTurnRecord(value: unknown): value is Omit<TurnRecord, "turn"> & { readonly turn: StoredTurn } {
  return (
    isRecord(value) &&
    typeof value.workflow_id === "string" &&
    typeof value.incarnation === "string" &&
    isTurn(value.turn)
  );
}

function isMessageRecord(value: unknown): value is MessageRecord {
  return (
    isRecord(value) &&
    typeof value.workflow_id === "string" &&
    typeof value.incarnation === "string" &&
    typeof value.message_id === "string" &&
    Number.isSafeInteger(value.turn)
  );
}

function isBlobRecord(value: unknown): value is BlobRecord {
  return (
    isRecord(value) &&
    typeof value.workflow_id === "string" &&
    typeof value.incarnation === "string" &&
    value.value !== undefined
  );
}

function isGraphHead(value: unknown): value is GraphHead {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.epoch) &&
    typeof value.live === "boolean" &&
    typeof value.erased === "boolean"
  );
}
