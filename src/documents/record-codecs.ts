/**
 * Codecs of the objects that are written once: a segment of history, a page of message ids, a blob.
 *
 * C1 of `codec.ts` holds here above all: whoever writes such an object, its text is the same, so that two writers of one
 * object agree by comparing texts.
 */
import { err, ok, type Result } from "../std/result.ts";
import { turnOf, turnText } from "../vocabulary/turn-text.ts";
import { asJson } from "./codec.ts";
import { type Format, open, seal, sealText } from "./envelope.ts";
import {
  type BlobRecord,
  type IdPageRecord,
  isBlobRecord,
  isIdPageRecord,
  isSegmentRecord,
  type SegmentRecord,
} from "./stored-shapes.ts";

export const segmentCodec: RecordCodec<SegmentRecord> = {
  encode: ({ turns, ...owner }) => {
    const rest = JSON.stringify(owner).slice(0, -"}".length);
    return sealText("baton.segment.v1", `${rest},"turns":[${turns.map(turnText).join(",")}]}`);
  },
  decode: (body) => {
    const opened = decodeRecord("baton.segment.v1", body, isSegmentRecord);
    return opened.ok ? ok({ ...opened.value, turns: opened.value.turns.map(turnOf) }) : opened;
  },
};

export const idPageCodec: RecordCodec<IdPageRecord> = {
  encode: (record) => seal("baton.ids.v1", asJson(record)),
  decode: (body) => decodeRecord("baton.ids.v1", body, isIdPageRecord),
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
