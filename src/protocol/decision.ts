/**
 * What a command decides on a document: the shape of every answer in this folder.
 *
 * A command is a pure function `(document, command, moment) → Decision`. It makes no promise, reads no clock and
 * knows no store. Whoever calls it writes `next` on the condition that the document has not changed.
 */
import type { Failure } from "../vocabulary/errors.ts";

/** When a command is decided. */
export interface Moment {
  /** Wall time of the deciding node, Unix milliseconds. */
  readonly now_ms: number;
  /** The sequence that the document gets if this command writes it. */
  readonly sequence: number;
}

export type Decision<Document, Reply> =
  /** Store `next`; once it is stored, answer `reply`. */
  | {
      readonly kind: "write";
      readonly next: Document;
      readonly reply: Reply;
      /** The sequence that `next` gets; absent: that of the moment. Higher when several commands are written at once. */
      readonly sequence?: number;
      /** Nothing in `next` tells which call wrote it, so a call that may have written it already must not decide anew. */
      readonly unmarked?: true;
    }
  /** Nothing to store: the document already says so. */
  | { readonly kind: "answer"; readonly reply: Reply }
  /** Nothing to store, and the command has no effect, now or ever: as a refusal, but no failure. */
  | { readonly kind: "nothing"; readonly reply: Reply }
  /** The command has no effect, now or ever. */
  | { readonly kind: "refuse"; readonly failure: Failure };

export function write<Document, Reply>(next: Document, reply: Reply): Decision<Document, Reply> {
  return { kind: "write", next, reply };
}

export function answer<Reply>(reply: Reply): Decision<never, Reply> {
  return { kind: "answer", reply };
}

export function nothing<Reply>(reply: Reply): Decision<never, Reply> {
  return { kind: "nothing", reply };
}

export function refuse(failure: Failure): Decision<never, never> {
  return { kind: "refuse", failure };
}
