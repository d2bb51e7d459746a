/**
 * Risk: a call that the log tells as another one, so that checkers look for what nobody asked.
 */
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/index.ts";
import type { HttpClient, HttpOutcome, HttpRequest } from "../../src/ports/index.ts";
import { HttpEngine } from "./http-engine.ts";
import type { Line } from "./log-lines.ts";
import { LoggedHttp } from "./logged-http.ts";
import { askedBy, readAnswer } from "./wire.ts";

const LEASE = { workflow_id: "a b", turn: 3, token: "t" };

describe("a call over HTTP", () => {
  const cases: readonly [string, (engine: Engine) => unknown, object][] = [
    ["getInstance", (engine) => engine.getInstance("a b"), { id: "a b" }],
    ["getTurn", (engine) => engine.getTurn("a/b", 3), { workflow_id: "a/b", turn: 3 }],
    ["history", (engine) => engine.history({ workflow_id: "a", after: 2 }), { workflow_id: "a", after: 2 }],
    ["inbox", (e) => e.inbox({ workflow_id: "a", payloads: true }), { workflow_id: "a", payloads: true }],
    ["typeInbox", (e) => e.typeInbox({ workflow_type: "o", after: "1" }), { workflow_type: "o", after: "1" }],
    ["heartbeat", (engine) => engine.heartbeat(LEASE), LEASE],
    ["claim", (e) => e.claim({ worker: "w", workflows: [] }), { worker: "w", workflows: [] }],
  ];
  test.each(cases)("is read back from the wire: %s", async (operation, call, request) => {
    const sent: HttpRequest[] = [];
    const http: HttpClient = {
      send: (asked) => {
        sent.push(asked);
        return Promise.resolve({ kind: "no-answer", detail: "" });
      },
    };
    await call(new HttpEngine(http, "g 1"));
    expect(sent.map(askedBy)).toEqual([{ operation, request }]);
    expect(sent[0]?.target).toContain("graph=g%201");
  });
});

describe("an answer", () => {
  test.each([
    ["getTurn", 200, '{"number":1}', { ok: true, value: { number: 1 } }],
    ["claim", 200, '{"task":null}', { ok: true, value: null }],
    ["complete", 409, '{"error":{"type":"fence_error","code":"fenced","message":"m"}}', "fenced"],
    ["complete", 503, '{"error":{"type":"unavailable_error","code":"c","message":"m"}}', "unavailable"],
    ["complete", 500, '{"error":{"type":"api_error","code":"c","message":"m"}}', "unknown-outcome"],
    ["complete", 502, "<html>", "unknown-outcome"],
    ["complete", 200, '{"number":', "unknown-outcome"],
  ])("to %s with status %i and %s says what the engine would", (operation, status, body, expected) => {
    const said = readAnswer(operation, { status, headers: {}, body });
    expect(said.ok ? said : said.error.kind).toEqual(expected);
  });
});

describe("a worker's way to several servers", () => {
  const answer = (status: number): HttpOutcome => ({
    kind: "answer",
    response: { status, headers: {}, body: "{}" },
  });
  test("asks the next one after no answer, after a failed server, and after an answer that was lost", async () => {
    const outcomes = [{ kind: "no-answer", detail: "" } as const, answer(500), answer(200), answer(200)];
    const lines: Line[] = [];
    const log = { nowMs: () => lines.length, write: (line: Line) => void lines.push(line) };
    const server = { send: () => Promise.resolve(outcomes.shift() ?? answer(200)) };
    const servers = ["a", "b", "c"].map((name) => [name, server] as const);
    const http = new LoggedHttp(servers, 0, log, () => lines.length === 5);
    const target = "/v1/workflows/instances/get?id=x";
    const request: HttpRequest = { method: "GET", target, headers: {}, body: null };
    for (let n = 0; n < 4; n++) await http.send(request, 0);
    expect(lines.flatMap((line) => (line.e === "call-sent" ? [line.to] : []))).toEqual(["a", "b", "c", "a"]);
    const told = lines.flatMap((line) => (line.e === "call-told" ? [[line.outcome, ...line.faults]] : []));
    expect(told).toEqual([
      ["unknown-outcome"],
      ["answered"],
      ["unknown-outcome", "H02-lost-reply"],
      ["answered"],
    ]);
  });
});
