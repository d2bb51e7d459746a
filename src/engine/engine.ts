/**
 * The engine's public face: one method per route of the HTTP contract, with the same fields.
 *
 * A method never throws for anything that a store, a clock or a caller can do; it answers a `Failure`. Any
 * number of nodes may serve the same objects; a node keeps nothing that it could not lose.
 */

import type { Abortable } from "../std/cancel.ts";
import type { Result } from "../std/result.ts";
import type { Caller } from "../vocabulary/caller.ts";
import type { Failure } from "../vocabulary/errors.ts";
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

export type Reply<T> = Promise<Result<T, Failure>>;

export interface Engine {
  /** Begins an epoch of the graph, unless it is there. Refused when the configuration fixes the epoch. */
  createGraph(): Reply<GraphView>;
  /** Ends the graph with everything in it; answered once nothing of it can be written any more. */
  deleteGraph(): Reply<DeletionView>;
  /** An identical repeat answers the instance; other content under the id is a conflict. */
  createInstance(request: CreateRequest): Reply<InstanceView>;
  getInstance(id: string): Reply<InstanceView>;
  listInstances(request: ListRequest): Reply<InstancePage>;
  /**
   * Ends the instance: its turns, history and blobs go, and its id may be created again. Answered `deleted` only to the
   * call that ended it. What could not be erased by then is erased soon.
   */
  deleteInstance(request: DeleteRequest): Reply<DeletionView>;
  /** Keeps a large value for the instance, under a text that a step's output, a state or a message may hold instead. */
  putBlob(request: PutBlobRequest): Reply<BlobReferenceView>;
  getBlob(workflowId: string, reference: string): Reply<BlobView>;
  /** Durable once answered. An identical repeat answers the first turn; another payload is a conflict. */
  sendMessage(request: SendRequest): Reply<TurnView>;
  /** An event for one exact turn. An identical repeat answers the first receipt, as long as the turn is kept. */
  signal(request: SignalRequest): Reply<TurnView>;
  /** What a person does: pause, resume, wake; retry, skip or cancel one exact turn. */
  control(request: ControlRequest): Reply<InstanceView>;
  /** The unfinished turns of one instance, oldest first: one read. */
  inbox(request: InboxRequest): Reply<InboxPage>;
  /** The instances of a type with unfinished turns, by id; one read for each listed. The index may lag. */
  typeInbox(request: TypeInboxRequest): Reply<TypeInboxPage>;
  /** Finished turns, oldest kept one first. */
  history(request: HistoryRequest): Reply<HistoryPage>;
  getTurn(workflowId: string, turn: number): Reply<TurnView>;
  /** The head of an inbox, for a worker of its type and version; null when nothing is ready within the wait. `gone`: nobody listens. */
  claim(request: ClaimRequest, gone?: Abortable): Reply<Task | null>;
  /** Extends a live lease by the instance's lease. */
  heartbeat(request: LeaseRequest): Reply<TurnView>;
  /** Starts or resumes a step with limits of its own. A late answer authorises nothing: look at the lease first. */
  operation(request: OperationRequest): Reply<TurnView>;
  /** Replaces the operation's details and checkpoint. An exact repeat extends nothing. */
  progress(request: ProgressRequest): Reply<TurnView>;
  /** Saves a step, or a sleep, which releases the turn. An exact repeat is accepted. */
  checkpoint(request: CheckpointRequest): Reply<TurnView>;
  /** Takes the oldest signal of the name, or releases the turn until one comes or the time is out. */
  waitSignal(request: WaitSignalRequest): Reply<TurnView>;
  /**
   * State, result, inbox advance, continuation and the steps that were held back in one write; with `next`, also the
   * claim of the turn that follows. An exact repeat answers the same, and the same task while that attempt holds it.
   */
  complete(request: CompleteRequest): Reply<CompletedView>;
  /** Ends the attempt: another one after a back-off, a wait that counts none, or the turn fails for good. */
  fail(request: FailRequest): Reply<TurnView>;
  /**
   * Starts another instance and releases the turn until that has done its first message, or the time is out. A repeat
   * starts nothing a second time. What the step saves is a `Received` with the child's status, result and error.
   */
  startChild(request: StartChildRequest): Reply<TurnView>;
  /** Brings the instance to the version that the task names, before the turn's first step. An exact repeat is accepted. */
  migrate(request: MigrateRequest): Reply<TurnView>;
  /** Sends back what the turn could not do, to be tried after 1, 4 and 16 minutes. A repeat is one message. */
  requeue(request: RequeueRequest): Reply<RequeueView>;
  /** One pass of the periodic listing: finishes interrupted moves and repairs the scheduling index. */
  reconcile(): Reply<ReconcileReport>;
}

/** A node as ordinary callers use it. */
export interface EngineNode extends Engine {
  /** The same node for another caller (`access.ts`): reserved types and ids are refused to all but its own workers. */
  as(caller: Caller): Engine;
  /** Begins the first epoch of the graph when there has been none, for a node that starts; answers whether one goes on. */
  beginGraph(): Reply<boolean>;
  /** Answers every claim that waits; none waits from now on. For a node that is about to stop. */
  endWaits(): void;
  /** Ends the moves of turns, and what the index is still to be told. For a node that has answered its last call. */
  flush(): Promise<void>;
}

export interface ReconcileReport {
  /** Instances listed. */
  readonly instances: number;
  /** Index entries that were wrong and are now right. */
  readonly repaired: number;
  /** Instances that could not be read, for any reason. */
  readonly unread: number;
}
