/**
 * One call over HTTP with its repeats.
 *
 *   E1  a call of class `repeat` is made again after 429, after any status from 500, and when there was no answer; one of
 *       class `rate-limited` only after 429; one of class `once` never.
 *   E2  an answer that says `retryable: false` is the last one, whatever its status.
 *   E3  every attempt sends the same text, byte for byte; it is made once.
 *   E4  one attempt has 120 s, with reading its answer.
 *   E5  a success is parsed once; a body that cannot be read is a failure and not asked for again.
 *
 * How often and how far apart is in `src/workflow/retries.ts`. Source: contract section 1.2.
 */
import type { Clock } from "../ports/clock.ts";
import type { HttpClient, HttpMethod, HttpRequest, HttpResponse } from "../ports/http.ts";
import type { Random } from "../ports/random.ts";
import { isJsonObject, type JsonObject, parseJson } from "../std/json.ts";
import { err, ok, type Result } from "../std/result.ts";
import { type AnsweredFailure, type Tried, withRetries } from "../workflow/index.ts";
import { noAnswer, refusalOf, unreadable } from "./refusals.ts";

export type CallClass = "repeat" | "rate-limited" | "once";

export interface ExchangeOptions {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly random: Random;
  /** The bearer token; none: the server asks for none. */
  readonly apiKey?: string;
  /** Default: `main`. */
  readonly graph?: string;
  /** Of one attempt (E4); 0: none. */
  readonly timeoutMs?: number;
}

export interface Call {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query?: { readonly [name: string]: string | number | boolean | null | undefined };
  /** Sent as JSON; what is undefined in it is left out. */
  readonly body?: object;
  readonly repeats: CallClass;
}

const CONTRACT = "2026-07-23";
const TIMEOUT_MS = 120_000;

export type Answer = Result<JsonObject, AnsweredFailure>;

export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #headers: { readonly [name: string]: string };
  readonly #graph: string;

  constructor(options: ExchangeOptions) {
    const { apiKey, graph = "main" } = options;
    this.#options = options;
    this.#graph = graph;
    this.#headers = {
      "content-type": "application/json",
      accept: "application/json",
      "lbb-version": CONTRACT,
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    };
  }

  /** Never rejects. An aborted `signal` ends the exchange, and its repeats, at once. */
  call(call: Call, signal?: AbortSignal): Promise<Answer> {
    const { http, clock, timeoutMs = TIMEOUT_MS } = this.#options;
    const request: HttpRequest = {
      method: call.method,
      target: this.#target(call),
      headers: this.#headers,
      body: call.body === undefined ? null : JSON.stringify(call.body),
    };
    return withRetries(
      this.#options,
      async () => {
        const outcome = await http.send(request, timeoutMs, signal);
        return outcome.kind === "no-answer"
          ? silence(outcome.detail, call.repeats)
          : tried(outcome.response, call.repeats, clock.wallMs());
      },
      signal,
    );
  }

  #target({ path, query = {} }: Call): string {
    const named = Object.entries({ ...query, graph: this.#graph }).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    );
    return `${path}?${named.join("&")}`;
  }
}

function silence(detail: string, repeats: CallClass): Tried<Answer> {
  return { value: err(noAnswer(detail)), again: repeats === "repeat" ? { afterMs: null } : null };
}

function tried(response: HttpResponse, repeats: CallClass, wallMs: number): Tried<Answer> {
  const { status } = response;
  if (status >= 200 && status < 300) return { value: read(response), again: null };
  const failure = refusalOf(response, wallMs);
  const fits = repeats === "repeat" || (repeats === "rate-limited" && status === 429);
  return { value: err(failure), again: fits && failure.retryable ? { afterMs: failure.retryAfterMs } : null };
}

/** E5. No body at all, and `null`, are an answer that says nothing. */
function read(response: HttpResponse): Answer {
  const parsed = response.body === "" ? null : parseJson(response.body);
  if (parsed === null) return ok({});
  return isJsonObject(parsed) ? ok(parsed) : err(unreadable(response));
}
