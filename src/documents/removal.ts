/**
 * Removing objects that nobody reads any more, and listing the keys under a prefix to find them.
 *
 *   R1  only a key that is never written again is ever removed: an unconditional delete, and one that lands late, can
 *       then take nothing that counts (catalogue B31, B48).
 *   R2  gone means that the store said so. What it did not confirm is left for the next try.
 */
import type { ListCursor } from "../ports/object-store.ts";
import { NO_CONDITION } from "../ports/object-store.ts";
import { inParallel } from "../std/parallel.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { backOff, HINT } from "./backoff.ts";
import type { StorePorts } from "./conditional-write.ts";
import { SLOW_DOWN_MS } from "./status-table.ts";

/** Requests of one removal at a time. */
const AT_ONCE = 16;
const PAGE = 1_000;

/** Removes the objects; fails when one of them may still be there. */
export async function removeObjects(
  ports: StorePorts,
  keys: readonly string[],
): Promise<Result<null, Failure>> {
  const removed = await inParallel(keys, AT_ONCE, (key) => removeObject(ports, key));
  return removed.find((one) => !one.ok) ?? ok(null);
}

async function removeObject(ports: StorePorts, key: string): Promise<Result<null, Failure>> {
  for (let tried = 0; tried < HINT.tries; tried++) {
    const outcome = await ports.store.delete(key, NO_CONDITION);
    if (outcome.kind === "ok" || outcome.kind === "not-found") return ok(null);
    const waitMs = outcome.kind === "throttled" ? (outcome.retryAfterMs ?? SLOW_DOWN_MS) : 0;
    if (tried + 1 < HINT.tries) await backOff(ports, HINT, tried, waitMs);
  }
  return err(failure("unavailable", "store_unavailable", `${key} could not be removed; it is removed later`));
}

/** Every key with the prefix that the store's listing shows, each once, with its etag. */
export async function listKeys(
  ports: StorePorts,
  prefix: string,
): Promise<Result<ReadonlyMap<string, string>, Failure>> {
  const found = new Map<string, string>();
  const cursors = new Set<ListCursor>();
  let cursor: ListCursor | null = null;
  do {
    const page = await ports.store.list({ prefix, cursor, limit: PAGE });
    if (page.kind !== "ok") return err(unlisted(prefix));
    for (const { key, etag } of page.entries) found.set(key, etag);
    cursor = page.next;
    if (cursor !== null && cursors.has(cursor)) return err(endless(prefix));
    if (cursor !== null) cursors.add(cursor);
  } while (cursor !== null);
  return ok(found);
}

function unlisted(prefix: string): Failure {
  const message = `the objects under ${prefix} could not be listed; repeat the request after a while`;
  return failure("unavailable", "store_unavailable", message);
}

function endless(prefix: string): Failure {
  const message = `the store's listing of ${prefix} came back to where it had been; check the store`;
  return failure("unavailable", "list_endless", message);
}
