/**
 * What a turn asks beyond its own steps: work for its own instance later.
 *
 * The fence is the protocol's, as for every other call of an attempt (`attempts.ts`).
 */
import { requeue } from "../protocol/requeue.ts";
import { copyJson } from "../std/json.ts";
import { err, ok } from "../std/result.ts";
import type { RequeueRequest } from "../vocabulary/requests.ts";
import type { RequeueView } from "../vocabulary/view.ts";
import type { Changes } from "./changes.ts";
import type { Reply } from "./engine.ts";
import { checkRequeue } from "./family-check.ts";

export class Families {
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  async requeue(request: RequeueRequest): Reply<RequeueView> {
    const wrong = checkRequeue(request);
    if (wrong !== null) return err(wrong);
    const { message } = request;
    const own = {
      ...request,
      instances: request.instances.map(({ instance, error }) => ({ instance, error })),
      ...(message === undefined ? {} : { message: copyJson(message) }),
    };
    const settled = await this.#changes.instance(request.workflow_id, (instance, moment) =>
      requeue(instance, own, moment),
    );
    return settled.ok ? ok(settled.value.reply) : settled;
  }
}
