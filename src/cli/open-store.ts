/**
 * From the text behind `--store` to an object store: the one place that knows which sorts there are.
 *
 *   DIR                       the embedded store in this directory, made when it is not there
 *   s3://bucket/prefix?...    a bucket (`src/adapters/s3`)
 *
 * A text with `scheme://` is never taken for a directory. A refusal is one line that begins with the store's name.
 */
import { resolve } from "node:path";
import { openEmbeddedStore } from "../adapters/embedded/embedded-store.ts";
import type { StoreRefusal } from "../adapters/store-refusal.ts";
import type { ObjectStore } from "../ports/index.ts";
import { err, ok, type Result } from "../std/result.ts";

export interface OpenedStore {
  readonly store: ObjectStore;
  /** For people: where it is, without secrets. */
  readonly name: string;
  /** Finishes the writes that were asked for, and lets go of what the store holds. */
  close(): Promise<void>;
}

/** `folder`: where the user stands; a relative directory is from there. */
export async function openStore(text: string, folder: string): Promise<Result<OpenedStore, StoreRefusal>> {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "s3") return openBucket(text);
  if (scheme !== undefined || text === "") {
    const message = "a store is a directory or s3://bucket/prefix";
    return err({ kind: "invalid", message: `cannot open the store '${text}': ${message}` });
  }
  return openDirectory(resolve(folder, text));
}

async function openDirectory(directory: string): Promise<Result<OpenedStore, StoreRefusal>> {
  const opened = await openEmbeddedStore(directory);
  if (!opened.ok) {
    const { kind, message } = opened.error;
    return err({ kind, message: `cannot open the store in ${directory}: ${message}` });
  }
  const store = opened.value;
  return ok({ store, name: directory, close: () => store.close() });
}

/** The seam for buckets. */
async function openBucket(text: string): Promise<Result<OpenedStore, StoreRefusal>> {
  return err({ kind: "invalid", message: `cannot open the store '${text}': buckets are not built in yet` });
}
