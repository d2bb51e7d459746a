/**
 * What the worker of an attempt asks about its turn: each call is checked, copied, decided and shown.
 *
 * The fence is the protocol's. Calls about a turn that has moved to history are fenced, apart from the exact repeat of
 * its completion, which is answered as long as the turn is kept.
 *
 * Values are copied before the first wait, so that a caller that goes on with its objects changes no document. What a
 * request is made of beyond its values (names, numbers, tokens) cannot be changed under way.
 *
 * Does not own the claim that begins an attempt (`claims.ts`): it starts from the index and not from an instance. A
 * completion may claim what its own instance has to do next.
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { History } from "../documents/history.ts";
import { checkpoint } from "../protocol/checkpoint.ts";
import { complete, repeatedComplete } from "../protocol/complete.ts";
import { type Completed, claimingNext } from "../protocol/complete-and-claim.ts";
import { type Decision, type Moment, refuse } from "../protocol/decision.ts";
import { fail } from "../protocol/fail.ts";
import { heartbeat } from "../protocol/heartbeat.ts";
import { isInHistory } from "../protocol/inbox.ts";
import { operation } from "../protocol/operation.ts";
import { progress } from "../protocol/progress.ts";
import { claimedTask, turnView } from "../protocol/view.ts";
import { waitSignal } from "../protocol/wait-signal.ts";
import { copyJson } from "../std/json.ts";
import { err, ok } from "../std/result.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type {
  CheckpointRequest,
  CompleteRequest,
  FailRequest,
  LeaseRequest,
  NextClaim,
  OperationRequest,
  ProgressRequest,
  WaitSignalRequest,
} from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { CompletedView, TurnView } from "../vocabulary/view.ts";
import type { Access } from "./access.ts";
import {
  checkCheckpoint,
  checkComplete,
  checkFail,
  checkLease,
  checkOperation,
  checkProgress,
  checkWaitSignal,
} from "./attempt-check.ts";
import type { Budgets } from "./budgets.ts";
import type { Changes } from "./changes.ts";
import type { Reply } from "./engine.ts";
import type { Parts } from "./parts.ts";

export class Attempts {
  readonly #history: History;
  readonly #changes: Changes;
  readonly #budgets: Budgets;
  readonly #access: Access;
  readonly #ports: StorePorts;
  readonly #effectScope: string;

  constructor({ ports, keys, history, budgets }: Parts, changes: Changes, access: Access) {
    this.#history = history;
    this.#budgets = budgets;
    this.#changes = changes;
    this.#access = access;
    this.#ports = ports;
    this.#effectScope = keys.effectScope;
  }

  /** Not a repeat of an earlier one: each extends the lease from now. */
  async heartbeat(request: LeaseRequest): Reply<TurnView> {
    const wrong = checkLease(request);
    if (wrong !== null) return err(wrong);
    return this.#changes.turn(request.workflow_id, (instance, moment) =>
      heartbeat(instance, request, moment),
    );
  }

  /** Whoever gets the answer looks at its lease before it begins: the start may have been written long ago. */
  async operation(request: OperationRequest): Reply<TurnView> {
    const wrong = checkOperation(request);
    if (wrong !== null) return err(wrong);
    return this.#changes.turn(request.workflow_id, (instance, moment) =>
      operation(instance, request, moment),
    );
  }

  /** Shows that the operation lives; the lease is renewed by `heartbeat` alone. */
  async progress(request: ProgressRequest): Reply<TurnView> {
    const wrong = checkProgress(request);
    if (wrong !== null) return err(wrong);
    const own = {
      ...request,
      details: copyJson(request.details),
      checkpoint: copyJson(request.checkpoint),
    };
    const room = await this.#budgets.room();
    return this.#changes.turn(request.workflow_id, (instance, moment) =>
      room.toGrow(progress(instance, own, moment)),
    );
  }

  async checkpoint(request: CheckpointRequest): Reply<TurnView> {
    const wrong = checkCheckpoint(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, output: copyJson(request.output ?? null) };
    if (own.kind === "sleep")
      return this.#changes.turn(request.workflow_id, (instance, moment) => checkpoint(instance, own, moment));
    const room = await this.#budgets.room();
    return this.#changes.turn(request.workflow_id, (instance, moment) =>
      room.toGrow(checkpoint(instance, own, moment)),
    );
  }

  /** Answers `waiting` when the attempt was released, else the step with what it received. */
  async waitSignal(request: WaitSignalRequest): Reply<TurnView> {
    const wrong = checkWaitSignal(request);
    if (wrong !== null) return err(wrong);
    return this.#changes.turn(request.workflow_id, (instance, moment) =>
      waitSignal(instance, request, moment),
    );
  }

  /** An exact repeat is recognised also after the turn has moved to history (P18, P113). */
  async complete(request: CompleteRequest): Reply<CompletedView> {
    const wrong = checkComplete(request) ?? this.#access.claim(request.next?.workflows ?? []);
    if (wrong !== null) return err(wrong);
    const own = ownCompletion(request);
    const token = () => this.#ports.ids.next();
    const settled = await this.#changes.instance<Completed>(request.workflow_id, async (instance, moment) => {
      const completed = await this.#completion(instance, own, moment);
      return claimingNext(instance, completed, own, token, moment);
    });
    if (!settled.ok) return settled;
    const { value: instance, reply } = settled.value;
    const view = turnView(request.workflow_id, reply.turn);
    if (request.next === undefined) return ok(view);
    const { next } = reply;
    return ok({ ...view, next: next && claimedTask(instance, next, this.#effectScope) });
  }

  async #completion(
    instance: Instance,
    request: CompleteRequest,
    moment: Moment,
  ): Promise<Decision<Instance, Turn>> {
    if (!isInHistory(instance, request.turn)) return complete(instance, request, moment);
    const moved = await this.#history.turn(instance, request.turn);
    return moved.ok ? repeatedComplete(moved.value, request) : refuse(moved.error);
  }

  /** An exact repeat is recognised until another attempt has ended (P20); from history it is fenced. */
  async fail(request: FailRequest): Reply<TurnView> {
    const wrong = checkFail(request);
    if (wrong !== null) return err(wrong);
    return this.#changes.turn(request.workflow_id, (instance, moment) => fail(instance, request, moment));
  }
}

/** By hand: a general copy costs more than the rest of the request. */
function ownClaim(next: NextClaim): NextClaim {
  const workflows = next.workflows.map((served) =>
    served.migrates_from === undefined
      ? { ...served }
      : { ...served, migrates_from: [...served.migrates_from] },
  );
  return { ...next, workflows };
}

function ownCompletion(request: CompleteRequest): CompleteRequest {
  const { continuation, steps, next } = request;
  return {
    ...request,
    state: copyJson(request.state),
    result: copyJson(request.result ?? null),
    continuation: continuation ? { message: copyJson(continuation.message) } : null,
    ...(steps === undefined
      ? {}
      : { steps: steps.map((step) => ({ ...step, output: copyJson(step.output) })) }),
    ...(next === undefined ? {} : { next: ownClaim(next) }),
  };
}
