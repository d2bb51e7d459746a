/**
 * The client's way over a real socket. Risk: an exchange that rejects, or that is taken for answered when it was cut off.
 */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { NetworkHttp } from "./http-client.ts";

const servers: Server[] = [];

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const POST = { method: "POST", target: "/p?graph=main", headers: { a: "b" }, body: '{"x":"é"}' } as const;

describe("an exchange over a socket", () => {
  it("carries method, target, headers and body there, and status, headers and body back", async () => {
    const url = await served((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        response.writeHead(409, { "x-request-id": "r1" });
        response.end(JSON.stringify([request.method, request.url, request.headers.a, body]));
      });
    });
    const outcome = await new NetworkHttp(`${url}/base/`).send(POST, 1_000);
    if (outcome.kind !== "answer") return expect.fail(outcome.detail);
    expect(outcome.response.status).toBe(409);
    expect(outcome.response.headers["x-request-id"]).toBe("r1");
    expect(JSON.parse(outcome.response.body)).toEqual(["POST", "/base/p?graph=main", "b", '{"x":"é"}']);
  });

  it.each<[string, RequestListener]>([
    ["the connection breaks before the answer", (request) => request.socket.destroy()],
    [
      "the body is cut off",
      (request, response) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("half");
        setImmediate(() => request.socket.destroy());
      },
    ],
    ["nothing comes in time", () => undefined],
    [
      "the body does not come in time",
      (_, response) => {
        response.writeHead(200);
        response.write("half");
      },
    ],
  ])("is no answer when %s", async (_, listener) => {
    expect(await new NetworkHttp(await served(listener)).send(POST, 200)).toMatchObject({
      kind: "no-answer",
    });
  });

  it("is no answer, with the reason, when nobody listens", async () => {
    const outcome = await new NetworkHttp("http://127.0.0.1:1").send(POST, 1_000);
    expect(outcome).toMatchObject({ kind: "no-answer", detail: expect.stringMatching(/refused|bad port/i) });
  });

  it("ends at once when its signal aborts", async () => {
    const stop = new AbortController();
    const sent = new NetworkHttp(await served(() => stop.abort())).send(POST, 0, stop.signal);
    expect(await sent).toMatchObject({ kind: "no-answer" });
  });

  it("follows no redirect", async () => {
    const url = await served((_, response) => {
      response.writeHead(302, { location: "/elsewhere" });
      response.end();
    });
    expect(await new NetworkHttp(url).send(POST, 1_000)).toMatchObject({ response: { status: 302 } });
  });

  it("takes no address that is not http", () => {
    expect(() => new NetworkHttp("ftp://host")).toThrow("no http or https address");
  });
});
