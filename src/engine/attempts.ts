/**
 * What the worker of an attempt asks about its turn: each call is checked, copied, decided and shown.
 *
 * The fence is the protocol's. Calls about a turn that has moved to history are fenced, apart from the exact repeat of
 * its completion, which is answered as long as the turn is kept.
 *
 * Values are copied before the first wait, so that a caller that goes on with its objects changes no document. What a
 * request is made of beyond its values (names, numbers, tokens) cannot be changed under way.
 *
 * Does not own the claim, which begins the attempt (`claims.ts`): it starts from the index and not from an instance.
 */
import type { History } from "../documents/history.ts";
import { checkpoint } from "../protocol/checkpoint.ts";
import { complete, repeatedComplete } from "../protocol/complete.ts";
import { refuse } from "../protocol/decision.ts";
import { fail } from "../protocol/fail.ts";
import { heartbeat } from "../protocol/heartbeat.ts";
import { isInHistory } from "../protocol/inbox.ts";
import { operation } from "../protocol/operation.ts";
import { progress } from "../protocol/progress.ts";
import { waitSignal } from "../protocol/wait-signal.ts";
import { copyJson } from "../std/json.ts";
import { err } from "../std/result.ts";
import type {
  CheckpointRequest,
  CompleteRequest,
  FailRequest,
  LeaseRequest,
  OperationRequest,
  ProgressRequest,
  WaitSignalRequest,
} from "../vocabulary/requests.ts";
import type { TurnView } from "../vocabulary/view.ts";
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

  constructor({ history, budgets }: Parts, changes: Changes) {
    this.#history = history;
    this.#budgets = budgets;
    this.#changes = changes;
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

  /** An exact repeat is recognised also after the turn has moved to history (P18). */
  async complete(request: CompleteRequest): Reply<TurnView> {
    const wrong = checkComplete(request);
    if (wrong !== null) return err(wrong);
    const { continuation } = request;
    const own = {
      ...request,
      state: copyJson(request.state),
      result: copyJson(request.result ?? null),
      continuation: continuation ? { message: copyJson(continuation.message) } : null,
    };
    return this.#changes.turn(request.workflow_id, async (instance, moment) => {
      const { turn } = request;
      if (!isInHistory(instance, turn)) return complete(instance, own, moment);
      const moved = await this.#history.turn(instance, turn);
      return moved.ok ? repeatedComplete(moved.value, own) : refuse(moved.error);
    });
  }

  /** An exact repeat is recognised until another attempt has ended (P20); from history it is fenced. */
  async fail(request: FailRequest): Reply<TurnView> {
    const wrong = checkFail(request);
    if (wrong !== null) return err(wrong);
    return this.#changes.turn(request.workflow_id, (instance, moment) => fail(instance, request, moment));
  }
}
