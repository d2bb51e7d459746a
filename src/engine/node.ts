/**
 * A node: the engine over one store. A thin shell that checks a request, carries a command to a document and
 * shows what became of it. It keeps nothing but a short-lived copy of the scheduling index.
 *
 * Owns the order of a call: check (nothing is touched before), copy, command, view. Does not own what a command
 * decides (`protocol`), how it reaches an object (`documents`), nor what follows a commit (`documents/instances.ts`).
 *
 * What a caller passes in is copied before the first wait, and what it gets is a copy (`protocol/view.ts`): its later
 * changes reach no document.
 */
import { indexCodec, instanceCodec } from "../documents/codec.ts";
import type { StorePorts } from "../documents/conditional-write.ts";
import { History } from "../documents/history.ts";
import { type Command, Instances } from "../documents/instances.ts";
import { Keys } from "../documents/keys.ts";
import { remembered } from "../documents/remembered-codec.ts";
import { IndexObject } from "../documents/scheduling-index.ts";
import { checkpoint } from "../protocol/checkpoint.ts";
import { complete, repeatedComplete } from "../protocol/complete.ts";
import { create } from "../protocol/create.ts";
import { refuse } from "../protocol/decision.ts";
import { fail } from "../protocol/fail.ts";
import { heartbeat } from "../protocol/heartbeat.ts";
import { isRescheduled } from "../protocol/schedule.ts";
import { repeatedSend, send } from "../protocol/send.ts";
import { instanceView, turnView } from "../protocol/view.ts";
import { copyJson } from "../std/json.ts";
import { err, ok } from "../std/result.ts";
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  CreateRequest,
  FailRequest,
  HistoryRequest,
  LeaseRequest,
  ListRequest,
  SendRequest,
} from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { HistoryPage, InstancePage, InstanceView, Task, TurnView } from "../vocabulary/view.ts";
import { Claims } from "./claims.ts";
import type { EngineConfig } from "./config.ts";
import type { Engine, ReconcileReport, Reply } from "./engine.ts";
import { Reads } from "./reads.ts";
import {
  checkCheckpoint,
  checkClaim,
  checkComplete,
  checkCreate,
  checkFail,
  checkLease,
  checkSend,
} from "./request-check.ts";
import { Sweeper } from "./sweeper.ts";

/** One memory of decoded bodies for all nodes of a process. */
const CODECS = { instance: remembered(instanceCodec), index: remembered(indexCodec) };

/** A node over these ports. Any number of nodes may share a store. */
export function createNode(ports: StorePorts, config: EngineConfig): Engine {
  return new Node(ports, config);
}

class Node implements Engine {
  readonly #ports: StorePorts;
  readonly #history: History;
  readonly #instances: Instances;
  readonly #claims: Claims;
  readonly #sweeper: Sweeper;
  readonly #reads: Reads;

  constructor(ports: StorePorts, config: EngineConfig) {
    const keys = new Keys(config);
    const index = new IndexObject(ports, keys, CODECS);
    this.#ports = ports;
    this.#history = new History(ports, keys, CODECS);
    this.#instances = new Instances(ports, keys, CODECS, this.#history, index);
    this.#claims = new Claims(ports, keys, this.#instances, index, config.poll_ms);
    this.#sweeper = new Sweeper(ports, keys, this.#instances, this.#history, index);
    this.#reads = new Reads(ports, this.#instances, this.#history, this.#sweeper);
  }

  /** The incarnation is drawn once for the call: a write that is sent again makes the same life. */
  async createInstance(request: CreateRequest): Reply<InstanceView> {
    const wrong = checkCreate(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, state: copyJson(request.state ?? null) };
    const incarnation = this.#ports.ids.next();
    const settled = await this.#instances.create(request.id, (instance, moment) =>
      create(instance, own, incarnation, moment),
    );
    if (!settled.ok) return settled;
    return ok(instanceView(settled.value.reply, settled.value.stamp, this.#ports.clock.wallMs()));
  }

  /** The message-ID index is asked for the very version that the admission is conditional on (P9). */
  async sendMessage(request: SendRequest): Reply<TurnView> {
    const wrong = checkSend(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, message: copyJson(request.message) };
    return this.#change(request.workflow_id, async (instance, moment) => {
      const moved = await this.#history.turnOfMessage(instance, request.id);
      if (!moved.ok) return refuse(moved.error);
      // A record of a turn that is still here comes from an interrupted move: the inbox decides.
      if (moved.value === null || moved.value > instance.history_through) return send(instance, own, moment);
      const earlier = await this.#history.turn(instance, moved.value);
      return earlier.ok ? repeatedSend(earlier.value, own) : refuse(earlier.error);
    });
  }

  async claim(request: ClaimRequest): Reply<Task | null> {
    const wrong = checkClaim(request);
    return wrong === null ? this.#claims.next(request) : err(wrong);
  }

  /** Not a repeat of an earlier one: each extends the lease from now. */
  async heartbeat(request: LeaseRequest): Reply<TurnView> {
    const wrong = checkLease(request);
    if (wrong !== null) return err(wrong);
    return this.#change(request.workflow_id, (instance, moment) => heartbeat(instance, request, moment));
  }

  async checkpoint(request: CheckpointRequest): Reply<TurnView> {
    const wrong = checkCheckpoint(request);
    if (wrong !== null) return err(wrong);
    const own = { ...request, output: copyJson(request.output) };
    return this.#change(request.workflow_id, (instance, moment) => checkpoint(instance, own, moment));
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
    return this.#change(request.workflow_id, async (instance, moment) => {
      if (request.turn > instance.history_through) return complete(instance, own, moment);
      const moved = await this.#history.turn(instance, request.turn);
      return moved.ok ? repeatedComplete(moved.value, own) : refuse(moved.error);
    });
  }

  /** An exact repeat is recognised until another attempt has ended (P20); from history it is fenced. */
  async fail(request: FailRequest): Reply<TurnView> {
    const wrong = checkFail(request);
    if (wrong !== null) return err(wrong);
    return this.#change(request.workflow_id, (instance, moment) => fail(instance, request, moment));
  }

  getInstance(id: string): Reply<InstanceView> {
    return this.#reads.instance(id);
  }

  listInstances(request: ListRequest): Reply<InstancePage> {
    return this.#reads.instances(request);
  }

  history(request: HistoryRequest): Reply<HistoryPage> {
    return this.#reads.history(request);
  }

  getTurn(workflowId: string, turn: number): Reply<TurnView> {
    return this.#reads.turn(workflowId, turn);
  }

  reconcile(): Reply<ReconcileReport> {
    return this.#sweeper.pass();
  }

  /** Carries a command to the instance and shows the turn that it answers. */
  async #change(id: string, command: Command<Turn>): Reply<TurnView> {
    const settled = await this.#instances.change(id, command);
    if (!settled.ok) return settled;
    const { before, value, reply } = settled.value;
    if (before !== null && isRescheduled(before, value)) this.#claims.forget();
    return ok(turnView(id, reply));
  }
}
