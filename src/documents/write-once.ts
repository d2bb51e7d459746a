/**
 * Writing an object that never changes: put if absent, and make sure that this very text is there.
 *
 * Whoever writes it, the text is the same, so it does not matter whose write it was; an object that is there with
 * another text is the caller's to judge.
 */
import { type Etag, IF_ABSENT, type PutCondition } from "../ports/object-store.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { backOff, HINT, type Patience } from "./backoff.ts";
import type { StorePorts } from "./conditional-write.ts";
import { meaningOf } from "./status-table.ts";

/** Another object that was met under the key. */
export interface Other {
  readonly body: string;
  readonly etag: Etag;
}

/** Null: this text is there. */
export async function writeOnce(
  ports: StorePorts,
  key: string,
  body: string,
  condition: PutCondition = IF_ABSENT,
  patience: Patience = HINT,
): Promise<Result<Other | null, Failure>> {
  for (let tried = 0; tried < patience.tries; tried++) {
    const meaning = meaningOf(await ports.store.put(key, body, condition), condition);
    if (meaning.kind === "applied") return ok(null);
    const found = await ports.store.get(key);
    if (found.kind === "ok") return ok(found.body === body ? null : found);
    const waitMs = meaning.kind === "unknown" ? meaning.waitMs : 0;
    if (tried + 1 < patience.tries) await backOff(ports, patience, tried, waitMs);
  }
  const message = `${key} could not be written; it is written later`;
  return err(failure("unavailable", "store_unavailable", message));
}
