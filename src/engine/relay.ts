/**
 * Hands every call on to an engine: what stands in front of one writes only the calls that it treats otherwise.
 *
 * Owns that no method is forgotten, whoever stands in front. Does not own which engine is asked, nor when: that is
 * `relay`.
 *
 *   L1  each call goes through `relay` once, with the request as it was passed; a reply is never looked at here.
 *   L2  a method adds no wait of its own: what `relay` answers is the answer.
 *
 * A new call of the engine is added here and nowhere else, unless somebody treats it otherwise: the graph's node
 * (`graph-node.ts`) and whatever tests and simulations put around an engine.
 */

import type { Abortable } from "../std/cancel.ts";
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  ControlRequest,
  CreateRequest,
  DeleteRequest,
  FailRequest,
  HistoryRequest,
  InboxRequest,
  LeaseRequest,
  ListRequest,
  MigrateRequest,
  OperationRequest,
  ProgressRequest,
  PutBlobRequest,
  RequeueRequest,
  SendRequest,
  SignalRequest,
  StartChildRequest,
  TypeInboxRequest,
  WaitSignalRequest,
} from "../vocabulary/requests.ts";
import type {
  BlobReferenceView,
  BlobView,
  CompletedView,
  DeletionView,
  GraphView,
  HistoryPage,
  InboxPage,
  InstancePage,
  InstanceView,
  RequeueView,
  Task,
  TurnView,
  TypeInboxPage,
} from "../vocabulary/view.ts";
import type { Engine, ReconcileReport, Reply } from "./engine.ts";

export abstract class Relay implements Engine {
  /** Makes the call on the engine that serves now. */
  protected abstract relay<T>(call: (engine: Engine) => Reply<T>): Reply<T>;

  // The graph itself, and the instances in it.
  createGraph(): Reply<GraphView> {
    return this.relay((engine) => engine.createGraph());
  }
  deleteGraph(): Reply<DeletionView> {
    return this.relay((engine) => engine.deleteGraph());
  }
  createInstance(request: CreateRequest): Reply<InstanceView> {
    return this.relay((engine) => engine.createInstance(request));
  }
  getInstance(id: string): Reply<InstanceView> {
    return this.relay((engine) => engine.getInstance(id));
  }
  listInstances(request: ListRequest): Reply<InstancePage> {
    return this.relay((engine) => engine.listInstances(request));
  }
  deleteInstance(request: DeleteRequest): Reply<DeletionView> {
    return this.relay((engine) => engine.deleteInstance(request));
  }
  putBlob(request: PutBlobRequest): Reply<BlobReferenceView> {
    return this.relay((engine) => engine.putBlob(request));
  }
  getBlob(workflowId: string, reference: string): Reply<BlobView> {
    return this.relay((engine) => engine.getBlob(workflowId, reference));
  }
  // What senders and people do.
  sendMessage(request: SendRequest): Reply<TurnView> {
    return this.relay((engine) => engine.sendMessage(request));
  }
  signal(request: SignalRequest): Reply<TurnView> {
    return this.relay((engine) => engine.signal(request));
  }
  control(request: ControlRequest): Reply<InstanceView> {
    return this.relay((engine) => engine.control(request));
  }
  // What anybody may look at.
  inbox(request: InboxRequest): Reply<InboxPage> {
    return this.relay((engine) => engine.inbox(request));
  }
  typeInbox(request: TypeInboxRequest): Reply<TypeInboxPage> {
    return this.relay((engine) => engine.typeInbox(request));
  }
  history(request: HistoryRequest): Reply<HistoryPage> {
    return this.relay((engine) => engine.history(request));
  }
  getTurn(workflowId: string, turn: number): Reply<TurnView> {
    return this.relay((engine) => engine.getTurn(workflowId, turn));
  }
  // What workers do with the turns that they claim.
  claim(request: ClaimRequest, gone?: Abortable): Reply<Task | null> {
    return this.relay((engine) => engine.claim(request, gone));
  }
  heartbeat(request: LeaseRequest): Reply<TurnView> {
    return this.relay((engine) => engine.heartbeat(request));
  }
  operation(request: OperationRequest): Reply<TurnView> {
    return this.relay((engine) => engine.operation(request));
  }
  progress(request: ProgressRequest): Reply<TurnView> {
    return this.relay((engine) => engine.progress(request));
  }
  checkpoint(request: CheckpointRequest): Reply<TurnView> {
    return this.relay((engine) => engine.checkpoint(request));
  }
  waitSignal(request: WaitSignalRequest): Reply<TurnView> {
    return this.relay((engine) => engine.waitSignal(request));
  }
  complete(request: CompleteRequest): Reply<CompletedView> {
    return this.relay((engine) => engine.complete(request));
  }
  fail(request: FailRequest): Reply<TurnView> {
    return this.relay((engine) => engine.fail(request));
  }
  migrate(request: MigrateRequest): Reply<TurnView> {
    return this.relay((engine) => engine.migrate(request));
  }
  requeue(request: RequeueRequest): Reply<RequeueView> {
    return this.relay((engine) => engine.requeue(request));
  }
  startChild(request: StartChildRequest): Reply<TurnView> {
    return this.relay((engine) => engine.startChild(request));
  }
  // What the node does for itself.
  reconcile(): Reply<ReconcileReport> {
    return this.relay((engine) => engine.reconcile());
  }
}
