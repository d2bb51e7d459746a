/**
 * What a turn asks beyond its own steps: work of another instance, another version of its own, work for it later.
 *
 * Each changes one document by one pure command, apart from the start of a child, which changes two.
 *
 * The fence is the protocol's, as for every other call of an attempt (`attempts.ts`). A child is created as its starter
 * might create it: with the starter's rights, within the budget.
 *
 * A child and its parent are two objects, written one after the other (P69, P70). When the child was written and the
 * parent refuses, the call had an effect, so it is not answered as a refusal but as an unknown outcome; the repeat of the
 * request, which finds the child there, hears the refusal.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { Instances } from "../documents/instances.ts";
import type { Keys } from "../documents/keys.ts";
import { turnMissing } from "../protocol/fence.ts";
import { turnNumbered } from "../protocol/inbox.ts";
import { migrate } from "../protocol/migrate.ts";
import { requeue } from "../protocol/requeue.ts";
import { childIdOf, createChild, replyName, startChild } from "../protocol/start-child.ts";
import { turnView } from "../protocol/view.ts";
import { copyJson } from "../std/json.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { MigrateRequest, RequeueRequest, StartChildRequest } from "../vocabulary/requests.ts";
import type { RequeueView, TurnView } from "../vocabulary/view.ts";
import type { Access } from "./access.ts";
import type { Budgets } from "./budgets.ts";
import type { Changes } from "./changes.ts";
import type { Reply } from "./engine.ts";
import { checkMigrate, checkRequeue, checkStartChild } from "./family-check.ts";
import type { Parts } from "./parts.ts";

export class Families {
  readonly #ports: StorePorts;
  readonly #keys: Keys;
  readonly #instances: Instances;
  readonly #changes: Changes;
  readonly #access: Access;
  readonly #budgets: Budgets;

  constructor({ ports, keys, instances, budgets }: Parts, changes: Changes, access: Access) {
    this.#ports = ports;
    this.#keys = keys;
    this.#instances = instances;
    this.#budgets = budgets;
    this.#changes = changes;
    this.#access = access;
  }

  /** Looks at the fence, creates the child, lets the parent wait. */
  async startChild(request: StartChildRequest): Reply<TurnView> {
    const wrong = checkStartChild(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, message: copyJson(request.message), state: copyJson(request.state ?? null) };
    const { effectScope } = this.#keys;
    const loaded = await this.#instances.load(own.workflow_id);
    if (!loaded.ok) return loaded;
    const { value: parent, stamp } = loaded.value;
    const forbidden = this.#access.write(parent);
    if (forbidden !== null) return err(forbidden);
    const moment = { now_ms: this.#ports.clock.wallMs(), sequence: stamp.sequence + 1 };
    const look = startChild(parent, own, effectScope, moment);
    if (look.kind === "refuse") return err(look.failure);
    if (look.kind !== "write") return ok(turnView(own.workflow_id, look.reply));
    // A reply that has come already is proof enough of the child, which may be gone by now.
    const created = look.reply.status === "waiting" ? await this.#create(parent, own) : ok({ wrote: false });
    if (!created.ok) return created;
    const waits = await this.#changes.turn(own.workflow_id, (instance, now) =>
      startChild(instance, own, effectScope, now),
    );
    if (waits.ok || !created.value.wrote || waits.error.kind === "corrupt") return waits;
    const message = `the child of step ${own.key} was started, and its parent did not wait: ${waits.error.message}; repeat the same request`;
    return err(failure("unknown-outcome", "child_started", message));
  }

  /** The incarnation is drawn once for the call: a write that is sent again makes the same life. */
  async #create(
    parent: Instance,
    request: StartChildRequest,
  ): Promise<Result<{ readonly wrote: boolean }, Failure>> {
    const turn = turnNumbered(parent, request.turn);
    if (turn === null) return err(turnMissing(parent, request));
    const id = childIdOf(parent, turn, request.key, this.#keys.effectScope);
    const { id: workflow_id, incarnation } = parent;
    const replyTo = { workflow_id, incarnation, turn: turn.number, name: replyName(request.key) };
    const forbidden = this.#access.create({ id, workflow_type: request.workflow_type });
    if (forbidden !== null) return err(forbidden);
    const life = this.#ports.ids.next();
    const room = await this.#budgets.room();
    const settled = await this.#instances.create(id, (child, moment) =>
      room.toCreate(createChild(child, id, request, replyTo, life, moment)),
    );
    if (settled.ok && settled.value.wrote) this.#changes.newWork(request);
    return settled;
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
    const room = await this.#budgets.room();
    const settled = await this.#changes.instance(request.workflow_id, (instance, moment) =>
      room.toAdmit(requeue(instance, own, moment)),
    );
    return settled.ok ? ok(settled.value.reply) : settled;
  }
}
