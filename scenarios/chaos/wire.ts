/**
 * The HTTP interface in the engine's words, in both directions: what a call sends, what a request asks, what an answer says.
 *
 * From the interface's description (`src/server/README.md`), apart from the product's client and server.
 *
 *   H1  an answer that is no answer of the engine (a 5xx that does not say what happened, text that is no JSON) is an
 *       unknown outcome.
 *   H2  a refusal is told by its type; its status is not looked at, so a status that does not fit is not seen here.
 *   H3  a query has text; numbers and flags are what the engine's requests have.
 */
import type { Failure, FailureKind } from "../../src/index.ts";
import type { HttpRequest, HttpResponse } from "../../src/ports/index.ts";
import { parseJson } from "../../src/std/json.ts";
import { err, ok, type Result } from "../../src/std/result.ts";
import { isObject } from "../checkers/shapes.ts";

const BASE = "/v1/workflows";

interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The request's field that the query calls `id`. */
  readonly id?: string;
}

function post(path: string): Route {
  return { method: "POST", path };
}
function get(path: string, id = "workflow_id"): Route {
  return { method: "GET", path: `${BASE}${path}`, id };
}

const ROUTES: { readonly [operation: string]: Route } = {
  createGraph: post("/v1/graph/create"),
  deleteGraph: post("/v1/graph/delete"),
  createInstance: post(`${BASE}/instances`),
  deleteInstance: post(`${BASE}/instances/delete`),
  sendMessage: post(`${BASE}/instances/message`),
  control: post(`${BASE}/instances/control`),
  signal: post(`${BASE}/turns/signal`),
  putBlob: post(`${BASE}/blobs`),
  claim: post(`${BASE}/turns/claim`),
  heartbeat: post(`${BASE}/turns/heartbeat`),
  operation: post(`${BASE}/turns/operation`),
  progress: post(`${BASE}/turns/progress`),
  checkpoint: post(`${BASE}/turns/checkpoint`),
  waitSignal: post(`${BASE}/turns/wait-signal`),
  complete: post(`${BASE}/turns/complete`),
  fail: post(`${BASE}/turns/fail`),
  startChild: post(`${BASE}/turns/start-child`),
  migrate: post(`${BASE}/turns/migrate`),
  requeue: post(`${BASE}/turns/requeue`),
  listInstances: get("/instances", "id"),
  getInstance: get("/instances/get", "id"),
  history: get("/instances/history"),
  getTurn: get("/instances/turn"),
  inbox: get("/instances/inbox"),
  typeInbox: get("/inbox", "id"),
  getBlob: get("/blobs/get"),
};
const OPERATIONS = new Map(
  Object.entries(ROUTES).map(([operation, { method, path }]) => [`${method} ${path}`, operation]),
);

/** The request of a call. */
export function requestOf(operation: string, asked: object, graph: string): HttpRequest {
  const { method, path, id } = ROUTES[operation] ?? post("/unknown");
  const words = [`graph=${encodeURIComponent(graph)}`];
  if (method === "POST") {
    const headers = { "content-type": "application/json" };
    return { method, target: `${path}?${words.join("&")}`, headers, body: JSON.stringify(asked) };
  }
  for (const [field, value] of Object.entries(asked)) {
    if (value === undefined || value === null) continue;
    words.push(`${field === id ? "id" : field}=${encodeURIComponent(String(value))}`);
  }
  return { method, target: `${path}?${words.join("&")}`, headers: {}, body: null };
}

/** What a request asks: the engine's operation and its request. */
export function askedBy({ method, target, body }: HttpRequest): {
  readonly operation: string;
  readonly request: unknown;
} {
  const [path = "", query = ""] = target.split("?");
  const operation = OPERATIONS.get(`${method} ${path}`) ?? "unknown";
  if (method === "POST") return { operation, request: parseJson(body ?? "") ?? null };
  const { id = "id" } = ROUTES[operation] ?? {};
  const request: { [field: string]: unknown } = {};
  for (const [name, text] of new URLSearchParams(query))
    if (name !== "graph") request[name === "id" ? id : name] = fieldOf(operation, name, text);
  return { operation, request };
}

/** H3. What comes after an instance is its id, after a turn its number. */
function fieldOf(operation: string, name: string, text: string): unknown {
  if (name === "payloads") return text === "true";
  const isId = name === "after" && (operation === "listInstances" || operation === "typeInbox");
  return ["turn", "after", "limit"].includes(name) && !isId ? Number(text) : text;
}

const KINDS: { readonly [type: string]: FailureKind } = {
  invalid_request_error: "invalid",
  not_found_error: "not-found",
  conflict_error: "conflict",
  authentication_error: "forbidden",
  permission_error: "forbidden",
  fence_error: "fenced",
  limit_error: "over-limit",
  unavailable_error: "unavailable",
  corrupt_error: "corrupt",
};

/** What an answer says, as the engine would. */
export function readAnswer(operation: string, { status, body }: HttpResponse): Result<unknown, Failure> {
  const value: unknown = parseJson(body);
  if (isObject(value) && status >= 200 && status < 300)
    return ok(operation === "claim" ? (value.task ?? null) : value);
  // H1, H2.
  const error = isObject(value) && isObject(value.error) ? value.error : {};
  const kind = KINDS[String(error.type)] ?? "unknown-outcome";
  const { code = "unreadable", message = `status ${status}`, param } = error;
  const named = typeof param === "string" ? param : null;
  return err({ kind, code: String(code), message: String(message), param: named });
}
