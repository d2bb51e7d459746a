/**
 * What a person asks to end a life: delete an instance.
 */
import type { Instances } from "../documents/instances.ts";
import { err, ok } from "../std/result.ts";
import type { DeleteRequest } from "../vocabulary/requests.ts";
import type { DeletionView } from "../vocabulary/view.ts";
import type { Access } from "./access.ts";
import type { Claims } from "./claims.ts";
import type { Reply } from "./engine.ts";
import { checkName } from "./field-check.ts";
import type { Parts } from "./parts.ts";

export class Deletions {
  readonly #instances: Instances;
  readonly #claims: Claims;
  readonly #access: Access;

  constructor({ instances, claims }: Parts, access: Access) {
    this.#instances = instances;
    this.#claims = claims;
    this.#access = access;
  }

  async delete(request: DeleteRequest): Reply<DeletionView> {
    const wrong = checkName(request.workflow_id, "workflow_id");
    if (wrong !== null) return err(wrong);
    const deleted = await this.#instances.delete(request.workflow_id, (instance) =>
      this.#access.manage(instance),
    );
    if (!deleted.ok) return deleted;
    if (deleted.value) this.#claims.forget();
    return ok({ deleted: deleted.value });
  }
}
