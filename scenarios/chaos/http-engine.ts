/**
 * An engine behind HTTP, for the senders, people and readers of a real run: one method, one request.
 *
 * Written apart from the client of the product, from the interface's description (`src/server/README.md`): a client that
 * mends what a server does wrong would hide it. It repeats nothing.
 *
 *   H1  an answer that is no answer of the engine (none at all, a 5xx that does not say what happened, text that is no
 *       JSON) is an unknown outcome.
 *   H2  a refusal is told by its type; its status is not looked at, so a status that does not fit is not seen here.
 */
import type {
  BlobReferenceView,
  BlobView,
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  ControlRequest,
  CreateRequest,
  DeleteRequest,
  DeletionView,
  Engine,
  FailRequest,
  Failure,
  FailureKind,
  GraphView,
  HistoryPage,
  HistoryRequest,
  InboxPage,
  InboxRequest,
  InstancePage,
  InstanceView,
  LeaseRequest,
  ListRequest,
  MigrateRequest,
  OperationRequest,
  ProgressRequest,
  PutBlobRequest,
  ReconcileReport,
  Reply,
  RequeueRequest,
  RequeueView,
  SendRequest,
  SignalRequest,
  StartChildRequest,
  Task,
  TurnView,
  TypeInboxPage,
  TypeInboxRequest,
  WaitSignalRequest,
} from "../../src/index.ts";
import type { HttpClient, HttpResponse } from "../../src/ports/index.ts";
import { parseJson } from "../../src/std/json.ts";
import { err, ok, type Result } from "../../src/std/result.ts";
import { isObject } from "../checkers/shapes.ts";

const TIMEOUT_MS = 15_000;
const BASE = "/v1/workflows";

const KINDS: { readonly [type: string]: FailureKind } = {
  invalid_request_error: "invalid",
  not_found_error: "not-found",
  conflict_error: "conflict",
  authentication_error: "forbidden",
  permission_error: "forbidden",
  fence_error: "fenced",
  limit_error: "over-limit",
  unavailable_error: "unavailable",
  corrupt_error: "corrupt",
};

/** The answer as the interface describes it; whoever reads it looks at what is there. */
type Answer = { readonly [field: string]: unknown };

export class HttpEngine implements Engine {
  readonly #http: HttpClient;
  readonly #graph: string;

  constructor(http: HttpClient, graph: string) {
    this.#http = http;
    this.#graph = graph;
  }

  createGraph(): Reply<GraphView> {
    return this.#post("/v1/graph/create", {});
  }
  deleteGraph(): Reply<DeletionView> {
    return this.#post("/v1/graph/delete", {});
  }
  createInstance(request: CreateRequest): Reply<InstanceView> {
    return this.#post(`${BASE}/instances`, request);
  }
  getInstance(id: string): Reply<InstanceView> {
    return this.#get(`${BASE}/instances/get`, { id });
  }
  listInstances(request: ListRequest): Reply<InstancePage> {
    return this.#get(`${BASE}/instances`, { ...request });
  }
  deleteInstance(request: DeleteRequest): Reply<DeletionView> {
    return this.#post(`${BASE}/instances/delete`, request);
  }
  putBlob(request: PutBlobRequest): Reply<BlobReferenceView> {
    return this.#post(`${BASE}/blobs`, request);
  }
  getBlob(id: string, reference: string): Reply<BlobView> {
    return this.#get(`${BASE}/blobs/get`, { id, reference });
  }
  sendMessage(request: SendRequest): Reply<TurnView> {
    return this.#post(`${BASE}/instances/message`, request);
  }
  signal(request: SignalRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/signal`, request);
  }
  control(request: ControlRequest): Reply<InstanceView> {
    return this.#post(`${BASE}/instances/control`, request);
  }
  inbox({ workflow_id: id, ...page }: InboxRequest): Reply<InboxPage> {
    return this.#get(`${BASE}/instances/inbox`, { id, ...page });
  }
  typeInbox(request: TypeInboxRequest): Reply<TypeInboxPage> {
    return this.#get(`${BASE}/inbox`, { ...request });
  }
  history({ workflow_id: id, ...page }: HistoryRequest): Reply<HistoryPage> {
    return this.#get(`${BASE}/instances/history`, { id, ...page });
  }
  getTurn(id: string, turn: number): Reply<TurnView> {
    return this.#get(`${BASE}/instances/turn`, { id, turn });
  }
  async claim(request: ClaimRequest): Reply<Task | null> {
    const answer = await this.#post<{ readonly task: Task | null }>(`${BASE}/turns/claim`, request);
    return answer.ok ? ok(answer.value.task) : answer;
  }
  heartbeat(request: LeaseRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/heartbeat`, request);
  }
  operation(request: OperationRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/operation`, request);
  }
  progress(request: ProgressRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/progress`, request);
  }
  checkpoint(request: CheckpointRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/checkpoint`, request);
  }
  waitSignal(request: WaitSignalRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/wait-signal`, request);
  }
  complete(request: CompleteRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/complete`, request);
  }
  fail(request: FailRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/fail`, request);
  }
  startChild(request: StartChildRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/start-child`, request);
  }
  migrate(request: MigrateRequest): Reply<TurnView> {
    return this.#post(`${BASE}/turns/migrate`, request);
  }
  requeue(request: RequeueRequest): Reply<RequeueView> {
    return this.#post(`${BASE}/turns/requeue`, request);
  }
  /** No part of the interface: a server sweeps by itself. */
  reconcile(): Reply<ReconcileReport> {
    return Promise.resolve(err(unknown("no_route", "nobody can ask for a sweep over HTTP")));
  }

  #post<T>(path: string, body: object): Reply<T> {
    return this.#send("POST", `${path}?graph=${encodeURIComponent(this.#graph)}`, JSON.stringify(body));
  }

  #get<T>(path: string, query: { readonly [name: string]: unknown }): Reply<T> {
    const words = [`graph=${encodeURIComponent(this.#graph)}`];
    for (const [name, value] of Object.entries(query))
      if (value !== undefined && value !== null) words.push(`${name}=${encodeURIComponent(String(value))}`);
    return this.#send("GET", `${path}?${words.join("&")}`, null);
  }

  async #send<T>(method: "GET" | "POST", target: string, body: string | null): Reply<T> {
    const headers: { [name: string]: string } = body === null ? {} : { "content-type": "application/json" };
    const outcome = await this.#http.send({ method, target, headers, body }, TIMEOUT_MS);
    if (outcome.kind === "no-answer") return err(unknown("unanswered", outcome.detail));
    const answer = readAnswer(outcome.response);
    return answer.ok ? ok(trusted<T>(answer.value)) : answer;
  }
}

/** H1, H2. */
function readAnswer({ status, body }: HttpResponse): Result<Answer, Failure> {
  const value: unknown = parseJson(body);
  if (!isObject(value)) return err(unknown("unreadable", `status ${status} with an unreadable body`));
  if (status >= 200 && status < 300) return ok(value);
  const error = isObject(value.error) ? value.error : {};
  const kind = KINDS[String(error.type)] ?? "unknown-outcome";
  const { code, message, param } = error;
  const name = typeof param === "string" ? param : null;
  return err({ kind, code: String(code), message: String(message), param: name });
}

function unknown(code: string, message: string): Failure {
  return { kind: "unknown-outcome", code, message, param: null };
}

/** What a server answers is held against the engine's types by nobody but the checkers, who look at each field. */
function trusted<T>(value: Answer): T {
  return value as T; // The engine's own types say what the interface answers.
}
