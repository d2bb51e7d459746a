/**
 * What a turn asks beyond its own steps: another version for its instance, and work for it later.
 *
 * The fence is the protocol's, as for every other call of an attempt (`attempts.ts`).
 */
import { migrate } from "../protocol/migrate.ts";
import { requeue } from "../protocol/requeue.ts";
import { copyJson } from "../std/json.ts";
import { err, ok } from "../std/result.ts";
import type { MigrateRequest, RequeueRequest } from "../vocabulary/requests.ts";
import type { RequeueView, TurnView } from "../vocabulary/view.ts";
import type { Changes } from "./changes.ts";
import type { Reply } from "./engine.ts";
import { checkMigrate, checkRequeue } from "./family-check.ts";

export class Families {
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  async migrate(request: MigrateRequest): Reply<TurnView> {
    const wrong = checkMigrate(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, state: copyJson(request.state) };
    return this.#changes.turn(request.workflow_id, (instance, moment) => migrate(instance, own, moment));
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
