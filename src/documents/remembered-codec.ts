/**
 * A codec that remembers what it has decoded lately: the same body is the same document.
 *
 * A node reads an object again and again, mostly unchanged. This saves the checksum and the parsing of a body that
 * is, byte for byte, one that was just read or written here. It saves no read and decides nothing: a body that
 * differs in anything is decoded. Documents are immutable, so a remembered one may be shared.
 *
 * The oldest is forgotten first; large bodies are never kept.
 */
import { ok } from "../std/result.ts";
import type { Codec, Stamped } from "./codec.ts";

const REMEMBERED = 64;
const LARGEST_CHARS = 64 * 1024;

export function remembered<Document>(codec: Codec<Document>): Codec<Document> {
  const documents = new Map<string, Stamped<Document>>();
  const keep = (body: string, document: Stamped<Document>): void => {
    if (body.length > LARGEST_CHARS) return;
    documents.set(body, document);
    if (documents.size <= REMEMBERED) return;
    for (const oldest of documents.keys()) {
      documents.delete(oldest);
      break;
    }
  };
  return {
    encode(stamp, value) {
      const body = codec.encode(stamp, value);
      keep(body, { stamp, value });
      return body;
    },
    decode(body) {
      const known = documents.get(body);
      if (known !== undefined) return ok(known);
      const decoded = codec.decode(body);
      if (decoded.ok) keep(body, decoded.value);
      return decoded;
    },
  };
}
