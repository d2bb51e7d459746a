/**
 * A caller of the engine: asks one node at a time, and knows what to do with each answer.
 *
 *   V1  `unknown-outcome` and `unavailable` mean: the same request again after a back-off, perhaps at another
 *       node. Every other failure is an answer and is never repeated.
 *   V2  a call that nobody answered is an unknown outcome like any other.
 *
 * It has one method for each call of the engine, so that every call of a run is recorded with its request and answer.
 *
 * Each method is one method of the engine, asked once; `repeat` asks until there is an answer. The log of calls names
 * the method and has the request as it was passed, which the checkers read.
 *
 * All that varies comes from the process's own ports, so that a caller is part of the simulated system.
 */

import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
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
  InstanceView,
  LeaseRequest,
  MigrateRequest,
  OperationRequest,
  ProgressRequest,
  PutBlobRequest,
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
import { present } from "../../src/std/assert.ts";
import { err, type Result } from "../../src/std/result.ts";

/** How long a caller waits for an answer: longer than a node tries, so that callers hear of what it gave up. */
const CALL_TIMEOUT_MS = 12_000;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_LAST_MS = 2_000;

const UNANSWERED: Failure = {
  kind: "unknown-outcome",
  code: "unanswered",
  message: "the node did not answer",
  param: null,
};

export class NodeClient {
  readonly #simulation: Simulation;
  readonly #context: ProcessContext;
  readonly #nodes: readonly Process<Engine>[];
  #at: number;

  /** Begins at the node `home`, counted around. */
  constructor(
    simulation: Simulation,
    context: ProcessContext,
    nodes: readonly Process<Engine>[],
    home: number,
  ) {
    this.#simulation = simulation;
    this.#context = context;
    this.#nodes = nodes;
    this.#at = home % nodes.length;
  }

  /** Asks the next node from now on. */
  move(): void {
    this.#at = (this.#at + 1) % this.#nodes.length;
  }

  // What senders and people ask, and what workers ask about their attempts.
  create(request: CreateRequest): Promise<Result<InstanceView, Failure>> {
    return this.#call("createInstance", request, (node) => node.createInstance(request));
  }
  createGraph(): Promise<Result<GraphView, Failure>> {
    return this.#call("createGraph", {}, (node) => node.createGraph());
  }
  deleteGraph(): Promise<Result<DeletionView, Failure>> {
    return this.#call("deleteGraph", {}, (node) => node.deleteGraph());
  }
  delete(request: DeleteRequest): Promise<Result<DeletionView, Failure>> {
    return this.#call("deleteInstance", request, (node) => node.deleteInstance(request));
  }
  putBlob(request: PutBlobRequest): Promise<Result<BlobReferenceView, Failure>> {
    return this.#call("putBlob", request, (node) => node.putBlob(request));
  }
  blob(workflow_id: string, reference: string): Promise<Result<BlobView, Failure>> {
    const request = { workflow_id, reference };
    return this.#call("getBlob", request, (node) => node.getBlob(workflow_id, reference));
  }
  send(request: SendRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("sendMessage", request, (node) => node.sendMessage(request));
  }
  claim(request: ClaimRequest): Promise<Result<Task | null, Failure>> {
    const timeoutMs = CALL_TIMEOUT_MS + (request.wait_ms ?? 0);
    return this.#call("claim", request, (node) => node.claim(request), timeoutMs);
  }
  heartbeat(request: LeaseRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("heartbeat", request, (node) => node.heartbeat(request));
  }
  checkpoint(request: CheckpointRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("checkpoint", request, (node) => node.checkpoint(request));
  }
  operation(request: OperationRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("operation", request, (node) => node.operation(request));
  }
  progress(request: ProgressRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("progress", request, (node) => node.progress(request));
  }
  waitSignal(request: WaitSignalRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("waitSignal", request, (node) => node.waitSignal(request));
  }
  signal(request: SignalRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("signal", request, (node) => node.signal(request));
  }
  control(request: ControlRequest): Promise<Result<InstanceView, Failure>> {
    return this.#call("control", request, (node) => node.control(request));
  }
  typeInbox(request: TypeInboxRequest): Promise<Result<TypeInboxPage, Failure>> {
    return this.#call("typeInbox", request, (node) => node.typeInbox(request));
  }
  inbox(request: InboxRequest): Promise<Result<InboxPage, Failure>> {
    return this.#call("inbox", request, (node) => node.inbox(request));
  }
  complete(request: CompleteRequest): Promise<Result<CompletedView, Failure>> {
    return this.#call("complete", request, (node) => node.complete(request));
  }
  fail(request: FailRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("fail", request, (node) => node.fail(request));
  }
  startChild(request: StartChildRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("startChild", request, (node) => node.startChild(request));
  }
  migrate(request: MigrateRequest): Promise<Result<TurnView, Failure>> {
    return this.#call("migrate", request, (node) => node.migrate(request));
  }
  requeue(request: RequeueRequest): Promise<Result<RequeueView, Failure>> {
    return this.#call("requeue", request, (node) => node.requeue(request));
  }

  // Reads, which a caller may repeat as it likes.
  instance(id: string): Promise<Result<InstanceView, Failure>> {
    return this.#call("getInstance", { id }, (node) => node.getInstance(id));
  }
  turn(workflow_id: string, turn: number): Promise<Result<TurnView, Failure>> {
    return this.#call("getTurn", { workflow_id, turn }, (node) => node.getTurn(workflow_id, turn));
  }
  history(request: HistoryRequest): Promise<Result<HistoryPage, Failure>> {
    return this.#call("history", request, (node) => node.history(request));
  }

  /** V1: asks up to `tries` times, until there is an answer. */
  async repeat<T>(tries: number, ask: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
    for (let tried = 1; ; tried++) {
      const answer = await ask();
      if (answer.ok || !isOpen(answer.error) || tried >= tries) return answer;
      await this.backOff(tried);
    }
  }

  /** Waits before try `tried` + 1, and perhaps goes to another node. */
  async backOff(tried: number): Promise<void> {
    const { random, clock } = this.#context;
    const ceilingMs = Math.min(BACKOFF_LAST_MS, BACKOFF_FIRST_MS * 2 ** Math.min(tried - 1, 8));
    if (random.below(2, "client-move") === 1) this.move();
    await clock.sleep(BACKOFF_FIRST_MS + random.below(ceilingMs, "client-back-off"));
  }

  async #call<T>(
    operation: string,
    request: unknown,
    invoke: (node: Engine) => Reply<T>,
    timeoutMs: number = CALL_TIMEOUT_MS,
  ): Promise<Result<T, Failure>> {
    const node = present(this.#nodes[this.#at], "a node to call");
    const outcome = await this.#simulation.call(
      this.#context,
      node,
      { operation, request },
      invoke,
      timeoutMs,
    );
    return outcome.kind === "answered" ? outcome.value : err(UNANSWERED);
  }
}

function isOpen(failure: Failure): boolean {
  return failure.kind === "unknown-outcome" || failure.kind === "unavailable";
}
