/**
 * Blobs as callers see them: put a large value, get it by the text that names it.
 *
 * A blob is put before the step that names it is saved, so a saved name always has its value. Who never names what it
 * put leaves it to the sweep (`documents/blob-objects.ts`, P90 to P92).
 */
import type { BlobObjects } from "../documents/blob-objects.ts";
import type { Instances } from "../documents/instances.ts";
import { copyJson } from "../std/json.ts";
import { err, ok } from "../std/result.ts";
import { blobMark, readReference } from "../vocabulary/blob.ts";
import { failure } from "../vocabulary/errors.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { PutBlobRequest } from "../vocabulary/requests.ts";
import type { BlobReferenceView, BlobView } from "../vocabulary/view.ts";
import type { Access } from "./access.ts";
import type { Reply } from "./engine.ts";
import { checkName, checkValue } from "./field-check.ts";
import type { Parts } from "./parts.ts";

export class Blobs {
  readonly #instances: Instances;
  readonly #objects: BlobObjects;
  readonly #access: Access;

  constructor({ instances, blobs }: Parts, access: Access) {
    this.#instances = instances;
    this.#objects = blobs;
    this.#access = access;
  }

  async put(request: PutBlobRequest): Reply<BlobReferenceView> {
    const { workflow_id } = request;
    const wrong =
      checkName(workflow_id, "workflow_id") ?? checkValue(request.value, "value", LIMITS.blobBytes);
    if (wrong !== null) return err(wrong);
    const value = copyJson(request.value);
    const loaded = await this.#instances.load(workflow_id);
    if (!loaded.ok) return loaded;
    const refused = this.#access.write(loaded.value.value);
    if (refused !== null) return err(refused);
    const put = await this.#objects.put(loaded.value.value, value);
    return put.ok ? ok({ workflow_id, reference: put.value }) : put;
  }

  async get(workflowId: string, reference: string): Reply<BlobView> {
    const wrong = checkName(workflowId, "workflow_id");
    if (wrong !== null) return err(wrong);
    const blob = typeof reference === "string" ? readReference(reference) : null;
    if (blob === null)
      return err(failure("invalid", "invalid_reference", "reference must name a blob", "reference"));
    const loaded = await this.#instances.load(workflowId);
    if (!loaded.ok) return loaded;
    const instance = loaded.value.value;
    if (blob.mark !== blobMark(instance.incarnation)) {
      const message = `the blob ${blob.reference} does not belong to ${workflowId} as it lives now`;
      return err(failure("not-found", "blob_not_found", message, "reference"));
    }
    const value = await this.#objects.get(instance, blob);
    return value.ok ? ok({ workflow_id: workflowId, reference, value: value.value }) : value;
  }
}
