/**
 * The paths about the server itself: version, health, readiness, metrics, the OpenAPI document.
 *
 *   /version        no token: what runs here
 *   /healthz        no token: the process answers; never looks at the store
 *   /readyz         no token: the store answers and the server is not being stopped; else 503
 *   /openapi.json   no token
 *   /metrics        a token, when the server has one
 */
import type { HttpResponse } from "../ports/http.ts";
import type { Caller } from "../vocabulary/caller.ts";
import { API_VERSION, answered, refused } from "./answers.ts";
import { refusal } from "./failures.ts";
import { openApi } from "./openapi.ts";

export interface SystemOptions {
  /** Of the package. */
  readonly version: string;
  /** Whether the store answers; absent: it is taken for granted. */
  readonly ready?: () => Promise<boolean>;
  /** The metrics as text; absent: there are none. */
  readonly metrics?: () => Promise<string>;
}

const PATHS: ReadonlySet<string> = new Set(["/version", "/healthz", "/readyz", "/openapi.json", "/metrics"]);
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export class SystemPaths {
  readonly #options: SystemOptions;
  #stopping = false;

  constructor(options: SystemOptions) {
    this.#options = options;
  }

  has(path: string): boolean {
    return PATHS.has(path);
  }

  /** Not ready from now on. */
  drain(): void {
    this.#stopping = true;
  }

  /** Null: the path is none of these. */
  async answer(
    method: string,
    path: string,
    caller: Caller | null,
    id: string,
  ): Promise<HttpResponse | null> {
    if (!PATHS.has(path)) return null;
    if (method !== "GET") {
      const message = "this path has GET only";
      return refused(
        refusal(405, "invalid_request_error", "method_not_allowed", message, { allow: "GET" }),
        id,
      );
    }
    switch (path) {
      case "/version":
        return answered(200, JSON.stringify(this.#version()), id);
      case "/healthz":
        return answered(200, '{"status":"ok"}', id);
      case "/readyz":
        return this.#ready(id);
      case "/openapi.json":
        return answered(200, openApi(this.#options.version), id);
      default:
        return this.#metrics(caller, id);
    }
  }

  #version(): { readonly [field: string]: string } {
    return { name: "baton", version: this.#options.version, api_version: API_VERSION };
  }

  async #ready(id: string): Promise<HttpResponse> {
    const { ready } = this.#options;
    if (!this.#stopping && (ready === undefined || (await ready())))
      return answered(200, '{"status":"ok"}', id);
    const message = this.#stopping ? "the server is being stopped" : "the store does not answer";
    return refused(refusal(503, "unavailable_error", "not_ready", message, { retryAfterSeconds: 1 }), id);
  }

  async #metrics(caller: Caller | null, id: string): Promise<HttpResponse> {
    if (caller === null) {
      const message = "metrics need the server's token as 'Authorization: Bearer <token>'";
      return refused(refusal(401, "authentication_error", "unauthorized", message), id);
    }
    const { metrics } = this.#options;
    if (metrics !== undefined) return answered(200, await metrics(), id, METRICS_TYPE);
    return refused(refusal(404, "not_found_error", "route_not_found", "this server keeps no metrics"), id);
  }
}
