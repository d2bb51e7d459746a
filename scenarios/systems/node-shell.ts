/**
 * What stands around an engine in its process: it is told to stop, and its memory may be lossy.
 *
 *   G1  told to stop, a node takes no further claim, finishes the calls that it has begun, and is done. Other calls
 *       that come meanwhile are served.
 *   G2  N07: a claim may find the node without the copies that it kept, and a sweep may be missed as a timer that
 *       never fired is. Calls that are under way go on with what they had.
 *
 * Every method but these is handed through as it is: what a node answers is never changed here.
 * Every other method hands its call on as it is, and counts it while it is under way.
 *
 * The engine has no stop of its own yet: a claim that waits for work when the stop is told may still take a turn.
 */
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  ControlRequest,
  CreateRequest,
  DeleteRequest,
  Engine,
  FailRequest,
  Failure,
  HistoryRequest,
  InboxRequest,
  LeaseRequest,
  ListRequest,
  MigrateRequest,
  OperationRequest,
  ProgressRequest,
  PutBlobRequest,
  Reply,
  RequeueRequest,
  SendRequest,
  SignalRequest,
  StartChildRequest,
  TypeInboxRequest,
  WaitSignalRequest,
} from "../../src/index.ts";
import { err, ok } from "../../src/std/result.ts";

const STOPPING: Failure = {
  kind: "unavailable",
  code: "stopping",
  message: "the node is about to stop; ask another one",
  param: null,
};
const NOT_SWEPT = { instances: 0, repaired: 0, unread: 0 };

export class NodeShell implements Engine {
  readonly #boot: () => Engine;
  readonly #losesMemory: () => boolean;
  #engine: Engine;
  #underWay = 0;
  #stopped: (() => void) | null = null;

  /** `boot` makes an engine with empty memory; `losesMemory` is asked at each claim and sweep. */
  constructor(boot: () => Engine, losesMemory: () => boolean) {
    this.#boot = boot;
    this.#losesMemory = losesMemory;
    this.#engine = boot();
  }

  /** G1. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#stopped = resolve;
      if (this.#underWay === 0) resolve();
    });
  }

  claim(request: ClaimRequest) {
    if (this.#stopped !== null) return Promise.resolve(err(STOPPING));
    if (this.#losesMemory()) this.#engine = this.#boot();
    return this.#carry(this.#engine.claim(request));
  }
  reconcile() {
    if (this.#stopped !== null || this.#losesMemory()) return Promise.resolve(ok(NOT_SWEPT));
    return this.#carry(this.#engine.reconcile());
  }
  createInstance(request: CreateRequest) {
    return this.#carry(this.#engine.createInstance(request));
  }
  getInstance(id: string) {
    return this.#carry(this.#engine.getInstance(id));
  }
  listInstances(request: ListRequest) {
    return this.#carry(this.#engine.listInstances(request));
  }
  deleteInstance(request: DeleteRequest) {
    return this.#carry(this.#engine.deleteInstance(request));
  }
  // Graphs, and values that belong to an instance and lie beside it.
  createGraph() {
    return this.#carry(this.#engine.createGraph());
  }
  deleteGraph() {
    return this.#carry(this.#engine.deleteGraph());
  }
  putBlob(request: PutBlobRequest) {
    return this.#carry(this.#engine.putBlob(request));
  }
  getBlob(workflowId: string, reference: string) {
    return this.#carry(this.#engine.getBlob(workflowId, reference));
  }
  sendMessage(request: SendRequest) {
    return this.#carry(this.#engine.sendMessage(request));
  }
  signal(request: SignalRequest) {
    return this.#carry(this.#engine.signal(request));
  }
  control(request: ControlRequest) {
    return this.#carry(this.#engine.control(request));
  }
  inbox(request: InboxRequest) {
    return this.#carry(this.#engine.inbox(request));
  }
  typeInbox(request: TypeInboxRequest) {
    return this.#carry(this.#engine.typeInbox(request));
  }
  history(request: HistoryRequest) {
    return this.#carry(this.#engine.history(request));
  }
  getTurn(workflowId: string, turn: number) {
    return this.#carry(this.#engine.getTurn(workflowId, turn));
  }
  heartbeat(request: LeaseRequest) {
    return this.#carry(this.#engine.heartbeat(request));
  }
  operation(request: OperationRequest) {
    return this.#carry(this.#engine.operation(request));
  }
  progress(request: ProgressRequest) {
    return this.#carry(this.#engine.progress(request));
  }
  waitSignal(request: WaitSignalRequest) {
    return this.#carry(this.#engine.waitSignal(request));
  }
  checkpoint(request: CheckpointRequest) {
    return this.#carry(this.#engine.checkpoint(request));
  }
  complete(request: CompleteRequest) {
    return this.#carry(this.#engine.complete(request));
  }
  fail(request: FailRequest) {
    return this.#carry(this.#engine.fail(request));
  }
  startChild(request: StartChildRequest) {
    return this.#carry(this.#engine.startChild(request));
  }
  migrate(request: MigrateRequest) {
    return this.#carry(this.#engine.migrate(request));
  }
  requeue(request: RequeueRequest) {
    return this.#carry(this.#engine.requeue(request));
  }

  /** The reply as it is; the last one under way ends a stop. */
  async #carry<T>(reply: Reply<T>): Reply<T> {
    this.#underWay++;
    try {
      return await reply;
    } finally {
      this.#underWay--;
      if (this.#underWay === 0) this.#stopped?.();
    }
  }
}
