/**
 * From the text behind `--store` to an object store: the one place that knows which sorts there are.
 *
 *   DIR                       the embedded store in this directory, made when it is not there
 *   s3://bucket/prefix?...    a bucket (`src/adapters/s3`)
 *
 * A text with `scheme://` is never taken for a directory. A refusal is one line that begins with the store's name.
 */
import { resolve } from "node:path";
import { openEmbeddedStore } from "../../adapters/embedded/embedded-store.ts";
import { withoutSecrets } from "../../adapters/s3/location.ts";
import type { StoreRefusal } from "../../adapters/store-refusal.ts";
import { SYSTEM_IDS, SystemClock } from "../../adapters/system-ports.ts";
import { admitStore, type Manner } from "../../index.ts";
import type { ObjectStore } from "../../ports/index.ts";
import { present } from "../../std/assert.ts";
import { err, ok, type Result } from "../../std/result.ts";

export interface OpenedStore {
  readonly store: ObjectStore;
  /** For people: where it is, without secrets. */
  readonly name: string;
  /** It is this machine's own, and no bucket. */
  readonly isLocal: boolean;
  /** Finishes the writes that were asked for, and lets go of what the store holds. */
  close(): Promise<void>;
}

/** A store that answers, before anybody has asked whether it keeps the contract. */
export interface ReachedStore {
  readonly name: string;
  /** The ways to speak to it, in the order in which they are to be tried. */
  readonly manners: readonly Manner[];
  /** What a finding about the store is true of; null: it is this program's own, and not asked. */
  readonly identity: string | null;
  close(): Promise<void>;
}

/**
 * Opens the store for use. A bucket is let in only when it keeps the contract, which is asked at each opening
 * (`engine/store-admission.ts`). `folder`: where the user stands; a relative directory is from there.
 */
export async function openStore(text: string, folder: string): Promise<Result<OpenedStore, StoreRefusal>> {
  const reached = await reachStore(text, folder);
  if (!reached.ok) return reached;
  const { name, manners, identity, close } = reached.value;
  if (identity === null)
    return ok({ store: present(manners[0], "a manner").store, name, isLocal: true, close });
  const admission = await admitStore({ manners, identity, clock: new SystemClock(), ids: SYSTEM_IDS });
  if (admission.kind === "admitted")
    return ok({ store: admission.manner.store, name, isLocal: false, close });
  await close();
  if (admission.kind === "inconclusive")
    return err({ kind: "unavailable", message: `cannot open the store '${name}': ${admission.why}` });
  const reasons = admission.breaches.map(({ message }) => message).join("; ");
  const more = "`baton store check` tells more";
  return err({ kind: "unsafe", message: `the store '${name}' is not safe to use: ${reasons}; ${more}` });
}

/** Opens the store to look at it. */
export async function reachStore(text: string, folder: string): Promise<Result<ReachedStore, StoreRefusal>> {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "s3") return reachBucket(text);
  if (scheme !== undefined || text === "") {
    const message = "a store is a directory or s3://bucket/prefix";
    return err({ kind: "invalid", message: `cannot open the store '${text}': ${message}` });
  }
  return reachDirectory(resolve(folder, text));
}

async function reachDirectory(directory: string): Promise<Result<ReachedStore, StoreRefusal>> {
  const opened = await openEmbeddedStore(directory);
  if (!opened.ok) {
    const { kind, message } = opened.error;
    return err({ kind, message: `cannot open the store in ${directory}: ${message}` });
  }
  const store = opened.value;
  const manners = [{ name: "embedded", store }];
  return ok({ name: directory, manners, identity: null, close: () => store.close() });
}

/** The adapter is loaded only here: half a second that nobody else has to wait for. */
async function reachBucket(text: string): Promise<Result<ReachedStore, StoreRefusal>> {
  const { openBucketAt } = await import("../../adapters/s3/index.ts");
  const opened = await openBucketAt(text);
  const name = withoutSecrets(text);
  if (!opened.ok)
    return err({ ...opened.error, message: `cannot open the store '${name}': ${opened.error.message}` });
  const { manners, identity, close } = opened.value;
  return ok({ name, manners, identity, close: async () => close() });
}
