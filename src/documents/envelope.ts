/**
 * The envelope of every stored object: its format, a SHA-256 of its payload, and the payload.
 *
 *   {"format":"baton.instance.v1","sha256":"<64 hex>","document":<payload>}
 *
 * The checksum is over the payload's very text, so that reading needs no canonical form. What does not open is
 * `corrupt`: it is reported and left as it is, never overwritten.
 */
import { sha256 } from "../std/hash.ts";
import { type Json, parseJson } from "../std/json.ts";
import { err, ok, type Result } from "../std/result.ts";

export type Format =
  | "baton.instance.v1"
  | "baton.tombstone.v1"
  | "baton.index.v1"
  | "baton.segment.v1"
  | "baton.ids.v1"
  | "baton.blob.v1"
  | "baton.graph.v1";

const CHECKSUM_CHARS = 64;
const CHECKSUM_MARK = `"sha256":"`;
const MIDDLE = `","document":`;

/** The body of an object that holds the payload. */
export function seal(format: Format, payload: Json): string {
  return sealText(format, JSON.stringify(payload));
}

/** The same for a payload that is JSON text already. */
export function sealText(format: Format, text: string): string {
  return `${head(format)}${sha256(text)}${MIDDLE}${text}}`;
}

/** What the body says its checksum is; of no meaning for a body that does not open. */
function statedChecksum(body: string): string {
  const at = checksumAt(body);
  return body.slice(at, at + CHECKSUM_CHARS);
}

/** Where that begins. */
export function checksumAt(body: string): number {
  return body.indexOf(CHECKSUM_MARK) + CHECKSUM_MARK.length;
}

/** The payload, or why the body cannot be trusted. */
export function open(format: Format, body: string): Result<Json, string> {
  const prefix = head(format);
  if (!body.startsWith(prefix)) return err(foreign(format, body));
  const payloadAt = prefix.length + CHECKSUM_CHARS + MIDDLE.length;
  if (!body.startsWith(MIDDLE, prefix.length + CHECKSUM_CHARS) || !body.endsWith("}"))
    return err(`it is not a whole ${format} object`);
  const text = body.slice(payloadAt, -1);
  if (sha256(text) !== statedChecksum(body)) return err("its checksum does not match its content");
  const payload = parseJson(text);
  return payload === undefined ? err("its content is not JSON") : ok(payload);
}

function head(format: Format): string {
  return `{"format":"${format}",${CHECKSUM_MARK}`;
}

/** Whether the body claims to be of that format. */
export function isMarked(format: Format, body: string): boolean {
  return body.startsWith(head(format));
}

function foreign(format: Format, body: string): string {
  if (parseJson(body) === undefined) return "it is not JSON";
  const found = /^\{"format":"([^"]*)"/.exec(body)?.[1];
  return found === undefined
    ? `it does not begin with the format ${format}`
    : `its format is ${found}, not ${format}; was it written by another version?`;
}
