/**
 * The way to a server over the network, by the platform's `fetch`.
 *
 *   F1  whatever goes wrong under way (no connection, a reset, a time-out, a body that is cut off) is `no-answer`: nobody
 *       can say whether the server has handled the request.
 *   F2  redirects are not followed: a moved server is the operator's mistake to see, and a body is sent to nobody else.
 *   F3  connections are kept open and used again; they do not keep the process alive.
 */
import type { HttpClient, HttpOutcome, HttpRequest } from "../ports/http.ts";

export class FetchHttp implements HttpClient {
  readonly #base: string;

  /** `url`: scheme, host and port; a path in it goes before every target. */
  constructor(url: string) {
    const parsed = new URL(url);
    if (!/^https?:$/.test(parsed.protocol)) throw new TypeError(`${url} is no http or https address`);
    this.#base = `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
  }

  async send(request: HttpRequest, timeoutMs: number, signal?: AbortSignal): Promise<HttpOutcome> {
    const ending = new AbortController();
    const end = () => ending.abort(signal?.reason);
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end, { once: true });
    const late = () => ending.abort(new Error(`no answer within ${timeoutMs} ms`));
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : null;
    try {
      const response = await fetch(`${this.#base}${request.target}`, {
        method: request.method,
        headers: request.headers,
        redirect: "manual",
        ...(request.body === null ? {} : { body: request.body }),
        signal: ending.signal,
      });
      const body = await response.text();
      return {
        kind: "answer",
        response: { status: response.status, headers: Object.fromEntries(response.headers), body },
      };
    } catch (error) {
      return { kind: "no-answer", detail: detailOf(error) };
    } finally {
      if (timer !== null) clearTimeout(timer);
      signal?.removeEventListener("abort", end);
    }
  }
}

/** What `fetch` throws says little; its cause names the address and the reason. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
