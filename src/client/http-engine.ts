/**
 * The engine over HTTP: one method per route, with the engine's own requests and answers, and failures as values.
 *
 *   C1  what may be repeated is said here for each route, once. A claim, a heartbeat, a failure and a control are sent
 *       once: each means the moment it is sent in.
 *   C2  what comes back has the shape that the contract says; fields that it may leave out are left out. It is not
 *       checked field by field: who reads an optional one says what its absence means.
 *
 *   C3  `signal` of a worker's calls ends their repeats; what was sent may have been handled all the same.
 *
 * Reads are of class `repeat`: they have no effect. Does not own the repeats themselves (`exchange.ts`), nor what a
 * refusal means (`refusals.ts`).
 *
 * Source: contract sections 1.2, 2 and 3; `src/server/README.md` for routes beyond them.
 */
import type { Engine, Reply } from "../engine/engine.ts";
import type { JsonObject } from "../std/json.ts";
import { ok } from "../std/result.ts";
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
import type { TurnSource } from "../workflow/index.ts";
import { type Call, type CallClass, Exchange, type ExchangeOptions } from "./exchange.ts";

/** What a client needs of an engine: all but its own housekeeping. A node in the same process is one, too. */
export type ClientEngine = Omit<Engine, "reconcile"> & TurnSource;

const BASE = "/v1/workflows";

export class HttpEngine implements ClientEngine {
  readonly #exchange: Exchange;

  constructor(options: ExchangeOptions) {
    this.#exchange = new Exchange(options);
  }

  // Graphs. Both may be repeated: the second time there is nothing left to do.

  createGraph(): Reply<GraphView> {
    return this.#call({ method: "POST", path: "/v1/graph/create", body: {}, repeats: "repeat" });
  }

  deleteGraph(): Reply<DeletionView> {
    return this.#call({ method: "POST", path: "/v1/graph/delete", body: {}, repeats: "repeat" });
  }

  // What senders and people do. Ids in the bodies make a repeat the same call; a control has none.

  createInstance(request: CreateRequest): Reply<InstanceView> {
    return this.#post("/instances", request, "repeat");
  }

  getInstance(id: string): Reply<InstanceView> {
    return this.#get("/instances/get", { id });
  }

  listInstances({ after, limit }: ListRequest): Reply<InstancePage> {
    return this.#get("/instances", { after, limit });
  }

  deleteInstance(request: DeleteRequest): Reply<DeletionView> {
    return this.#post("/instances/delete", request, "repeat");
  }

  sendMessage(request: SendRequest): Reply<TurnView> {
    return this.#post("/instances/message", request, "repeat");
  }

  control(request: ControlRequest): Reply<InstanceView> {
    return this.#post("/instances/control", request, "once");
  }

  inbox({ workflow_id, after, limit, payloads }: InboxRequest): Reply<InboxPage> {
    return this.#get("/instances/inbox", { id: workflow_id, after, limit, payloads });
  }

  typeInbox({ workflow_type, version, after, limit }: TypeInboxRequest): Reply<TypeInboxPage> {
    return this.#get("/inbox", { workflow_type, version, after, limit });
  }

  history({ workflow_id, after, limit }: HistoryRequest): Reply<HistoryPage> {
    return this.#get("/instances/history", { id: workflow_id, after, limit });
  }

  getTurn(workflowId: string, turn: number): Reply<TurnView> {
    return this.#get("/instances/turn", { id: workflowId, turn });
  }

  signal(request: SignalRequest): Reply<TurnView> {
    return this.#post("/turns/signal", request, "repeat");
  }

  // What the worker of an attempt sends. The token and the place in the turn make a repeat the same call.

  /** `{}` and `{"task": null}` both mean that there is nothing to do. */
  async claim(request: ClaimRequest, signal?: AbortSignal): Reply<Task | null> {
    const claimed = await this.#post<{ readonly task?: Task | null }>(
      "/turns/claim",
      request,
      "once",
      signal,
    );
    return claimed.ok ? ok(claimed.value.task ?? null) : claimed;
  }

  heartbeat(request: LeaseRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/heartbeat", request, "once", signal);
  }

  operation(request: OperationRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/operation", request, "repeat", signal);
  }

  progress(request: ProgressRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/progress", request, "repeat", signal);
  }

  checkpoint(request: CheckpointRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/checkpoint", request, "repeat", signal);
  }

  waitSignal(request: WaitSignalRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/wait-signal", request, "repeat", signal);
  }

  startChild(request: StartChildRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/start-child", request, "repeat", signal);
  }

  migrate(request: MigrateRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/migrate", request, "repeat", signal);
  }

  requeue(request: RequeueRequest, signal?: AbortSignal): Reply<RequeueView> {
    return this.#post("/turns/requeue", request, "repeat", signal);
  }

  complete(request: CompleteRequest, signal?: AbortSignal): Reply<CompletedView> {
    return this.#post("/turns/complete", request, "repeat", signal);
  }

  fail(request: FailRequest, signal?: AbortSignal): Reply<TurnView> {
    return this.#post("/turns/fail", request, "once", signal);
  }

  /** A repeat puts another blob; the one that nobody names is swept. */
  putBlob(request: PutBlobRequest, signal?: AbortSignal): Reply<BlobReferenceView> {
    return this.#post("/blobs", request, "repeat", signal);
  }

  getBlob(workflowId: string, reference: string, signal?: AbortSignal): Reply<BlobView> {
    return this.#get("/blobs/get", { id: workflowId, reference }, signal);
  }

  #get<T>(path: string, query: NonNullable<Call["query"]>, signal?: AbortSignal): Reply<T> {
    return this.#call({ method: "GET", path: `${BASE}${path}`, query, repeats: "repeat" }, signal);
  }

  #post<T>(path: string, body: object, repeats: CallClass, signal?: AbortSignal): Reply<T> {
    return this.#call({ method: "POST", path: `${BASE}${path}`, body, repeats }, signal);
  }

  async #call<T>(call: Call, signal?: AbortSignal): Reply<T> {
    const answer = await this.#exchange.call(call, signal);
    return answer.ok ? ok(asPromised<T>(answer.value)) : answer;
  }
}

/** C2. */
function asPromised<T>(answer: JsonObject): T {
  // The server's word for its own contract: the one place where an answer is given its type.
  return answer as T;
}
