/**
 * One HTTP exchange as the client sends it and as the server answers it: plain values, so that the same client and the
 * same handlers run over a socket and over the simulated hop.
 *
 *   H1  one call is one request. Retries belong to the caller (`src/client`), and each of them repeats the body byte for
 *       byte.
 *   H2  `no-answer` is an unknown outcome: the server may have handled the request, may handle it later, or never had
 *       it. It is the same value for all three.
 *   H3  an answer that was cut off is `no-answer`: a body that is there is whole.
 *
 * Source: `contract.md` section 1; fault kinds D01, D02, H01, H02.
 */
import type { Abortable } from "../std/cancel.ts";

export type HttpMethod = "GET" | "POST";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** Path and query, percent-encoded: `/v1/workflows/instances/get?id=a&graph=main`. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** Null when there is none. */
  readonly body: string | null;
}

export interface HttpResponse {
  /** 200 to 599. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** Empty when there is none. */
  readonly body: string;
}

export type HttpOutcome =
  | { readonly kind: "answer"; readonly response: HttpResponse }
  /** H2. `detail` is for people. */
  | { readonly kind: "no-answer"; readonly detail: string };

/** The way to one server. */
export interface HttpClient {
  /**
   * Never rejects. `timeoutMs` covers the body of the answer, too; 0: none. An aborted `signal` ends the exchange at once
   * as `no-answer`.
   */
  send(request: HttpRequest, timeoutMs: number, signal?: AbortSignal): Promise<HttpOutcome>;
}

/** What a server does with a request; never rejects. `gone` is aborted once the caller is known to have hung up. */
export type HttpHandler = (request: HttpRequest, gone?: Abortable) => Promise<HttpResponse>;
