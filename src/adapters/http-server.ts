/**
 * The socket side of the server: hono's Node adapter in front of a handler of plain requests.
 *
 *   A1  what never becomes a request is refused here, with the handler's own envelope: another method, a body over its
 *       limit, text that is not UTF-8, broken HTTP, a client that takes too long.
 *   A2  the handler hears when its caller has hung up. A caller that only closes its sending half still gets its answer:
 *       the two look alike, so the handler is told in both cases and may answer at once.
 *   A3  `stop` takes no new connection, closes those that have no request, lets the others end within a bound, then cuts
 *       them. What is answered meanwhile closes its connection.
 *   A4  the target is handed on as it was sent, not as a URL parser would tidy it up.
 *
 * Limits of time: headers within 10 s, a whole request within 30 s, two minutes without a byte either way.
 * Not covered: TLS and HTTP/2 belong to whatever stands in front.
 */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import type { HttpHandler, HttpResponse } from "../ports/http.ts";
import { type Abortable, Cancel } from "../std/cancel.ts";
import { err, ok, type Result } from "../std/result.ts";
import { readBody, saysTooLarge } from "./http-body.ts";

/** A refusal of the socket side; the handler's side gives it the envelope. */
export interface SocketRefusal {
  readonly status: number;
  readonly type: "invalid_request_error" | "limit_error";
  readonly code: string;
  readonly message: string;
  readonly param: null;
  readonly retryable: boolean;
}

export interface HttpServerOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly handle: HttpHandler;
  bodyLimit(target: string): number;
  refuse(refusal: SocketRefusal): HttpResponse;
  /** Milliseconds; default: 10 s, 30 s. */
  readonly headersMs?: number;
  readonly requestMs?: number;
}

export interface ListeningServer {
  readonly port: number;
  /** A3. Answers whether every request that was being served got its answer. */
  stop(boundMs: number): Promise<boolean>;
}

const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 60_000;
const SILENCE_MS = 120_000;

/** An address that cannot be listened on is one line. */
export function listen(options: HttpServerOptions): Promise<Result<ListeningServer, string>> {
  const sockets = new Sockets(options);
  const { server } = sockets;
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve(err(why(error, options)));
    server.once("error", fail);
    server.listen(options.port, options.host, () => {
      server.off("error", fail);
      const { port } = server.address() as AddressInfo;
      resolve(ok({ port, stop: (boundMs) => sockets.stop(boundMs) }));
    });
  });
}

class Sockets {
  readonly server: Server;
  readonly #options: HttpServerOptions;
  /** The requests of each connection that are being served. */
  readonly #serving = new Map<Socket, Set<Cancel>>();
  #stopping = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const listener = getRequestListener((_, on) => this.#respond(on as HttpBindings), {
      hostname: "localhost",
      errorHandler: () => this.#sent(this.#refusal(400, "invalid_http", "the request is no valid HTTP")),
    });
    const requestMs = options.requestMs ?? REQUEST_MS;
    this.server = createServer(
      {
        headersTimeout: Math.min(options.headersMs ?? HEADERS_MS, requestMs),
        requestTimeout: requestMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        connectionsCheckingInterval: Math.min(1_000, requestMs),
        noDelay: true,
      },
      listener,
    );
    // A2. Node has this switch, its types do not.
    Object.assign(this.server, { httpAllowHalfOpen: true });
    this.server.setTimeout(SILENCE_MS);
    this.server.on("connection", (socket: Socket) => this.#watch(socket));
    this.server.on("checkContinue", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      if (!saysTooLarge(incoming, options.bodyLimit(incoming.url ?? ""))) outgoing.writeContinue();
      void listener(incoming, outgoing);
    });
    this.server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) =>
      this.#dismiss(error, socket),
    );
  }

  #watch(socket: Socket): void {
    const serving = new Set<Cancel>();
    this.#serving.set(socket, serving);
    const hangUp = () => {
      for (const gone of serving) gone.abort();
    };
    socket.on("end", hangUp);
    socket.on("error", hangUp);
    socket.on("close", () => {
      hangUp();
      this.#serving.delete(socket);
    });
  }

  async #respond({ incoming, outgoing }: HttpBindings): Promise<Response> {
    const serving = this.#serving.get(incoming.socket);
    const gone = new Cancel();
    serving?.add(gone);
    outgoing.once("close", () => serving?.delete(gone));
    return this.#sent(await this.#answer(incoming, gone));
  }

  /** A1. */
  async #answer(incoming: IncomingMessage, gone: Abortable): Promise<HttpResponse> {
    const { method, url: target = "/" } = incoming;
    if (method !== "GET" && method !== "POST") {
      const refused = this.#refusal(405, "method_not_allowed", "this server knows GET and POST only");
      return { ...refused, headers: { ...refused.headers, allow: "GET, POST" } };
    }
    let body: string | null = null;
    if (method === "POST") {
      const limitBytes = this.#options.bodyLimit(target);
      const read = await readBody(incoming, limitBytes);
      if (read.kind === "too-large") {
        const message = `the body has more than ${limitBytes} bytes; keep large values in blobs or outside`;
        return this.#refusal(413, "body_too_large", message, "limit_error");
      }
      if (read.kind !== "text") return this.#refusal(400, "invalid_http", "the body is no whole UTF-8 text");
      body = read.text;
    }
    // Only `set-cookie` is ever a list, and nobody reads that.
    const headers = incoming.headers as { readonly [name: string]: string };
    return this.#options.handle({ method, target, headers, body }, gone);
  }

  #refusal(
    status: number,
    code: string,
    message: string,
    type: SocketRefusal["type"] = "invalid_request_error",
  ): HttpResponse {
    return this.#options.refuse({ status, type, code, message, param: null, retryable: false });
  }

  #sent({ status, headers, body }: HttpResponse): Response {
    return new Response(body, {
      status,
      headers: this.#stopping ? { ...headers, connection: "close" } : { ...headers },
    });
  }

  /** Of what the HTTP parser gave up on. */
  #dismiss(error: NodeJS.ErrnoException, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, headers, body } = this.#refusalOf(error.code ?? "");
    const lines = Object.entries({
      ...headers,
      "content-length": Buffer.byteLength(body),
      connection: "close",
    });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${head}\r\n${body}`);
  }

  #refusalOf(code: string): HttpResponse {
    if (code === "ERR_HTTP_REQUEST_TIMEOUT")
      return this.#refusal(408, "request_timeout", "the request did not come whole in time; send it again");
    if (code === "HPE_HEADER_OVERFLOW")
      return this.#refusal(431, "headers_too_large", "the headers are longer than 16 KiB", "limit_error");
    return this.#refusal(400, "invalid_http", "the request is no valid HTTP");
  }

  /** A3. */
  async stop(boundMs: number): Promise<boolean> {
    this.#stopping = true;
    const closed = new Promise<boolean>((resolve) => this.server.close(() => resolve(true)));
    for (const [socket, serving] of this.#serving) if (serving.size === 0) socket.destroy();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), boundMs);
    });
    const inTime = await Promise.race([closed, late]);
    clearTimeout(timer);
    for (const socket of this.#serving.keys()) socket.destroy();
    return inTime;
  }
}

function why(error: NodeJS.ErrnoException, { host, port }: HttpServerOptions): string {
  const where = `${host}:${port}`;
  if (error.code === "EADDRINUSE") return `cannot listen on ${where}: the port is in use`;
  if (error.code === "EACCES") return `cannot listen on ${where}: no permission for this port`;
  if (error.code === "EADDRNOTAVAIL") return `cannot listen on ${where}: this machine has no such address`;
  if (error.code === "ENOTFOUND") return `cannot listen on ${where}: the host name is not known`;
  return `cannot listen on ${where}: ${error.message}`;
}
