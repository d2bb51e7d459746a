/**
 * One read of one object. Absence is concluded only from the store's own "not found" (catalogue I21).
 */
import type { Etag, GetOutcome } from "../ports/object-store.ts";
import type { Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { SLOW_DOWN_MS } from "./status-table.ts";

export type Read<T> =
  | { readonly kind: "found"; readonly document: T; readonly etag: Etag }
  | { readonly kind: "absent" }
  /** No usable answer; try again after at least `waitMs`. */
  | { readonly kind: "unread"; readonly waitMs: number }
  | { readonly kind: "corrupt"; readonly failure: Failure };

/** What the store's answer to a get of `key` says, decoded. */
export function readingOf<T>(
  outcome: GetOutcome,
  key: string,
  codec: { decode(body: string): Result<T, string> },
): Read<T> {
  switch (outcome.kind) {
    case "ok": {
      const opened = codec.decode(outcome.body);
      if (!opened.ok) return { kind: "corrupt", failure: corrupt(key, opened.error) };
      return { kind: "found", document: opened.value, etag: outcome.etag };
    }
    case "not-found":
      return { kind: "absent" };
    case "throttled":
      return { kind: "unread", waitMs: outcome.retryAfterMs ?? SLOW_DOWN_MS };
    case "unknown-outcome":
      return { kind: "unread", waitMs: 0 };
  }
}

/** An object that cannot be trusted. It is left for a person to look at. */
export function corrupt(key: string, why: string): Failure {
  const message = `the object ${key} cannot be used: ${why}. It was left as it is; restore or remove it`;
  return failure("corrupt", "object_corrupt", message);
}
