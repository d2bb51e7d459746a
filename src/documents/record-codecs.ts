/**
 * Codecs of the objects that are written once: a turn in history, a record of the message-ID index, a blob.
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
  isBlobRecord,
  isMessageRecord,
  isTurnRecord,
  type MessageRecord,
  type TurnRecord,
} from "./stored-shapes.ts";

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
