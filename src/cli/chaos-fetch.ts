/**
 * The way to one server over fetch, for the callers of a chaos run: one exchange, never rejected, whole or no answer.
 */
import type { HttpClient, HttpOutcome, HttpRequest } from "../ports/index.ts";

export function fetchClient(url: string): HttpClient {
  return {
    async send(request: HttpRequest, timeoutMs: number, signal?: AbortSignal): Promise<HttpOutcome> {
      const ending = new AbortController();
      const timer = timeoutMs > 0 ? setTimeout(() => ending.abort(), timeoutMs) : null;
      const end = () => ending.abort();
      signal?.addEventListener("abort", end, { once: true });
      try {
        const { method, target, headers, body } = request;
        const response = await fetch(`${url}${target}`, { method, headers, body, signal: ending.signal });
        const text = await response.text();
        const answer = { status: response.status, headers: Object.fromEntries(response.headers), body: text };
        return { kind: "answer", response: answer };
      } catch (error) {
        return { kind: "no-answer", detail: error instanceof Error ? error.message : String(error) };
      } finally {
        if (timer !== null) clearTimeout(timer);
        signal?.removeEventListener("abort", end);
      }
    },
  };
}
