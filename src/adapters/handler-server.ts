/**
 * A socket in front of something that answers requests, or does not: for scripted servers and for tests.
 *
 * No limits, no time-outs: whoever talks to it is trusted. The server for users is in `http-server.ts`. An outcome without
 * an answer closes the connection; one that never comes leaves it open.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpOutcome, HttpRequest } from "../ports/http.ts";

export interface HandlerServer {
  readonly url: string;
  /** Open connections are cut. */
  close(): Promise<void>;
}

/** Listens on a free port of this machine. */
export async function serveHandler(
  handle: (request: HttpRequest) => Promise<HttpOutcome>,
): Promise<HandlerServer> {
  const server = createServer((request, response) => {
    void answer(handle, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  handle: (request: HttpRequest) => Promise<HttpOutcome>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return; // The caller has gone in the middle of its request.
  }
  const body = Buffer.concat(chunks).toString("utf8");
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const method = request.method === "GET" ? "GET" : "POST";
  const outcome = await handle({
    method,
    target: request.url ?? "/",
    headers,
    body: body === "" ? null : body,
  });
  if (outcome.kind === "no-answer") {
    request.socket.destroy();
    return;
  }
  response.writeHead(outcome.response.status, { ...outcome.response.headers });
  response.end(outcome.response.body);
}
