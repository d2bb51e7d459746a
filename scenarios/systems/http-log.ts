/**
 * What went over HTTP in a run, as its two ends saw it: kept for the checkers of workers, clients and servers.
 *
 *   E1  one counter orders everything: of two things the one with the lower number was first, also within a millisecond.
 *   E2  an exchange is what the sender knows: when it sent, when it learned what; times also by its own monotonic clock,
 *       which is the one that its rules speak of.
 *   E3  what was served is what the server knows: the answer, and which calls of the engine were made for it.
 *
 * The harness has its own log of calls; this one has what that cannot know: bodies as text, clocks, and who asked.
 */
import type { HttpRequest, HttpResponse } from "../../src/ports/http.ts";
import type { WorkerSavings } from "../../src/workflow/index.ts";
import type { Asked, Said } from "./http-wire.ts";

/** One request, by its sender. */
export interface Exchange {
  /** Who sent it: one worker or one client, of one life of one process. */
  readonly by: Sender;
  /** Of a client: which of its user's calls it was sent for, from 1; null: the sender is a worker. */
  readonly call: number | null;
  readonly asked: Asked;
  readonly target: string;
  readonly body: string | null;
  /** E1. */
  readonly sent: number;
  readonly sentAtMs: number;
  /** E2. */
  readonly sentMonoMs: number;
  ended: number | null;
  endedAtMs: number;
  endedMonoMs: number;
  /** `left`: the sender gave up on it, and never looks at its answer. Null: it is under way, or its sender died. */
  end: "answer" | "no-answer" | "left" | null;
  /** Of an answer. */
  status: number;
  said: Said | null;
  /** What the answer asked to wait; null: nothing. */
  retryAfterMs: number | null;
  /** The answer says that no repeat helps. */
  final: boolean;
}

export interface Sender {
  readonly process: string;
  readonly incarnation: number;
  /** Tells apart the workers and clients of one life. */
  readonly serial: number;
  readonly kind: "worker" | "client";
  /** Of a worker. */
  readonly concurrency: number;
  readonly savings: WorkerSavings | null;
}

/** One request, by the server that answered it. */
export interface Served {
  readonly node: string;
  readonly asked: Asked;
  readonly response: HttpResponse;
  readonly said: Said;
  readonly atMs: number;
  /** The engine's calls while it was served, of all requests of that node. */
  readonly calls: readonly EngineCall[];
}

export interface EngineCall {
  readonly operation: string;
  readonly args: readonly unknown[];
  /** Undefined: not answered. */
  reply: unknown;
}

/** What a handler did in a step, told by the handler itself. */
export interface Deed {
  readonly by: Sender;
  readonly token: string;
  readonly key: string;
  /**
   * `begins`: the step's function was called, and its effect performed. `reports`: it told its progress. `returns`: it is
   * about to return.
   */
  readonly kind: "begins" | "reports" | "returns";
  /** Of a report. */
  readonly phase: string;
  readonly done: number;
  /** E1. */
  readonly nth: number;
  readonly atMs: number;
  /** By the worker's monotonic clock. */
  readonly monoMs: number;
}

/** A worker was told to stop, once or again; or its `run` has ended. */
export interface Stopped {
  readonly by: Sender;
  readonly kind: "first" | "again" | "ended";
  readonly drainMs: number;
  readonly nth: number;
  readonly monoMs: number;
}

export class HttpLog {
  readonly exchanges: Exchange[] = [];
  readonly served: Served[] = [];
  readonly deeds: Deed[] = [];
  readonly stops: Stopped[] = [];
  #next = 0;
  #serials = 0;

  /** E1. */
  next(): number {
    this.#next++;
    return this.#next;
  }

  sender(
    process: string,
    incarnation: number,
    kind: Sender["kind"],
    concurrency = 0,
    savings: WorkerSavings | null = null,
  ): Sender {
    this.#serials++;
    return { process, incarnation, serial: this.#serials, kind, concurrency, savings };
  }
}

/** What the envelope and headers of an answer ask of a client. */
export function askedOfClient({ headers, body }: HttpResponse): Pick<Exchange, "retryAfterMs" | "final"> {
  const after = headers["retry-after"];
  const seconds = after === undefined || !/^\d+$/.test(after) ? null : Number(after);
  return {
    retryAfterMs: seconds === null ? null : 1_000 * seconds,
    final: body.includes('"retryable":false'),
  };
}

/** The start of an exchange; the log fills in its end. */
export function begun(
  log: HttpLog,
  by: Sender,
  call: number | null,
  asked: Asked,
  { target, body }: HttpRequest,
  sentAtMs: number,
  sentMonoMs: number,
): Exchange {
  const exchange: Exchange = {
    by,
    call,
    asked,
    target,
    body,
    sent: log.next(),
    sentAtMs,
    sentMonoMs,
    ended: null,
    endedAtMs: 0,
    endedMonoMs: 0,
    end: null,
    status: 0,
    said: null,
    retryAfterMs: null,
    final: false,
  };
  log.exchanges.push(exchange);
  return exchange;
}
