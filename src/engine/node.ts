/**
 * A node: the engine over one store. It puts the parts together and keeps nothing but a short-lived copy of the
 * scheduling index.
 *
 * Does not own what a command decides (`protocol`), how it reaches an object (`documents`), what follows a commit
 * (`documents/instances.ts`), nor the order of a call (`messages.ts`, `attempts.ts`, `reads.ts`).
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
 *   sweeper    the node itself: the periodic listing
 */
import { indexCodec, instanceCodec } from "../documents/codec.ts";
import type { StorePorts } from "../documents/conditional-write.ts";
import { History } from "../documents/history.ts";
import { Instances } from "../documents/instances.ts";
import { Keys } from "../documents/keys.ts";
import { remembered } from "../documents/remembered-codec.ts";
import { IndexObject } from "../documents/scheduling-index.ts";
import { err } from "../std/result.ts";
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  ControlRequest,
  CreateRequest,
  FailRequest,
  HistoryRequest,
  InboxRequest,
  LeaseRequest,
  ListRequest,
  MigrateRequest,
  OperationRequest,
  ProgressRequest,
  RequeueRequest,
  SendRequest,
  SignalRequest,
  StartChildRequest,
  TypeInboxRequest,
  WaitSignalRequest,
} from "../vocabulary/requests.ts";
import type {
  HistoryPage,
  InboxPage,
  InstancePage,
  InstanceView,
  RequeueView,
  Task,
  TurnView,
  TypeInboxPage,
} from "../vocabulary/view.ts";
import { Attempts } from "./attempts.ts";
import { Changes } from "./changes.ts";
import { Claims } from "./claims.ts";
import type { EngineConfig } from "./config.ts";
import type { Engine, ReconcileReport, Reply } from "./engine.ts";
import { Families } from "./families.ts";
import { Inboxes } from "./inboxes.ts";
import { Messages } from "./messages.ts";
import { Reads } from "./reads.ts";
import { checkClaim } from "./request-check.ts";
import { Sweeper } from "./sweeper.ts";

/** One memory of decoded bodies for all nodes of a process. */
const CODECS = { instance: remembered(instanceCodec), index: remembered(indexCodec) };

/** A node over these ports. Any number of nodes may share a store. */
export function createNode(ports: StorePorts, config: EngineConfig): Engine {
  return new Node(ports, config);
}

class Node implements Engine {
  readonly #messages: Messages;
  readonly #attempts: Attempts;
  readonly #families: Families;
  readonly #claims: Claims;
  readonly #reads: Reads;
  readonly #inboxes: Inboxes;
  readonly #sweeper: Sweeper;

  constructor(ports: StorePorts, config: EngineConfig) {
    const keys = new Keys(config);
    const index = new IndexObject(ports, keys, CODECS);
    const history = new History(ports, keys, CODECS, (child, turn) => this.#families.tell(child, turn));
    const instances = new Instances(ports, keys, CODECS, history, index);
    this.#claims = new Claims(ports, keys, instances, index, config.poll_ms);
    const changes = new Changes(instances, this.#claims);
    this.#messages = new Messages(ports, instances, history, changes);
    this.#attempts = new Attempts(history, changes);
    this.#families = new Families(ports, keys, instances, changes);
    this.#sweeper = new Sweeper(ports, keys, instances, history, index);
    this.#reads = new Reads(ports, instances, history, this.#sweeper);
    this.#inboxes = new Inboxes(ports, instances, index);
  }

  createInstance(request: CreateRequest): Reply<InstanceView> {
    return this.#messages.create(request);
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

  async claim(request: ClaimRequest): Reply<Task | null> {
    const wrong = checkClaim(request);
    return wrong === null ? this.#claims.next(request) : err(wrong);
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

  complete(request: CompleteRequest): Reply<TurnView> {
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

  inbox(request: InboxRequest): Reply<InboxPage> {
    return this.#inboxes.ofInstance(request);
  }

  typeInbox(request: TypeInboxRequest): Reply<TypeInboxPage> {
    return this.#inboxes.ofType(request);
  }

  reconcile(): Reply<ReconcileReport> {
    return this.#sweeper.pass();
  }
}
