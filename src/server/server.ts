/**
 * The server as a function: a request as plain values in, a response out. No socket, no clock of its own, no process.
 *
 *   U1  whatever comes in, what goes out is a response: success as JSON, everything else as the envelope.
 *   U2  the order of a request: path and method, token, query, graph, body, engine. Nothing is read from the store
 *       before all of it was looked at.
 *   U3  a request touches one graph, and of the engine one method.
 *   U4  what a 5xx hides goes to the trace, under the request id.
 *
 * The socket side (`src/adapters/http-server.ts`) refuses what never becomes a request: bodies over the limit, slow
 * clients, other methods. It asks `refuse` for the words, so these have the envelope, too.
 */
import type { EngineNode } from "../engine/engine.ts";
import type { Clock } from "../ports/clock.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "../ports/http.ts";
import type { Ids } from "../ports/ids.ts";
import type { Trace } from "../ports/trace.ts";
import type { Abortable } from "../std/cancel.ts";
import { err, ok, type Result } from "../std/result.ts";
import type { Caller } from "../vocabulary/caller.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";
import { answered, refused } from "./answers.ts";
import { INTERNAL, type Refusal, refusal, refusalOf } from "./failures.ts";
import { Graphs, type OpenGraph } from "./graphs.ts";
import { jsonOf } from "./json-text.ts";
import { BODY_BYTES, type Route } from "./route.ts";
import { ACTIVITY_GRAPHS, routesAt } from "./routes.ts";
import { type SystemOptions, SystemPaths } from "./system-paths.ts";
import { pathOf, type Query, queryOf } from "./target.ts";
import { type TokenOptions, Tokens } from "./tokens.ts";

export interface ServerOptions extends SystemOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly trace: Trace;
  readonly openGraph: OpenGraph;
  readonly tokens: TokenOptions;
}

export interface BatonServer {
  readonly handle: HttpHandler;
  /** The longest body that a request to the target may have, bytes. */
  bodyLimit(target: string): number;
  /** The answer to what never became a request. */
  refuse(refusal: Refusal): HttpResponse;
  /** The node that serves the graph, for whoever shares the process. */
  node(graph: string): EngineNode;
  /** One pass of the periodic listing over every graph that was met. */
  sweep(): Promise<void>;
  /** Ends what the nodes have begun by themselves, or tries to: for a server that has answered its last request. */
  flush(): Promise<void>;
  /** Answers waiting claims with null and tells load balancers to go elsewhere; everything else is still served. */
  drain(): void;
}

export function createServer(options: ServerOptions): BatonServer {
  return new Server(options);
}

class Server implements BatonServer {
  readonly #options: ServerOptions;
  readonly #tokens: Tokens;
  readonly #graphs: Graphs;
  readonly #system: SystemPaths;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#tokens = new Tokens(options.tokens);
    this.#graphs = new Graphs(options.openGraph);
    this.#system = new SystemPaths(options);
  }

  readonly handle: HttpHandler = async (request, gone) => {
    const { clock, ids, trace } = this.#options;
    const startedMs = clock.monotonicMs();
    const id = ids.next();
    const path = pathOf(request.target);
    const response = await this.#answer(request, path, id, gone);
    trace.emit("request", {
      request_id: id,
      method: request.method,
      // Other paths are the sender's words.
      route: routesAt(path).length > 0 || this.#system.has(path) ? path : "other",
      status: response.status,
      elapsed_ms: clock.monotonicMs() - startedMs,
    });
    return response;
  };

  /** U1. */
  async #answer(
    request: HttpRequest,
    path: string,
    id: string,
    gone: Abortable | undefined,
  ): Promise<HttpResponse> {
    try {
      const caller = this.#tokens.callerOf(request.headers.authorization);
      const system = await this.#system.answer(request.method, path, caller, id);
      if (system !== null) return system;
      const route = this.#routeOf(request, path, caller);
      if (!route.ok) return refused(route.error, id);
      const result = await this.#serve(route.value.route, route.value.caller, request, gone);
      if (result.ok) return answered(200, JSON.stringify(result.value), id);
      return this.#refused(result.error, id);
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.trace.emit("request-crashed", { request_id: id, error: stack });
      return refused(INTERNAL, id);
    }
  }

  /** U4. */
  #refused(failed: Failure, id: string): HttpResponse {
    const refusal = refusalOf(failed);
    if (refusal.status >= 500)
      this.#options.trace.emit("request-failed", {
        request_id: id,
        kind: failed.kind,
        code: failed.code,
        error: failed.message,
      });
    return refused(refusal, id);
  }

  /** Who asks for what. A caller without a token learns nothing of the paths. */
  #routeOf(
    { method }: HttpRequest,
    path: string,
    caller: Caller | null,
  ): Result<{ readonly route: Route; readonly caller: Caller }, Refusal> {
    if (caller === null) {
      const message = "send the server's token as 'Authorization: Bearer <token>'";
      return err(refusal(401, "authentication_error", "unauthorized", message));
    }
    const routes = routesAt(path);
    const route = routes.find((one) => one.method === method);
    if (route !== undefined) return ok({ route, caller });
    if (routes.length > 0) {
      const allow = routes.map((one) => one.method).join(", ");
      const message = `this path has ${allow} only`;
      return err(refusal(405, "invalid_request_error", "method_not_allowed", message, { allow }));
    }
    if (ACTIVITY_GRAPHS.has(path)) {
      const message = "activity graphs are not served; message workflows are under /v1/workflows/instances";
      return err(refusal(404, "not_found_error", "activity_graphs_not_served", message));
    }
    return err(
      refusal(404, "not_found_error", "route_not_found", "there is no such path; see /openapi.json"),
    );
  }

  /** U2, U3. */
  async #serve(
    route: Route,
    caller: Caller,
    request: HttpRequest,
    gone: Abortable | undefined,
  ): Promise<Result<unknown, Failure>> {
    const query = queryOf(request.target);
    if (!query.ok) return query;
    const { graph: named = "main", stack: _, branch: __, ...rest } = query.value;
    if (!isName(named)) return err(failure("invalid", "invalid_name", `graph must be ${NAME_RULE}`, "graph"));
    const input = inputOf(route, request, rest);
    if (!input.ok) return input;
    const graph = this.#graphs.named(named);
    const result = await route.serve(input.value, { engine: graph.as(caller), gone });
    if (!result.ok && result.error.code === "graph_not_found") {
      this.#graphs.forget(named);
      return err(noGraph(named));
    }
    return result;
  }

  bodyLimit(target: string): number {
    const limits = routesAt(pathOf(target)).map(({ bodyBytes }) => bodyBytes);
    return limits.length === 0 ? BODY_BYTES : Math.max(...limits);
  }

  refuse(refusal: Refusal): HttpResponse {
    return refused(refusal, this.#options.ids.next());
  }

  node(graph: string): EngineNode {
    return this.#graphs.named(graph).node;
  }

  sweep(): Promise<void> {
    return this.#graphs.sweep();
  }

  flush(): Promise<void> {
    return this.#graphs.flush();
  }

  drain(): void {
    this.#system.drain();
    this.#graphs.endWaits();
  }
}

/** The query of a GET, the body of a POST, whose query has nothing but the scope. */
function inputOf(route: Route, { body }: HttpRequest, query: Query): Result<unknown, Failure> {
  if (route.method === "GET") return ok(query);
  const [extra] = Object.keys(query);
  if (extra !== undefined) {
    const param = extra.slice(0, 128);
    return err(failure("invalid", "unknown_parameter", `there is no parameter ${param}`, param));
  }
  const isEmpty = body === null || body === "";
  if (!isEmpty) return jsonOf(body);
  if (Object.keys(route.input.shape).length === 0) return ok({});
  return err(failure("invalid", "missing_body", "the request has no body; send a JSON object"));
}

function noGraph(name: string): Failure {
  const message = `the graph ${name} does not exist; create it with POST /v1/graph/create?graph=${name}`;
  return failure("not-found", "graph_not_found", message, "graph");
}
