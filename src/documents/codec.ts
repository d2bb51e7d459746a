/**
 * Codecs of the objects that are written again and again: identities, the scheduling index, the head of a graph. Those
 * of objects that are written once are in `record-codecs.ts`.
 *
 *   C1  what was encoded decodes to an equal document, and encodes to the same text again, whoever does it: history
 *       objects are compared as texts.
 *   C2  no key means anything to the code: `__proto__` is an id like any other.
 *   C3  a body that does not decode is named with its reason and never mended.
 *
 * What is looked at in a payload: `stored-shapes.ts`. How a body begins and ends, and its checksum: `envelope.ts`.
 */
import { isJsonObject, type Json } from "../std/json.ts";
import { err, ok, type Result } from "../std/result.ts";
import type { GraphHead } from "../vocabulary/graph-head.ts";
import type { SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance, WriteStamp } from "../vocabulary/instance.ts";
import { instanceOf, instanceText, shapedInstance } from "../vocabulary/instance-text.ts";
import { type Identity, isTombstone } from "../vocabulary/tombstone.ts";
import { turnOf, turnText } from "../vocabulary/turn-text.ts";
import { type Format, isMarked, open, seal, sealText } from "./envelope.ts";
import { isGraphHead, isIndex, isInstance, isStamp, isStoredTombstone } from "./stored-shapes.ts";

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
  return isTombstone(identity) ? identity : shapedInstance(identity);
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

/** A document as JSON. */
export function asJson(value: unknown): Json {
  return value as Json; // documents hold JSON values only; an interface type has no index signature to show it
}
