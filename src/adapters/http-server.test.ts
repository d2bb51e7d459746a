/**
 * Risk: a client that is slow, broken or gone holds the server up, brings it down, or is told something that is not true.
 * Over real sockets on the loopback address.
 */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, it, test } from "vitest";
import type { HttpHandler, HttpRequest } from "../ports/http.ts";
import { type HttpServerOptions, type ListeningServer, listen } from "./http-server.ts";

const open: ListeningServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.stop(0);
});

/** Says what it got. */
const echo: HttpHandler = async (request) => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ ...request, headers: undefined }),
});

async function start(options: Partial<HttpServerOptions> = {}): Promise<ListeningServer> {
  const started = await listen({
    host: "127.0.0.1",
    port: 0,
    handle: echo,
    bodyLimit: () => 1_000,
    refuse: ({ status, code, message }) => ({
      status,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ error: { code, message } }),
    }),
    ...options,
  });
  if (!started.ok) throw new Error(started.error);
  open.push(started.value);
  return started.value;
}

function ask(port: number, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, init);
}

/** A connection by hand: what it was told until it was closed. */
function raw(port: number): { socket: Socket; told: Promise<string> } {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  const told = new Promise<string>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk.toString();
    });
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(text));
  });
  return { socket, told };
}

function codeOf(told: string): string {
  return JSON.parse(told.slice(told.indexOf("\r\n\r\n"))).error.code;
}

test("a request reaches the handler as it was sent", async () => {
  const { port } = await start();
  const { socket, told } = raw(port);
  socket.write("GET /v1/../a%2Fb//?x=%00 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  expect(await told).toContain('"target":"/v1/../a%2Fb//?x=%00"');
  const sent = await ask(port, "/a", { method: "POST", body: '{"text":"ä\u2028"}' });
  expect(await sent.json()).toEqual({ method: "POST", target: "/a", body: '{"text":"ä\u2028"}' });
});

it.each(["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])("refuses %s", async (method) => {
  const { port } = await start();
  const response = await ask(port, "/a", { method });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, POST"]);
});

test("a body over the limit is refused before it has come", async () => {
  const { port } = await start();
  const { socket, told } = raw(port);
  socket.write("POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 10000000\r\n\r\n{");
  const answer = await told;
  expect([answer.slice(9, 12), codeOf(answer)]).toEqual(["413", "body_too_large"]);
});

test("a client that asks before it sends is not told to go on with too long a body", async () => {
  const { port } = await start();
  const head = "POST /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length:";
  const long = raw(port);
  long.socket.write(`${head} 2000\r\n\r\n`);
  const answer = await long.told;
  expect(answer).not.toContain("100 Continue");
  expect(codeOf(answer)).toBe("body_too_large");
  const short = raw(port);
  short.socket.write(`${head} 2\r\n\r\n`);
  short.socket.write("{}");
  expect(await short.told).toMatch(/^HTTP\/1.1 100 Continue[\s\S]*HTTP\/1.1 200/);
});

test("a body that does not say its length is refused once it passes the limit", async () => {
  const { port } = await start();
  async function* chunks() {
    for (let sent = 0; sent < 50; sent++) yield new Uint8Array(100).fill(0x20);
  }
  const response = await ask(port, "/a", { method: "POST", body: chunks(), duplex: "half" } as RequestInit);
  expect(response.status).toBe(413);
});

test("a body that is no UTF-8 is refused", async () => {
  const { port } = await start();
  const response = await ask(port, "/a", { method: "POST", body: new Uint8Array([0x22, 0xff, 0x22]) });
  const { error } = (await response.json()) as { error: { code: string } };
  expect([response.status, error.code]).toEqual([400, "invalid_http"]);
});

test.each([
  ["no HTTP at all", "hello\r\n\r\n", "invalid_http"],
  ["a host that is none", "GET / HTTP/1.1\r\nHost: a b@c\r\nConnection: close\r\n\r\n", "invalid_http"],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "invalid_http",
  ],
  [
    "a length beside chunks",
    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "invalid_http",
  ],
  [
    "headers without end",
    `GET / HTTP/1.1\r\nHost: h\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    "headers_too_large",
  ],
])("broken HTTP (%s) is refused with the envelope", async (_, text, code) => {
  const { port } = await start();
  const { socket, told } = raw(port);
  socket.write(text);
  expect(codeOf(await told)).toBe(code);
});

test.each([
  ["its headers", "POST /a HTTP/1.1\r\nHost: h\r\n"],
  ["its body", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{"],
])("a client that never ends %s is told so and cut off, and nothing is handled", async (_, text) => {
  const seen: HttpRequest[] = [];
  const handle: HttpHandler = (request) => {
    seen.push(request);
    return echo(request);
  };
  const { port } = await start({ handle, headersMs: 300, requestMs: 300 });
  const { socket, told } = raw(port);
  socket.write(text);
  const answer = await told;
  expect(answer === "" || codeOf(answer) === "request_timeout").toBe(true);
  expect(seen).toEqual([]);
  expect((await ask(port, "/b")).status).toBe(200);
});

test("a client that breaks off in its body leaves nothing behind", async () => {
  const seen: HttpRequest[] = [];
  const handle: HttpHandler = (request) => {
    seen.push(request);
    return echo(request);
  };
  const { port } = await start({ handle });
  for (const end of ["destroy", "end"] as const) {
    const { socket, told } = raw(port);
    socket.write("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{");
    setTimeout(() => socket[end](), 30);
    await told;
  }
  expect((await ask(port, "/b")).status).toBe(200);
  expect(seen.map(({ target }) => target)).toEqual(["/b"]);
});

test("a client that closes its sending half still gets its answer, and the handler hears of it", async () => {
  const told: string[] = [];
  const handle: HttpHandler = (request, gone) =>
    new Promise((resolve) => {
      gone?.addEventListener("abort", () => {
        told.push("gone");
        resolve(echo(request));
      });
    });
  const { port } = await start({ handle });
  const half = raw(port);
  half.socket.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  setTimeout(() => half.socket.end(), 50);
  expect(await half.told).toMatch(/^HTTP\/1.1 200/);
  const dead = raw(port);
  dead.socket.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  setTimeout(() => dead.socket.destroy(), 50);
  await dead.told;
  await expect.poll(() => told).toEqual(["gone", "gone"]);
});

test("a stop answers what is being served, closes what is idle, and takes nothing new", async () => {
  let release = (): void => undefined;
  const handle: HttpHandler = async (request) => {
    if (request.target === "/slow") await new Promise<void>((resolve) => (release = resolve));
    return echo(request);
  };
  const server = await start({ handle });
  const idle = raw(server.port);
  idle.socket.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  const silent = raw(server.port);
  const slow = ask(server.port, "/slow");
  await expect.poll(() => idle.socket.bytesRead > 0).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stopped = server.stop(5_000);
  expect(await silent.told).toBe("");
  expect(await idle.told).toContain("200");
  await expect(ask(server.port, "/b")).rejects.toThrow();
  release();
  const answer = await slow;
  expect([answer.status, answer.headers.get("connection")]).toEqual([200, "close"]);
  await answer.text();
  expect(await stopped).toBe(true);
});

test("a stop cuts what does not end within its bound", async () => {
  const server = await start({ handle: () => new Promise(() => undefined) });
  const { socket, told } = raw(server.port);
  socket.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await server.stop(50)).toBe(false);
  expect(await told).toBe("");
});

test("an address that cannot be had is one line", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  const unused = { handle: echo, bodyLimit: () => 1, refuse: () => ({ status: 400, headers: {}, body: "" }) };
  const refused = await listen({ ...unused, host: "127.0.0.1", port });
  expect(refused).toEqual({ ok: false, error: `cannot listen on 127.0.0.1:${port}: the port is in use` });
  const nowhere = await listen({ ...unused, host: "192.0.2.1", port: 0 });
  expect(nowhere).toMatchObject({ ok: false, error: expect.stringContaining("no such address") });
  taken.close();
});
