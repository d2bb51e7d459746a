/**
 * Blob objects: written once before they are named, read by reference, swept when no document can name them any more.
 *
 *   R5  a blob is put for a life that is there, and taken back when that life ended meanwhile.
 *   R6  the sweep lists first and reads the identity after that, and removes only what P91 gives up.
 */

import { IF_ABSENT } from "../ports/object-store.ts";
import { mayBeSwept } from "../protocol/blob-names.ts";
import type { Json } from "../std/json.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Blob, blobReference, readReference } from "../vocabulary/blob.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { CALLER } from "./backoff.ts";
import type { Codecs } from "./codec.ts";
import type { StorePorts } from "./conditional-write.ts";
import { living, notFound } from "./identities.ts";
import type { Keys } from "./keys.ts";
import { readPatiently } from "./patient-read.ts";
import { corrupt } from "./read.ts";
import { blobCodec } from "./record-codecs.ts";
import { listKeys, removeObjects } from "./removal.ts";
import { writeOnce } from "./write-once.ts";

export class BlobObjects {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #codecs: Codecs;

  constructor(ports: StorePorts, keys: Keys, codecs: Codecs) {
    this.#ports = ports;
    this.#keys = keys;
    this.#codecs = codecs;
  }

  /** Writes the value; answers the text that names it. */
  async put(instance: Instance, value: Json): Promise<Result<string, Failure>> {
    const { id: workflow_id, incarnation, next_turn } = instance;
    const reference = blobReference(next_turn, incarnation, this.#ports.ids.next());
    const key = this.#keys.blob(instance, reference);
    const body = blobCodec.encode({ workflow_id, incarnation, value });
    const written = await writeOnce(this.#ports, key, body, IF_ABSENT, CALLER);
    if (!written.ok) return written;
    if (written.value !== null) return err(corrupt(key, "it is there with another content"));
    const now = await this.#now(instance);
    if (!now.ok) return now;
    if (now.value !== null) return ok(reference);
    await removeObjects(this.#ports, [key]);
    return err(notFound(workflow_id));
  }

  async get(instance: Instance, blob: Blob): Promise<Result<Json, Failure>> {
    const key = this.#keys.blob(instance, blob.reference);
    const read = await readPatiently(this.#ports, key, blobCodec, CALLER);
    if (!read.ok) return read;
    const { value } = read;
    if (value === null) {
      const message = `the blob ${blob.reference} of ${instance.id} does not exist`;
      return err(failure("not-found", "blob_not_found", message, "reference"));
    }
    const owned = value.workflow_id === instance.id && value.incarnation === instance.incarnation;
    return owned ? ok(value.value) : err(corrupt(key, "it belongs to another instance"));
  }

  /** Removes the blobs that nothing names and nothing may name any more (R6). */
  async sweep(instance: Instance): Promise<Result<null, Failure>> {
    const prefix = this.#keys.blobs(instance);
    const listed = await listKeys(this.#ports, prefix);
    if (!listed.ok || listed.value.size === 0) return listed.ok ? ok(null) : listed;
    const read = await this.#now(instance);
    if (!read.ok) return read;
    const now = read.value;
    if (now === null) return ok(null);
    const given = [...listed.value.keys()].filter((key) => {
      const blob = readReference(this.#keys.blobReference(instance, key));
      return blob !== null && mayBeSwept(now, blob);
    });
    return removeObjects(this.#ports, given);
  }

  /** The instance as it is now; null when this life of it has ended. */
  async #now(instance: Instance): Promise<Result<Instance | null, Failure>> {
    const key = this.#keys.instance(instance.id);
    const read = await readPatiently(this.#ports, key, this.#codecs.identity, CALLER);
    if (!read.ok) return read;
    const now = living(read.value?.value ?? null);
    return ok(now?.incarnation === instance.incarnation ? now : null);
  }
}
