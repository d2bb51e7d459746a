/**
 * An engine behind HTTP, for the senders, people and readers of a real run: one method, one request.
 *
 * Written apart from the client of the product, from the interface's description (`src/server/README.md`): a client that
 * mends what a server does wrong would hide it. It repeats nothing.
 *
 *   E1  no answer at all is an unknown outcome, as is one that does not say what happened.
 *   E2  one engine is one server. Who asks another one after that decides so by itself.
 *   E3  the names of the methods are those of the log of calls, and of the table of routes.
 *
 * What is sent and read is in `wire.ts`.
 */
import type {
  BlobReferenceView,
  BlobView,
  CheckpointRequest,
  ClaimRequest,
  CompletedView,
  CompleteRequest,
  ControlRequest,
  CreateRequest,
  DeleteRequest,
  DeletionView,
  Engine,
  FailRequest,
  Failure,
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
import type { HttpClient } from "../../src/ports/index.ts";
import { err, ok } from "../../src/std/result.ts";
import { readAnswer, requestOf } from "./wire.ts";

const TIMEOUT_MS = 15_000;

export class HttpEngine implements Engine {
  readonly #http: HttpClient;
  readonly #graph: string;

  constructor(http: HttpClient, graph: string) {
    this.#http = http;
    this.#graph = graph;
  }

  // Graphs are made by the servers when they start; nobody here deletes one.
  createGraph(): Reply<GraphView> {
    return this.#send("createGraph", {});
  }
  deleteGraph(): Reply<DeletionView> {
    return this.#send("deleteGraph", {});
  }
  // What senders and people ask.
  createInstance(request: CreateRequest): Reply<InstanceView> {
    return this.#send("createInstance", request);
  }
  getInstance(id: string): Reply<InstanceView> {
    return this.#send("getInstance", { id });
  }
  listInstances(request: ListRequest): Reply<InstancePage> {
    return this.#send("listInstances", request);
  }
  deleteInstance(request: DeleteRequest): Reply<DeletionView> {
    return this.#send("deleteInstance", request);
  }
  putBlob(request: PutBlobRequest): Reply<BlobReferenceView> {
    return this.#send("putBlob", request);
  }
  getBlob(workflow_id: string, reference: string): Reply<BlobView> {
    return this.#send("getBlob", { workflow_id, reference });
  }
  sendMessage(request: SendRequest): Reply<TurnView> {
    return this.#send("sendMessage", request);
  }
  signal(request: SignalRequest): Reply<TurnView> {
    return this.#send("signal", request);
  }
  control(request: ControlRequest): Reply<InstanceView> {
    return this.#send("control", request);
  }
  // What people look at; a reader may ask again as it likes.
  inbox(request: InboxRequest): Reply<InboxPage> {
    return this.#send("inbox", request);
  }
  typeInbox(request: TypeInboxRequest): Reply<TypeInboxPage> {
    return this.#send("typeInbox", request);
  }
  history(request: HistoryRequest): Reply<HistoryPage> {
    return this.#send("history", request);
  }
  getTurn(workflow_id: string, turn: number): Reply<TurnView> {
    return this.#send("getTurn", { workflow_id, turn });
  }
  // What workers ask.
  claim(request: ClaimRequest): Reply<Task | null> {
    return this.#send("claim", request);
  }
  heartbeat(request: LeaseRequest): Reply<TurnView> {
    return this.#send("heartbeat", request);
  }
  operation(request: OperationRequest): Reply<TurnView> {
    return this.#send("operation", request);
  }
  progress(request: ProgressRequest): Reply<TurnView> {
    return this.#send("progress", request);
  }
  checkpoint(request: CheckpointRequest): Reply<TurnView> {
    return this.#send("checkpoint", request);
  }
  waitSignal(request: WaitSignalRequest): Reply<TurnView> {
    return this.#send("waitSignal", request);
  }
  complete(request: CompleteRequest): Reply<CompletedView> {
    return this.#send("complete", request);
  }
  fail(request: FailRequest): Reply<TurnView> {
    return this.#send("fail", request);
  }
  startChild(request: StartChildRequest): Reply<TurnView> {
    return this.#send("startChild", request);
  }
  migrate(request: MigrateRequest): Reply<TurnView> {
    return this.#send("migrate", request);
  }
  requeue(request: RequeueRequest): Reply<RequeueView> {
    return this.#send("requeue", request);
  }
  /** No part of the interface: a server sweeps by itself. */
  reconcile(): Reply<ReconcileReport> {
    return Promise.resolve(err(unknown("no_route", "nobody can ask for a sweep over HTTP")));
  }

  async #send<T>(operation: string, asked: object): Reply<T> {
    const request = requestOf(operation, asked, this.#graph);
    const outcome = await this.#http.send(request, TIMEOUT_MS);
    if (outcome.kind === "no-answer") return err(unknown("unanswered", outcome.detail));
    const said = readAnswer(operation, outcome.response);
    return said.ok ? ok(trusted<T>(said.value)) : said;
  }
}

function unknown(code: string, message: string): Failure {
  return { kind: "unknown-outcome", code, message, param: null };
}

/** What a server answers is held against the engine's types by nobody but the checkers, who look at each field. */
function trusted<T>(value: unknown): T {
  return value as T; // The engine's own types say what the interface answers.
}
