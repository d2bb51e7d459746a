/**
 * What the tests of the server stand on: a server over the real engine and a store in memory, and short ways to ask it.
 */
import { countedIds, LOWEST, ManualClock } from "../adapters/manual-ports.ts";
import { MemoryStore } from "../adapters/memory-store.ts";
import { DEFAULT_CONFIG } from "../engine/config.ts";
import { createNode } from "../engine/node.ts";
import type { Clock } from "../ports/clock.ts";
import type { HttpMethod, HttpResponse } from "../ports/http.ts";
import type { ListEntry, ObjectStore } from "../ports/object-store.ts";
import { SILENT, type Trace } from "../ports/trace.ts";
import type { Abortable } from "../std/cancel.ts";
import type { Json } from "../std/json.ts";
import { type BatonServer, createServer, type ServerOptions } from "./server.ts";

export const TOKENS = { api: "key-0123456789", console: "person-0123456789", operator: "own-0123456789" };
export const W = "/v1/workflows";

export interface BenchOptions extends Partial<Omit<ServerOptions, "openGraph">> {
  readonly store?: ObjectStore;
}

/** Where a test asks; `body` is sent as JSON, or as it is when it is text in `raw`. */
export interface Asked {
  readonly token?: string | null;
  readonly raw?: string;
  readonly gone?: Abortable;
}

export class Bench {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly server: BatonServer;

  constructor({ store = new MemoryStore(), clock = new ManualClock(1_000_000), ...rest }: BenchOptions = {}) {
    const ids = countedIds("id");
    const trace: Trace = rest.trace ?? SILENT;
    this.store = store;
    this.clock = clock;
    this.server = createServer({
      clock,
      ids: countedIds("req"),
      trace,
      tokens: TOKENS,
      version: "0.0.0",
      ...rest,
      openGraph: (graph) =>
        createNode(
          { store, clock, ids, random: LOWEST, trace },
          { ...DEFAULT_CONFIG, defer_index: false, graph, graph_heads: true },
        ),
    });
  }

  /** A bench whose graph `main` is there. */
  static async open(options: BenchOptions = {}): Promise<Bench> {
    const bench = new Bench(options);
    await bench.post("/v1/graph/create?graph=main", {});
    return bench;
  }

  send(method: HttpMethod, target: string, body: string | null, asked: Asked = {}): Promise<HttpResponse> {
    const { token = TOKENS.api } = asked;
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return this.server.handle({ method, target, headers, body }, asked.gone);
  }

  post(target: string, body: Json | undefined, asked: Asked = {}): Promise<HttpResponse> {
    return this.send("POST", target, asked.raw ?? (body === undefined ? null : JSON.stringify(body)), asked);
  }

  get(target: string, asked: Asked = {}): Promise<HttpResponse> {
    return this.send("GET", target, null, asked);
  }

  /** Every object, to see whether something was written. */
  async objects(): Promise<readonly ListEntry[]> {
    const listed = await this.store.list({ prefix: "", cursor: null, limit: 1_000 });
    return listed.kind === "ok" ? listed.entries : [];
  }
}

/** The parsed body; its shape is the test's to know. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
export function bodyOf(response: HttpResponse): any {
  return JSON.parse(response.body);
}

/** `[200]`, or a refusal's status, code and field. */
export function said(response: HttpResponse): readonly (number | string | null)[] {
  if (response.status === 200) return [200];
  const { code, param } = bodyOf(response).error;
  return [response.status, code, ...(param === null ? [] : [param])];
}

/** A bench with an instance `i` that has these messages. */
export async function withInstance(...messages: readonly string[]): Promise<Bench> {
  const bench = await Bench.open();
  await bench.post(`${W}/instances`, { id: "i", workflow_type: "counter", version: "v1" });
  for (const id of messages) await bench.post(`${W}/instances/message`, { workflow_id: "i", id, message: 1 });
  return bench;
}

export const CLAIM = { worker: "w", workflows: [{ workflow_type: "counter", version: "v1" }] };

/** Claims; answers what names the attempt. */
export async function lease(bench: Bench): Promise<{ workflow_id: string; turn: number; token: string }> {
  const { task } = bodyOf(await bench.post(`${W}/turns/claim`, CLAIM));
  return { workflow_id: task.turn.workflow_id, turn: task.turn.number, token: task.token };
}
