/**
 * One call and its repeats. Risk: a call that is repeated though it may not be, or given up though it could pass.
 */
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import type { HttpClient, HttpOutcome, HttpRequest } from "../ports/http.ts";
import { type CallClass, Exchange } from "./exchange.ts";
import { readHttpDate } from "./http-date.ts";

/** The next answers of a server, the last one again and again. */
class Scripted implements HttpClient {
  readonly requests: (HttpRequest & { readonly atMs: number })[] = [];
  readonly #clock: VirtualClock;
  readonly #answers: readonly HttpOutcome[];

  constructor(clock: VirtualClock, ...answers: readonly HttpOutcome[]) {
    this.#clock = clock;
    this.#answers = answers;
  }

  async send(request: HttpRequest): Promise<HttpOutcome> {
    const answer = this.#answers[Math.min(this.requests.length, this.#answers.length - 1)];
    this.requests.push({ ...request, atMs: this.#clock.monotonicMs() });
    if (answer === undefined) throw new Error("no answer is scripted");
    return answer;
  }
}

function answer(status: number, body: unknown = {}, headers: { [name: string]: string } = {}): HttpOutcome {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { kind: "answer", response: { status, headers, body: text } };
}

const SILENCE: HttpOutcome = { kind: "no-answer", detail: "reset" };

function open(...answers: readonly HttpOutcome[]) {
  const clock = new VirtualClock();
  const http = new Scripted(clock, ...answers);
  // The largest number that may be drawn, so that a test sees the bound.
  const random = { below: (n: number) => n - 1 };
  const exchange = new Exchange({ http, clock, random, apiKey: "k", graph: "g 1" });
  const call = (repeats: CallClass) =>
    clock.until(
      exchange.call({ method: "POST", path: "/p", query: { a: 1, b: null }, body: { x: 1 }, repeats }),
    );
  return { clock, http, call, times: () => http.requests.map(({ atMs }) => atMs) };
}

describe("a call", () => {
  it("carries the graph, the token and the contract's version, and its body once for all repeats", async () => {
    const { http, call } = open(SILENCE, answer(200, { y: 2 }));
    expect(await call("repeat")).toEqual({ ok: true, value: { y: 2 } });
    const [first, second] = http.requests;
    expect(first).toMatchObject({
      method: "POST",
      target: "/p?a=1&graph=g%201",
      body: '{"x":1}',
      headers: { authorization: "Bearer k", "lbb-version": "2026-07-23", "content-type": "application/json" },
    });
    expect({ ...second, atMs: 0 }).toEqual({ ...first, atMs: 0 });
  });

  const open500 = answer(500, "oops");
  const busy = answer(429, { error: { type: "limit_error", code: "busy", message: "wait" } });
  it.each([
    ["repeat", SILENCE, 7],
    ["repeat", open500, 7],
    ["repeat", busy, 7],
    ["rate-limited", SILENCE, 1],
    ["rate-limited", open500, 1],
    ["rate-limited", busy, 7],
    ["once", SILENCE, 1],
    ["once", open500, 1],
    ["once", busy, 1],
    ...[400, 401, 402, 403, 404, 408, 409, 413, 421].map((status) => ["repeat", answer(status), 1] as const),
  ] as const)("of class %s after %j is made %i times", async (repeats, outcome, times) => {
    const { http, call } = open(outcome);
    expect((await call(repeats)).ok).toBe(false);
    expect(http.requests).toHaveLength(times);
  });

  it("is not repeated when the answer says so", async () => {
    const { http, call } = open(
      answer(503, { error: { type: "x", code: "c", message: "m", retryable: false } }),
    );
    expect(await call("repeat")).toMatchObject({ error: { kind: "unavailable", retryable: false } });
    expect(http.requests).toHaveLength(1);
  });

  it("waits longer each time, up to 100 ms doubled with each repeat", async () => {
    const { call, times } = open(SILENCE);
    await call("repeat");
    expect(times()).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300]);
  });

  it("waits as the header says, in seconds or until a date, before what the body says", async () => {
    const body = { error: { type: "t", code: "c", message: "m", retry_after_seconds: 9 } };
    const date = "Thu, 01 Jan 1970 00:17:00 GMT";
    const { call, times } = open(
      answer(503, body, { "retry-after": "2" }),
      answer(503, body, { "retry-after": date }),
      answer(503, body),
      answer(200),
    );
    await call("repeat");
    expect(times()).toEqual([0, 2_000, 20_000, 29_000]);
  });

  it("begins no attempt later than 60 s after the first", async () => {
    const { call, times } = open(answer(429, {}, { "retry-after": "25" }));
    expect(await call("repeat")).toMatchObject({ error: { status: 429, retryAfterMs: 25_000 } });
    expect(times()).toEqual([0, 25_000, 50_000]);
  });

  it("ends at once when nobody waits for it any more", async () => {
    const clock = new VirtualClock();
    const http = new Scripted(clock, SILENCE);
    const exchange = new Exchange({ http, clock, random: { below: () => 50 } });
    const stop = new AbortController();
    const called = exchange.call({ method: "GET", path: "/p", repeats: "repeat" }, stop.signal);
    await clock.pass(10);
    stop.abort();
    expect((await called).ok).toBe(false);
    expect([http.requests.length, clock.monotonicMs(), clock.sleeping]).toEqual([1, 10, 0]);
  });

  it("reads an empty answer and null as nothing, and never asks again for one that it cannot read", async () => {
    expect(await open(answer(200, "")).call("repeat")).toEqual({ ok: true, value: {} });
    expect(await open(answer(200, "null")).call("repeat")).toEqual({ ok: true, value: {} });
    const { http, call } = open(answer(200, "<html>"));
    expect(await call("repeat")).toMatchObject({ error: { code: "unreadable_answer", retryable: false } });
    expect(http.requests).toHaveLength(1);
  });

  it.each([
    [
      400,
      { error: { type: "limit_error", code: "value_too_large", message: "m", param: "state" } },
      "over-limit",
    ],
    [409, { error: { type: "fence_error", code: "lease_lost", message: "m", request_id: "r" } }, "fenced"],
    [409, { error: "somebody was first", code: "taken" }, "conflict"],
    [404, "nothing here", "not-found"],
    [401, {}, "forbidden"],
    [502, "<html>", "unknown-outcome"],
    [302, "", "invalid"],
  ])("is told what a %i %j means: %s", async (status, body, kind) => {
    const { call } = open(answer(status, body, { "x-request-id": "h" }));
    const told = await call("once");
    expect(told).toMatchObject({ ok: false, error: { kind, status } });
    if (!told.ok) expect(told.error.requestId).toBe(JSON.stringify(body).includes("request_id") ? "r" : "h");
  });
});

it("reads the dates that servers send, and nothing else", () => {
  for (const text of [
    "Sun, 06 Nov 1994 08:49:37 GMT",
    "Thu, 29 Feb 2024 23:59:59 GMT",
    "Fri, 01 Mar 2100 00:00:00 GMT",
  ])
    expect(readHttpDate(text)).toBe(Date.parse(text));
  for (const text of ["", "soon", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT"])
    expect(readHttpDate(text)).toBeNull();
});
