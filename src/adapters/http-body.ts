/**
 * The body of a request from a socket: read whole, within its limit, as UTF-8 text.
 *
 *   B1  a body that says it is longer than the limit is not read; one that does not say its length is read until it
 *       passes the limit, and no byte further is kept.
 *   B2  a body that breaks off is `gone`: it is never handled as if it were whole.
 */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";

export type ReadBody =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-text" }
  | { readonly kind: "gone" };

/** B1: whether it can be refused by its head alone. */
export function saysTooLarge(incoming: IncomingMessage, limitBytes: number): boolean {
  return Number(incoming.headers["content-length"] ?? 0) > limitBytes;
}

export function readBody(incoming: IncomingMessage, limitBytes: number): Promise<ReadBody> {
  if (saysTooLarge(incoming, limitBytes)) return Promise.resolve({ kind: "too-large" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const end = (body: ReadBody) => {
      incoming.off("data", take);
      incoming.off("end", finish);
      incoming.off("error", breakOff);
      incoming.off("close", breakOff);
      // Whatever else comes is thrown away, and an error of it is nobody's.
      incoming.on("error", () => undefined);
      resolve(body);
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limitBytes) end({ kind: "too-large" });
      else chunks.push(chunk);
    };
    const finish = () => end(textOf(chunks));
    const breakOff = () => end({ kind: "gone" });
    incoming.on("data", take);
    incoming.on("end", finish);
    incoming.on("error", breakOff);
    incoming.on("close", breakOff);
  });
}

function textOf(chunks: readonly Buffer[]): ReadBody {
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  return isUtf8(bytes) ? { kind: "text", text: bytes.toString("utf8") } : { kind: "not-text" };
}
