/**
 * The way to several servers that a real worker uses: writes down each request and its answer as a call of the engine.
 *
 *   L1  a request goes to one server; after one that was not answered, or that the server could not serve, the next one is
 *       asked. So a worker goes on while its server is down.
 *   L2  what is written down is what went over the wire, request by request: repeats are calls of their own.
 *   L3  an answer may be lost on purpose, after the server has given it.
 */
import type { FaultKind } from "../../sim/index.ts";
import type { HttpClient, HttpOutcome, HttpRequest } from "../../src/ports/index.ts";
import { present } from "../../src/std/assert.ts";
import type { ChaosLog } from "./log-lines.ts";
import { askedBy, readAnswer } from "./wire.ts";

const SERVER_FAILED = 500;

export class LoggedHttp implements HttpClient {
  readonly #servers: readonly (readonly [name: string, http: HttpClient])[];
  readonly #log: ChaosLog;
  readonly #loses: () => boolean;
  #at: number;
  #calls = 0;

  /** `loses`: whether the next answer is lost. */
  constructor(
    servers: readonly (readonly [name: string, http: HttpClient])[],
    home: number,
    log: ChaosLog,
    loses: () => boolean,
  ) {
    this.#servers = servers;
    this.#at = home % servers.length;
    this.#log = log;
    this.#loses = loses;
  }

  async send(request: HttpRequest, timeoutMs: number, signal?: AbortSignal): Promise<HttpOutcome> {
    const log = this.#log;
    const [to, http] = present(this.#servers[this.#at], "a server to ask");
    this.#calls += 1;
    const id = this.#calls;
    const asked = askedBy(request);
    log.write({ e: "call-sent", at: log.nowMs(), id, to, ...asked });
    const outcome = await http.send(request, timeoutMs, signal);
    const isLost = outcome.kind === "answer" && this.#loses();
    // L1.
    if (isLost || outcome.kind === "no-answer" || outcome.response.status >= SERVER_FAILED)
      this.#at = (this.#at + 1) % this.#servers.length;
    const answered = outcome.kind === "answer" && !isLost;
    const reply = answered ? readAnswer(asked.operation, outcome.response) : null;
    const faults: FaultKind[] = isLost ? ["H02-lost-reply"] : [];
    const told = answered ? "answered" : "unknown-outcome";
    log.write({ e: "call-told", at: log.nowMs(), id, outcome: told, reply, faults });
    return isLost ? { kind: "no-answer", detail: "the answer was lost" } : outcome;
  }
}
