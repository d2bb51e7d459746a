/**
 * A codec that remembers what it has decoded lately: the same body is the same document.
 *
 * An object is read again and again, mostly unchanged. This saves the checksum and the parsing of a body that is,
 * byte for byte, one that was just decoded or encoded. It saves no read and decides nothing: the memory of a pure
 * function, which the nodes of a process may share. Documents are immutable, so a remembered one may be shared too.
 *
 * Bodies are found by the checksum that they state and then compared whole. The oldest is forgotten first; large
 * ones are never kept.
 */
import { ok } from "../std/result.ts";
import type { Codec, Stamped } from "./codec.ts";
import { statedChecksum } from "./envelope.ts";

const REMEMBERED = 128;
const LARGEST_CHARS = 64 * 1024;

interface Remembered<Document> {
  readonly body: string;
  readonly document: Stamped<Document>;
}

export function remembered<Document>(codec: Codec<Document>): Codec<Document> {
  const known = new Map<string, Remembered<Document>>();
  const keep = (checksum: string, body: string, document: Stamped<Document>): void => {
    if (body.length > LARGEST_CHARS) return;
    known.set(checksum, { body, document });
    if (known.size <= REMEMBERED) return;
    for (const oldest of known.keys()) {
      known.delete(oldest);
      break;
    }
  };
  return {
    encode(stamp, value) {
      const body = codec.encode(stamp, value);
      keep(statedChecksum(body), body, { stamp, value });
      return body;
    },
    decode(body) {
      const checksum = statedChecksum(body);
      const entry = known.get(checksum);
      if (entry !== undefined && entry.body === body) return ok(entry.document);
      const decoded = codec.decode(body);
      if (decoded.ok) keep(checksum, body, decoded.value);
      return decoded;
    },
  };
}
