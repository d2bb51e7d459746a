/**
 * A route: where it is, what it takes, what it answers, and the engine's method that it calls.
 *
 *   R1  a route calls one method once. Whatever takes more belongs to the engine.
 *   R2  what it takes is closed, and parsed once.
 *
 * The OpenAPI document is made from the same routes, so it cannot say another thing.
 */
import type { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import type { HttpMethod } from "../ports/http.ts";
import type { Abortable } from "../std/cancel.ts";
import { err, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { shaped } from "./shape.ts";

/** Whom a request speaks to, beyond what it says. */
export interface Scope {
  readonly engine: Engine;
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: Abortable | undefined;
}

export type Answered = Promise<Result<unknown, Failure>>;

export interface Route {
  readonly method: HttpMethod;
  readonly path: string;
  /** One line for people. */
  readonly summary: string;
  /** What it takes: the body of a POST, the query of a GET. */
  readonly input: z.ZodObject;
  readonly answer: z.ZodType;
  /** Longer bodies are refused before they are read. */
  readonly bodyBytes: number;
  readonly serve: (input: unknown, scope: Scope) => Answered;
}

/** The largest sums of limited fields, each character of them escaped. */
export const BODY_BYTES = 1024 * 1024;
/** A blob as it is stored, and its name. */
export const BLOB_BODY_BYTES = LIMITS.blobBytes + 4 * 1024;

interface RouteOptions<Input> {
  readonly summary: string;
  readonly input: z.ZodObject & z.ZodType<Input>;
  readonly answer: z.ZodType;
  readonly bodyBytes?: number;
  readonly serve: (input: Input, scope: Scope) => Answered;
}

export function post<Input>(path: string, options: RouteOptions<Input>): Route {
  return routeOf("POST", path, "field", options);
}

export function get<Input>(path: string, options: RouteOptions<Input>): Route {
  return routeOf("GET", path, "parameter", options);
}

function routeOf<Input>(
  method: HttpMethod,
  path: string,
  what: "field" | "parameter",
  { summary, input, answer, bodyBytes = BODY_BYTES, serve }: RouteOptions<Input>,
): Route {
  return {
    method,
    path,
    summary,
    input,
    answer,
    bodyBytes,
    async serve(value, scope) {
      const parsed = shaped(input, value, what);
      return parsed.ok ? serve(parsed.value, scope) : err(parsed.error);
    },
  };
}
