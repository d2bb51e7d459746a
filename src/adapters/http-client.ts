/**
 * The way to a server over the network.
 *
 *   F1  whatever goes wrong under way (no connection, a reset, a time-out, a body that is cut off) is `no-answer`: nobody
 *       can say whether the server has handled the request.
 *   F2  redirects are not followed: a moved server is the operator's mistake to see, and a body is sent to nobody else.
 *   F3  connections are kept open and used again; idle ones do not keep the process alive, and go before a server would
 *       close them under a request.
 *
 * On Node's own client and not on `fetch`, which takes about twice the time of an exchange for streams that nobody reads.
 */
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest, Agent as SecureAgent } from "node:https";
import type { HttpClient, HttpOutcome, HttpRequest } from "../ports/http.ts";

/** F3: Node's servers close an idle connection after 5 s. */
const IDLE_MS = 4_000;

export class NetworkHttp implements HttpClient {
  readonly #url: URL;
  readonly #base: string;
  readonly #agent: Agent;

  /** `url`: scheme, host and port; a path in it goes before every target. */
  constructor(url: string) {
    this.#url = new URL(url);
    if (!/^https?:$/.test(this.#url.protocol)) throw new TypeError(`${url} is no http or https address`);
    this.#base = this.#url.pathname.replace(/\/+$/, "");
    const options = { keepAlive: true, timeout: IDLE_MS };
    this.#agent = this.#isSecure ? new SecureAgent(options) : new Agent(options);
  }

  send(request: HttpRequest, timeoutMs: number, signal?: AbortSignal): Promise<HttpOutcome> {
    if (signal?.aborted) return Promise.resolve({ kind: "no-answer", detail: "nobody waits for it" });
    return new Promise((resolve) => {
      const sent = this.#open(request);
      const end = (outcome: HttpOutcome) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        resolve(outcome);
      };
      const leave = () => sent.destroy(new Error("nobody waits for it"));
      const late = () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`));
      const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
      signal?.addEventListener("abort", leave, { once: true });
      const fail = (error: Error) => end({ kind: "no-answer", detail: error.message || error.name });
      sent.on("error", fail);
      sent.on("response", (response) => collect(response, end, fail));
      sent.end(request.body ?? undefined);
    });
  }

  get #isSecure(): boolean {
    return this.#url.protocol === "https:";
  }

  #open({ method, target, headers, body }: HttpRequest): ClientRequest {
    const { hostname, port } = this.#url;
    return (this.#isSecure ? httpsRequest : httpRequest)({
      agent: this.#agent,
      // Brackets belong to an address in a URL, not to the address.
      host: hostname.replace(/^\[|\]$/g, ""),
      port: port === "" ? null : port,
      method,
      path: `${this.#base}${target}`,
      headers: body === null ? headers : { ...headers, "content-length": Buffer.byteLength(body) },
    });
  }
}

function collect(
  response: IncomingMessage,
  end: (outcome: HttpOutcome) => void,
  fail: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  response.on("data", (chunk: Buffer) => chunks.push(chunk));
  response.on("error", fail);
  response.on("end", () => {
    // H3 of the port: a body that ends early is no answer.
    if (!response.complete) return fail(new Error("the answer was cut off"));
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
    );
    const body = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString("utf8") ?? "";
    end({ kind: "answer", response: { status: response.statusCode ?? 0, headers, body } });
  });
}
