/**
 * Codecs: the four kinds of stored objects to text and back.
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
import type { IndexEntry, SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { turnText } from "../vocabulary/turn-text.ts";
import { type Format, open, seal, sealText } from "./envelope.ts";

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

/** The identity object: the instance as it is, nothing left out. */
export const instanceCodec: Codec<Instance> = {
  encode: (stamp, { turns, ...rest }) => {
    const open = JSON.stringify({ stamp, value: rest }).slice(0, -"}}".length);
    return sealText("baton.instance.v1", `${open},"turns":[${turns.map(turnText).join(",")}]}}`);
  },
  decode: (body) => decodeStamped("baton.instance.v1", body, isInstance),
};

/** The codecs of the objects that are written again and again. */
export interface Codecs {
  readonly instance: Codec<Instance>;
  readonly index: Codec<SchedulingIndex>;
}

/** The index is stored as an object of entries; in memory it is a map. */
export const indexCodec: Codec<SchedulingIndex> = {
  encode: (stamp, value) =>
    seal("baton.index.v1", asJson({ stamp, value: { entries: Object.fromEntries(value) } })),
  decode: (body) => {
    const opened = decodeStamped("baton.index.v1", body, isIndex);
    if (!opened.ok) return opened;
    const { stamp, value } = opened.value;
    return ok({ stamp, value: new Map(Object.entries(value.entries)) });
  },
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

export const turnCodec = recordCodec<TurnRecord>("baton.turn.v1", isTurnRecord);
export const messageCodec = recordCodec<MessageRecord>("baton.message.v1", isMessageRecord);

export interface RecordCodec<T> {
  encode(record: T): string;
  decode(body: string): Result<T, string>;
}

function recordCodec<T>(format: Format, guard: (value: unknown) => value is T): RecordCodec<T> {
  return {
    encode: (record) => seal(format, asJson(record)),
    decode: (body) => {
      const opened = open(format, body);
      if (!opened.ok) return opened;
      const payload: unknown = opened.value;
      return guard(payload) ? ok(payload) : err("its fields are not those of its format");
    },
  };
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

function isInstance(value: unknown): value is Instance {
  return (
    isRecord(value) &&
    typeof value.id === "string" &&
    typeof value.incarnation === "string" &&
    Number.isSafeInteger(value.next_turn) &&
    Number.isSafeInteger(value.history_through) &&
    Array.isArray(value.turns) &&
    value.turns.every(isTurn)
  );
}

function isTurn(value: unknown): value is Turn {
  return (
    isRecord(value) &&
    Number.isSafeInteger(value.number) &&
    typeof value.message_id === "string" &&
    typeof value.status === "string" &&
    Array.isArray(value.steps)
  );
}

function isIndex(value: unknown): value is { readonly entries: { readonly [id: string]: IndexEntry } } {
  return isRecord(value) && isRecord(value.entries) && Object.values(value.entries).every(isEntry);
}

function isEntry(value: unknown): value is IndexEntry {
  return isRecord(value) && Number.isSafeInteger(value.sequence);
}

function isTurnRecord(value: unknown): value is TurnRecord {
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
