/**
 * The one status table: what each answer to a conditional write means, for every write of the engine.
 *
 *   answer                     create (if-absent)     update (if-match)
 *   ok                         applied                applied
 *   412                        refused                refused
 *   404                        unknown                refused: the key is gone
 *   409                        unknown                unknown
 *   429, 503                   unknown                unknown
 *   reset, time-out, 5xx       unknown                unknown
 *
 * `refused` is not yet a loss: a layer below may have sent the request twice and met its own write. So a read that
 * looks for the own write id follows it (catalogue B01-B05, part 4). Both are settled in `conditional-write.ts`.
 */
import type { PutCondition, PutOutcome } from "../ports/object-store.ts";

/** A store that asks to slow down and does not say by how much is left alone for this long (catalogue B28, B29). */
export const SLOW_DOWN_MS = 250;

export type Meaning =
  | { readonly kind: "applied"; readonly etag: string }
  | { readonly kind: "refused" }
  /** It may have happened, or may still happen. Wait at least `waitMs`, then read. */
  | { readonly kind: "unknown"; readonly waitMs: number };

export function meaningOf(outcome: PutOutcome, condition: PutCondition): Meaning {
  switch (outcome.kind) {
    case "ok":
      return { kind: "applied", etag: outcome.etag };
    case "precondition-failed":
      return { kind: "refused" };
    case "not-found":
      return condition.kind === "if-match" ? { kind: "refused" } : { kind: "unknown", waitMs: 0 };
    case "conflict":
    case "unknown-outcome":
      return { kind: "unknown", waitMs: 0 };
    case "throttled":
      return { kind: "unknown", waitMs: outcome.retryAfterMs ?? SLOW_DOWN_MS };
  }
}
