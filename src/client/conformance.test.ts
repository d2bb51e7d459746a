/**
 * Our worker against the conformance scripts, over the client, with time that jumps. Risk: a worker and a suite that are
 * wrong alike; so the suite is also shown to find workers that break a rule.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../adapters/virtual-clock.ts";
import type { HttpClient, HttpOutcome, HttpRequest } from "../ports/http.ts";
import {
  type Script,
  ScriptedServer,
  scriptedOptions,
  scriptedWorkflow,
} from "../workflow/conformance/index.ts";
import { type WorkerHost, WorkflowWorker } from "../workflow/index.ts";
import { BatonClient } from "./baton-client.ts";

const FOLDER = new URL("../workflow/conformance/scripts/", import.meta.url);

function scriptsOf(file: string): readonly Script[] {
  return JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
}

const FILES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));

/** A bug of the worker, or of the way to the server. */
type Bend = (
  request: HttpRequest,
  send: (request: HttpRequest) => Promise<HttpOutcome>,
) => Promise<HttpOutcome>;

/** Plays the script and answers what was wrong. */
async function play(script: Script, draw: number, bend: Bend = (request, send) => send(request)) {
  const clock = new VirtualClock();
  const server = new ScriptedServer(script, clock);
  const http: HttpClient = {
    send: (request, _timeoutMs, signal) =>
      new Promise((resolve) => {
        const leave = () => resolve({ kind: "no-answer", detail: "nobody waits" });
        signal?.addEventListener("abort", leave);
        const sent = bend(request, (one) => server.handle(one));
        sent.finally(() => signal?.removeEventListener("abort", leave)).then(resolve);
      }),
  };
  // The smallest, or the largest number that may be drawn: waits are within their windows either way.
  const random = { below: (n: number) => (draw === 0 ? 0 : n - 1) };
  const host: WorkerHost = new BatonClient({ http, clock, random });
  const { run, stops_at_ms: stops = [] } = script.worker;
  const worker = new WorkflowWorker(host, [scriptedWorkflow(script, clock)], scriptedOptions(script));
  const done = (run === "once" ? worker.runOnce() : worker.run()).catch(() => undefined);
  let passedMs = 0;
  for (const atMs of stops) {
    await clock.pass(atMs - passedMs);
    passedMs = atMs;
    worker.stop();
  }
  const lastMs = Math.max(...script.exchanges.map(({ at_ms: [, toMs] }) => toMs));
  await clock.pass(lastMs + script.quiet_ms);
  if (run === "serve") worker.stop();
  await clock.until(Promise.race([done, clock.sleep(60_000)]));
  return server.faults(true);
}

describe.each(FILES)("our worker follows %s", (file) => {
  it.each(scriptsOf(file).map((script) => [script.name, script] as const))("%s", async (_, script) => {
    expect(await play(script, 0)).toEqual([]);
    expect(await play(script, 1)).toEqual([]);
  });
});

describe("the suite finds a worker that", () => {
  const all = FILES.flatMap(scriptsOf);
  /** How many scripts find it. */
  const found = async (bend: Bend) => {
    const faults = await Promise.all(all.map((script) => play(script, 0, bend)));
    return faults.filter((one) => one.length > 0).length;
  };
  const called = (request: HttpRequest) => request.target.split("?")[0]?.split("/").at(-1) ?? "";

  it.each<[string, Bend]>([
    [
      "sends a completion twice",
      async (request, send) => {
        if (called(request) === "complete") await send(request);
        return send(request);
      },
    ],
    [
      "repeats with another body",
      (() => {
        const seen = new Set<string>();
        return (request: HttpRequest, send: (one: HttpRequest) => Promise<HttpOutcome>) => {
          const again = seen.has(request.body ?? "");
          seen.add(request.body ?? "");
          return send(again ? { ...request, body: ` ${request.body}` } : request);
        };
      })(),
    ],
    [
      "adds a field",
      (request, send) =>
        send({ ...request, body: JSON.stringify({ ...JSON.parse(request.body ?? "{}"), x: 1 }) }),
    ],
    [
      "takes every refusal for a success",
      async (request, send) => {
        const outcome = await send(request);
        if (outcome.kind !== "answer" || outcome.response.status < 400) return outcome;
        return { kind: "answer", response: { ...outcome.response, status: 200, body: "{}" } };
      },
    ],
    [
      "takes every success for no answer",
      async (request, send) => {
        await send(request);
        return { kind: "no-answer", detail: "bug" };
      },
    ],
  ])("%s", async (_, bend) => {
    expect(await found(bend)).toBeGreaterThan(0);
  });
});
