/**
 * Reads that are tried again until the store answers, within a budget. That an object is absent is the store's own word;
 * no answer is none.
 *
 * Does not own what is done with what was read.
 */
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { backOff, type Patience } from "./backoff.ts";
import type { Codec, Stamped } from "./codec.ts";
import { type Memory, remembering, type StorePorts } from "./conditional-write.ts";
import { type Read, readingOf } from "./read.ts";

/** The document under `key`, or null when the store says that there is none. */
export function readPatiently<T>(
  ports: StorePorts,
  key: string,
  codec: { decode(body: string): Result<T, string> },
  patience: Patience,
): Promise<Result<T | null, Failure>> {
  return tried(ports, key, patience, async () => readingOf(await ports.store.get(key), key, codec));
}

/** The same for a document that is written on a condition: a write that follows can go out on what was read. */
export function readRemembering<T>(
  ports: StorePorts,
  key: string,
  codec: Codec<T>,
  patience: Patience,
  memory: Memory<T>,
): Promise<Result<Stamped<T> | null, Failure>> {
  return tried(ports, key, patience, async () => remembering(key, await ports.store.get(key), codec, memory));
}

async function tried<T>(
  ports: StorePorts,
  key: string,
  patience: Patience,
  look: () => Promise<Read<T>>,
): Promise<Result<T | null, Failure>> {
  for (let tries = 0; tries < patience.tries; tries++) {
    const read = await look();
    switch (read.kind) {
      case "found":
        return ok(read.document);
      case "absent":
        return ok(null);
      case "corrupt":
        return err(read.failure);
      case "unread":
        if (tries + 1 < patience.tries) await backOff(ports, patience, tries, read.waitMs);
    }
  }
  const message = `${key} could not be read in time; repeat the request after a while`;
  return err(failure("unavailable", "store_unavailable", message));
}
