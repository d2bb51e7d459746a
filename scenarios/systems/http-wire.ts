/**
 * The interface as an onlooker reads it: which engine operation a request asks for, and what an answer says.
 *
 * Written from the page of the interface and apart from server and client, so that a mistake of either shows as a
 * difference. The log of calls then has the same operations, requests and replies as without HTTP.
 *
 *   J1  a request of no known route is `unknown`; its operation explains nothing to any checker.
 *   J2  an answer is read by its status first, then by its envelope's type; a kind that both do not agree on is open.
 */
import type { FailureKind } from "../../src/index.ts";
import type { HttpRequest, HttpResponse } from "../../src/ports/http.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../src/std/json.ts";

/** What a request asks, in the engine's words. */
export interface Asked {
  readonly operation: string;
  readonly request: JsonObject;
}

/** What an answer says, in the engine's words. */
export type Said =
  | { readonly ok: true; readonly value: Json }
  | {
      readonly ok: false;
      readonly error: { readonly kind: FailureKind; readonly code: string; readonly message: string };
    };

const POSTS: { readonly [path: string]: string } = {
  "/instances": "createInstance",
  "/instances/message": "sendMessage",
  "/instances/control": "control",
  "/instances/delete": "deleteInstance",
  "/turns/claim": "claim",
  "/turns/heartbeat": "heartbeat",
  "/turns/operation": "operation",
  "/turns/progress": "progress",
  "/turns/checkpoint": "checkpoint",
  "/turns/wait-signal": "waitSignal",
  "/turns/complete": "complete",
  "/turns/fail": "fail",
  "/turns/signal": "signal",
  "/turns/start-child": "startChild",
  "/turns/migrate": "migrate",
  "/turns/requeue": "requeue",
  "/blobs": "putBlob",
};
/** With the name that the engine's request has for the query's `id`. */
const GETS: { readonly [path: string]: readonly [operation: string, id: string] } = {
  "/instances": ["listInstances", "id"],
  "/instances/get": ["getInstance", "id"],
  "/instances/history": ["history", "workflow_id"],
  "/instances/turn": ["getTurn", "workflow_id"],
  "/instances/inbox": ["inbox", "workflow_id"],
  "/inbox": ["typeInbox", "id"],
  "/blobs/get": ["getBlob", "workflow_id"],
};
const BASE = "/v1/workflows";
/** Parameters that say where, not what. */
const SCOPE: ReadonlySet<string> = new Set(["graph", "stack", "branch"]);
const NUMBERS: ReadonlySet<string> = new Set(["turn", "after", "limit"]);

export function askedBy({ method, target, body }: HttpRequest): Asked {
  const [path = "", query = ""] = target.split("?");
  const route = path.startsWith(BASE) ? path.slice(BASE.length) : path;
  if (method === "POST") {
    const request = parseJson(body ?? "");
    return { operation: POSTS[route] ?? "unknown", request: isJsonObject(request) ? request : {} };
  }
  const [operation, id] = GETS[route] ?? ["unknown", "id"];
  const fields: [string, Json][] = [];
  for (const pair of query.split("&")) {
    const [name = "", text = ""] = pair.split("=");
    if (name === "" || SCOPE.has(name)) continue;
    fields.push([name === "id" ? id : name, fieldOf(operation, name, decodeURIComponent(text))]);
  }
  return { operation, request: Object.fromEntries(fields) };
}

/** The engine takes numbers and flags where a query has text. What comes after an instance is an id, else a number. */
function fieldOf(operation: string, name: string, text: string): Json {
  if (name === "payloads") return text === "true";
  const isId = name === "after" && (operation === "listInstances" || operation === "typeInbox");
  return NUMBERS.has(name) && !isId ? Number(text) : text;
}

/** J2: the statuses that a kind has, and the type that it is told by. */
const KINDS: { readonly [type: string]: readonly [kind: FailureKind, ...statuses: number[]] } = {
  invalid_request_error: ["invalid", 400, 405, 408, 413],
  authentication_error: ["forbidden", 401],
  permission_error: ["forbidden", 403],
  not_found_error: ["not-found", 404],
  conflict_error: ["conflict", 409],
  fence_error: ["fenced", 409],
  limit_error: ["over-limit", 400, 429],
  unavailable_error: ["unavailable", 503],
  unknown_outcome_error: ["unknown-outcome", 503],
  corrupt_error: ["corrupt", 500],
};

/** A claim's answer has its task in a field of its own. */
export function saidBy(operation: string, { status, body }: HttpResponse): Said {
  const value = parseJson(body);
  if (status >= 200 && status < 300) {
    if (operation !== "claim") return { ok: true, value: value ?? null };
    return { ok: true, value: isJsonObject(value) ? (value.task ?? null) : null };
  }
  const error = isJsonObject(value) && isJsonObject(value.error) ? value.error : {};
  const { type = "", code = "", message = "" } = error;
  const [kind, ...statuses] = KINDS[String(type)] ?? ["unknown-outcome"];
  const agreed = statuses.includes(status) ? kind : "unknown-outcome";
  return { ok: false, error: { kind: agreed, code: String(code), message: String(message) } };
}
