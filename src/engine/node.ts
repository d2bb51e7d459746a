/**
 * A node: the engine over one store, as one caller may use it. It keeps nothing but a short-lived copy of the
 * scheduling index, which all its callers share (`parts.ts`).
 *
 * Does not own what a command decides (`protocol`), how it reaches an object (`documents`), what follows a commit
 * (`documents/instances.ts`), nor the order of a call (`messages.ts`, `attempts.ts`, `reads.ts`).
 *
 * A graph that can be created and deleted has an engine for each epoch (`graph-node.ts`); else there is one for good.
 *
 * What a caller passes in is copied before the first wait, and what it gets is a copy (`protocol/view.ts`): its later
 * changes reach no document.
 *
 * The parts, by who asks:
 *
 *   messages   senders and people: create, send, signal, control
 *   claims     workers that look for a turn
 *   attempts   the worker of one attempt
 *   reads      anybody: instances, turns, history
 *   inboxes    anybody: what is still to be done
 *   deletions  people: the end of an instance
 *   blobs      workers and senders: values too large for a document
 *   families   the worker of one attempt: children, migrations, work sent back
 *   sweeper    the node itself: the periodic listing
 */
import type { StorePorts } from "../documents/conditional-write.ts";
import type { Abortable } from "../std/cancel.ts";
import { err } from "../std/result.ts";
import type { Caller } from "../vocabulary/caller.ts";
import { failure } from "../vocabulary/errors.ts";
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
import { Access } from "./access.ts";
import { Attempts } from "./attempts.ts";
import { Blobs } from "./blobs.ts";
import { Changes, type Guard } from "./changes.ts";
import type { EngineConfig } from "./config.ts";
import { Deletions } from "./deletions.ts";
import type { Engine, EngineNode, ReconcileReport, Reply } from "./engine.ts";
import { Epochs } from "./epochs.ts";
import { Families } from "./families.ts";
import { GraphNode } from "./graph-node.ts";
import { Messages } from "./messages.ts";
import { type Parts, partsOf } from "./parts.ts";
import { checkClaim } from "./request-check.ts";
import { Waits } from "./waits.ts";

/** A node over these ports, for ordinary callers; `as` gives it for others. Any number of nodes may share a store. */
export function createNode(ports: StorePorts, config: EngineConfig): EngineNode {
  const waits = new Waits(ports.clock, ports.trace, config.poll_ms);
  const serve = (parts: Parts, caller: Caller): Engine => new Node(parts, caller);
  if (config.graph_heads) return new GraphNode(new Epochs(ports, config, waits), "key", serve);
  return new Node(partsOf(ports, config, waits), "key");
}

const FIXED = failure("invalid", "graph_fixed", "this node serves one graph that is always there");

class Node implements EngineNode {
  readonly #parts: Parts;
  readonly #access: Access;
  readonly #messages: Messages;
  readonly #attempts: Attempts;
  readonly #families: Families;
  readonly #deletions: Deletions;
  readonly #blobs: Blobs;

  constructor(parts: Parts, caller: Caller) {
    const access = new Access(parts.config, caller);
    const changes = (guard: Guard) => new Changes(parts.instances, parts.claims, guard);
    const writes = changes((instance) => access.write(instance));
    this.#parts = parts;
    this.#access = access;
    this.#messages = new Messages(
      parts,
      changes((instance) => access.manage(instance)),
      access,
    );
    this.#blobs = new Blobs(parts, access);
    this.#deletions = new Deletions(parts, access);
    this.#attempts = new Attempts(parts, writes, access);
    this.#families = new Families(parts, writes, access);
  }

  as(caller: Caller): Engine {
    return new Node(this.#parts, caller);
  }

  endWaits(): void {
    this.#parts.waits.end();
  }

  async flush(): Promise<void> {
    await Promise.all([this.#parts.history.flush(), this.#parts.index.flush()]);
  }

  beginGraph(): Reply<boolean> {
    return Promise.resolve(err(FIXED));
  }

  createGraph(): Reply<GraphView> {
    return Promise.resolve(err(FIXED));
  }

  deleteGraph(): Reply<DeletionView> {
    return Promise.resolve(err(FIXED));
  }

  createInstance(request: CreateRequest): Reply<InstanceView> {
    return this.#messages.create(request);
  }

  deleteInstance(request: DeleteRequest): Reply<DeletionView> {
    return this.#deletions.delete(request);
  }

  putBlob(request: PutBlobRequest): Reply<BlobReferenceView> {
    return this.#blobs.put(request);
  }

  getBlob(workflowId: string, reference: string): Reply<BlobView> {
    return this.#blobs.get(workflowId, reference);
  }

  sendMessage(request: SendRequest): Reply<TurnView> {
    return this.#messages.send(request);
  }

  signal(request: SignalRequest): Reply<TurnView> {
    return this.#messages.signal(request);
  }

  control(request: ControlRequest): Reply<InstanceView> {
    return this.#messages.control(request);
  }

  async claim(request: ClaimRequest, gone?: Abortable): Reply<Task | null> {
    const wrong = checkClaim(request) ?? this.#access.claim(request.workflows);
    return wrong === null ? this.#parts.claims.next(request, gone) : err(wrong);
  }

  heartbeat(request: LeaseRequest): Reply<TurnView> {
    return this.#attempts.heartbeat(request);
  }

  operation(request: OperationRequest): Reply<TurnView> {
    return this.#attempts.operation(request);
  }

  progress(request: ProgressRequest): Reply<TurnView> {
    return this.#attempts.progress(request);
  }

  checkpoint(request: CheckpointRequest): Reply<TurnView> {
    return this.#attempts.checkpoint(request);
  }

  waitSignal(request: WaitSignalRequest): Reply<TurnView> {
    return this.#attempts.waitSignal(request);
  }

  complete(request: CompleteRequest): Reply<CompletedView> {
    return this.#attempts.complete(request);
  }

  fail(request: FailRequest): Reply<TurnView> {
    return this.#attempts.fail(request);
  }

  startChild(request: StartChildRequest): Reply<TurnView> {
    return this.#families.startChild(request);
  }

  migrate(request: MigrateRequest): Reply<TurnView> {
    return this.#families.migrate(request);
  }

  requeue(request: RequeueRequest): Reply<RequeueView> {
    return this.#families.requeue(request);
  }

  getInstance(id: string): Reply<InstanceView> {
    return this.#parts.reads.instance(id);
  }

  listInstances(request: ListRequest): Reply<InstancePage> {
    return this.#parts.reads.instances(request);
  }

  history(request: HistoryRequest): Reply<HistoryPage> {
    return this.#parts.reads.history(request);
  }

  getTurn(workflowId: string, turn: number): Reply<TurnView> {
    return this.#parts.reads.turn(workflowId, turn);
  }

  inbox(request: InboxRequest): Reply<InboxPage> {
    return this.#parts.inboxes.ofInstance(request);
  }

  typeInbox(request: TypeInboxRequest): Reply<TypeInboxPage> {
    return this.#parts.inboxes.ofType(request);
  }

  reconcile(): Reply<ReconcileReport> {
    return this.#parts.sweeper.pass();
  }
}
