/**
 * The engine's public face: one method per route of the HTTP contract, with the same fields.
 *
 * A method never throws for anything that a store, a clock or a caller can do; it answers a `Failure`. Any
 * number of nodes may serve the same objects; a node keeps nothing that it could not lose.
 */
import type { Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
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
import type { HistoryPage, InstancePage, InstanceView, Task, TurnView } from "../vocabulary/view.ts";

export type Reply<T> = Promise<Result<T, Failure>>;

export interface Engine {
  /** An identical repeat answers the instance; other content under the id is a conflict. */
  createInstance(request: CreateRequest): Reply<InstanceView>;
  getInstance(id: string): Reply<InstanceView>;
  listInstances(request: ListRequest): Reply<InstancePage>;
  /** Durable once answered. An identical repeat answers the first turn; another payload is a conflict. */
  sendMessage(request: SendRequest): Reply<TurnView>;
  /** Finished turns, oldest first. */
  history(request: HistoryRequest): Reply<HistoryPage>;
  getTurn(workflowId: string, turn: number): Reply<TurnView>;
  /** The head of an inbox, for a worker of its type and version; null when nothing is ready within the wait. */
  claim(request: ClaimRequest): Reply<Task | null>;
  /** Extends a live lease by the instance's lease. */
  heartbeat(request: LeaseRequest): Reply<TurnView>;
  /** Saves a step. An exact repeat is accepted. */
  checkpoint(request: CheckpointRequest): Reply<TurnView>;
  /** State, result, inbox advance and continuation in one write. An exact repeat answers the same. */
  complete(request: CompleteRequest): Reply<TurnView>;
  /** Ends the attempt: another one after a back-off, or the turn fails for good. */
  fail(request: FailRequest): Reply<TurnView>;
  /** One pass of the periodic listing: finishes interrupted moves and repairs the scheduling index. */
  reconcile(): Reply<ReconcileReport>;
}

export interface ReconcileReport {
  /** Instances listed. */
  readonly instances: number;
  /** Index entries that were wrong and are now right. */
  readonly repaired: number;
  /** Instances that could not be read, for any reason. */
  readonly unread: number;
}
