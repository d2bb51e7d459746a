/**
 * The client's way to the servers, in the simulation: a balancer in front of all nodes, over a hop with faults.
 *
 *   B1  one request goes to one node. After no answer, or trouble of the server, the next one goes elsewhere as often as
 *       not; after an empty claim always, so that every node's clock and copy of the index gets its say.
 *   B2  a connection breaks: who sent over it learns within `CUT_MS` that there is no answer, not what was lost. A node
 *       that is down or frozen is found out by the balancer, after `PATIENCE_MS` beyond what the request itself waits.
 *   B3  who gives up hangs up: the server is told, a moment later, if it is still at it.
 *   B5  of each turn it remembers what the last answer that brought it said, and a handler is not told.
 *   B4  no timer is set for an abort: a listener is put on the signal and taken off again.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { HttpClient, HttpOutcome, HttpRequest, HttpResponse } from "../../src/ports/http.ts";
import { present } from "../../src/std/assert.ts";
import { Cancel } from "../../src/std/cancel.ts";
import { isJsonObject, type Json } from "../../src/std/json.ts";
import { askedOfClient, begun, type Exchange, type HttpLog, type Sender } from "./http-log.ts";
import type { HttpNode } from "./http-node.ts";
import { type Asked, askedBy, type Said, saidBy } from "./http-wire.ts";

const PATIENCE_MS = 12_000;
const CUT_MS = 1_500;
const HANG_UP_MS = 2;

/** What a server answered, in both languages: the log of calls keeps it as the reply. */
type Answered = Said & { readonly http: HttpResponse };

export interface ClaimedTurn {
  readonly token: string;
  readonly leaseMs: number;
  /** How many of its steps were saved by then. */
  readonly saved: number;
}

export interface HopSetup {
  readonly simulation: Simulation;
  readonly nodes: readonly Process<HttpNode>[];
  readonly log: HttpLog;
}

export class HttpHop implements HttpClient {
  readonly by: Sender;
  readonly #setup: HopSetup;
  readonly #context: ProcessContext;
  #at: number;
  /** Of a client: its user's call that is under way. */
  call: number | null;
  /** Of a worker: asked before each claim. */
  beforeClaim: () => void = () => undefined;
  /** B5. */
  readonly #claimed = new Map<string, ClaimedTurn>();

  constructor(setup: HopSetup, context: ProcessContext, home: number, by: Sender) {
    this.#setup = setup;
    this.#context = context;
    this.#at = home % setup.nodes.length;
    this.by = by;
    this.call = by.kind === "client" ? 0 : null;
  }

  /** The next request goes to the next node. */
  move(): void {
    this.#at = (this.#at + 1) % this.#setup.nodes.length;
  }

  /** B5. */
  claimed(workflowId: string, turn: number): ClaimedTurn {
    return present(this.#claimed.get(`${workflowId} ${turn}`), "a turn that was claimed");
  }

  async send(request: HttpRequest, timeoutMs: number, signal?: AbortSignal): Promise<HttpOutcome> {
    if (signal?.aborted) return { kind: "no-answer", detail: "given up before it was sent" };
    const { simulation, log } = this.#setup;
    const asked = askedBy(request);
    if (asked.operation === "claim") this.beforeClaim();
    const nowMs = this.#context.clock.monotonicMs();
    const exchange = begun(log, this.by, this.call, asked, request, simulation.now(), nowMs);
    const hangUps: (() => void)[] = [];
    const answer = await this.#orLeft(exchange, signal, this.#exchange(request, asked, timeoutMs, hangUps));
    if (answer === null) {
      for (const hangUp of hangUps) hangUp();
      if (exchange.end !== "left" && this.#context.random.below(2, "http-move") === 1) this.move();
      return { kind: "no-answer", detail: "the connection broke" };
    }
    this.#moveAfter(asked, answer);
    if (answer.ok) this.#remember(asked.operation, answer.value);
    return { kind: "answer", response: answer.http };
  }

  /** The answer, or null: there was none, or nobody waits for it any more. */
  #exchange(
    request: HttpRequest,
    asked: Asked,
    timeoutMs: number,
    hangUps: (() => void)[],
  ): Promise<Answered | null> {
    const { simulation, nodes } = this.#setup;
    const waits = typeof asked.request.wait_ms === "number" ? asked.request.wait_ms : 0;
    const patienceMs = PATIENCE_MS + waits;
    const node = present(nodes[this.#at], "a node to ask");
    return simulation
      .call<HttpNode, Answered>(
        this.#context,
        node,
        { ...asked, cutWithinMs: CUT_MS },
        async (server) => {
          const gone = new Cancel();
          const hangUp = () => gone.abort();
          hangUps.push(() => simulation.deliver(server.context, HANG_UP_MS, "http-hang-up", hangUp));
          const http = await server.handle(request, asked, gone);
          return { ...saidBy(asked.operation, http), http };
        },
        timeoutMs > 0 ? Math.min(timeoutMs, patienceMs) : patienceMs,
      )
      .then((outcome) => (outcome.kind === "answered" ? outcome.value : null));
  }

  /** B3, B4; and the exchange's end in the log. */
  #orLeft(
    exchange: Exchange,
    signal: AbortSignal | undefined,
    answer: Promise<Answered | null>,
  ): Promise<Answered | null> {
    return new Promise((resolve) => {
      const leave = () => {
        this.#end(exchange, "left");
        resolve(null);
      };
      signal?.addEventListener("abort", leave, { once: true });
      answer.then((answered) => {
        if (exchange.end !== null) return;
        signal?.removeEventListener("abort", leave);
        this.#end(exchange, answered === null ? "no-answer" : "answer");
        if (answered !== null) {
          exchange.status = answered.http.status;
          exchange.said = answered.ok
            ? { ok: true, value: answered.value }
            : { ok: false, error: answered.error };
          Object.assign(exchange, askedOfClient(answered.http));
        }
        resolve(answered);
      });
    });
  }

  #end(exchange: Exchange, how: NonNullable<Exchange["end"]>): void {
    exchange.end = how;
    exchange.ended = this.#setup.log.next();
    exchange.endedAtMs = this.#setup.simulation.now();
    exchange.endedMonoMs = this.#context.clock.monotonicMs();
  }

  /** B5. */
  #remember(operation: string, value: Json): void {
    const withNext = operation === "complete" && isJsonObject(value) ? value.next : null;
    const task = operation === "claim" ? value : withNext;
    if (!isJsonObject(task) || !isJsonObject(task.turn)) return;
    const { token, lease_ms, turn } = task;
    const saved = Array.isArray(turn.steps) ? turn.steps.length : 0;
    const claimed = { token: String(token), leaseMs: Number(lease_ms), saved };
    this.#claimed.set(`${turn.workflow_id} ${turn.number}`, claimed);
  }

  /** B1. */
  #moveAfter({ operation }: Asked, answer: Answered): void {
    const isEmpty = operation === "claim" && answer.ok && answer.value === null;
    if (isEmpty) this.move();
    else if (answer.http.status >= 500 && this.#context.random.below(2, "http-move") === 1) this.move();
  }
}
