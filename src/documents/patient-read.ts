/**
 * Reads that are tried again until the store answers, within a budget.
 */
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { backOff, type Patience } from "./backoff.ts";
import type { StorePorts } from "./conditional-write.ts";
import { readingOf } from "./read.ts";

/** The document under `key`, or null when the store says that there is none. */
export async function readPatiently<T>(
  ports: StorePorts,
  key: string,
  codec: { decode(body: string): Result<T, string> },
  patience: Patience,
): Promise<Result<T | null, Failure>> {
  for (let tried = 0; tried < patience.tries; tried++) {
    const read = readingOf(await ports.store.get(key), key, codec);
    switch (read.kind) {
      case "found":
        return ok(read.document);
      case "absent":
        return ok(null);
      case "corrupt":
        return err(read.failure);
      case "unread":
        if (tried + 1 < patience.tries) await backOff(ports, patience, tried, read.waitMs);
    }
  }
  const message = `${key} could not be read in time; repeat the request after a while`;
  return err(failure("unavailable", "store_unavailable", message));
}
