/**
 * A refusal of the server as a failure: what the caller does next.
 *
 *   F1  the envelope's `type` says it when the server is one of ours; else the status does. A 409 that is no more exact
 *       is a conflict: either way the caller's word about the turn counts no more.
 *   F2  of a 5xx that does not say what happened, and of no answer at all, nothing is known: `unknown-outcome`.
 *   F3  bodies that are no envelope (a proxy's page, an old server's text) are told as `unstructured_error`.
 *
 * Source: contract section 1.1; `src/server/failures.ts` is the other direction.
 */

import type { HttpResponse } from "../ports/http.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../std/json.ts";
import type { FailureKind } from "../vocabulary/errors.ts";
import type { AnsweredFailure } from "../workflow/index.ts";
import { readHttpDate } from "./http-date.ts";

/** F1. */
const BY_TYPE: { readonly [type: string]: FailureKind } = {
  invalid_request_error: "invalid",
  limit_error: "over-limit",
  permission_error: "forbidden",
  authentication_error: "forbidden",
  not_found_error: "not-found",
  conflict_error: "conflict",
  fence_error: "fenced",
  unavailable_error: "unavailable",
  unknown_outcome_error: "unknown-outcome",
  corrupt_error: "corrupt",
};

/** F1, when the type says nothing. */
const BY_STATUS: { readonly [status: number]: FailureKind } = {
  401: "forbidden",
  403: "forbidden",
  404: "not-found",
  409: "conflict",
  413: "over-limit",
  429: "unavailable",
  503: "unavailable",
};

/** `wallMs`: now, to read a `Retry-After` that is a date. */
export function refusalOf(response: HttpResponse, wallMs: number): AnsweredFailure {
  const { status, headers, body } = response;
  const parsed = parseJson(body);
  const error = errorOf(parsed);
  const type = textOf(error.type) ?? "api_error";
  const kind = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  const mayPass = status === 429 || status >= 500;
  return {
    kind: kind ?? BY_STATUS[status] ?? (status >= 500 ? "unknown-outcome" : "invalid"),
    code: textOf(error.code) ?? "unstructured_error",
    message:
      textOf(error.message) ?? `the server answered ${status}${body === "" ? "" : `: ${body.slice(0, 200)}`}`,
    param: textOf(error.param),
    status,
    requestId: textOf(error.request_id) ?? headers["x-request-id"] ?? null,
    retryable: mayPass && error.retryable !== false,
    retryAfterMs: headerMs(headers["retry-after"], wallMs) ?? secondsMs(error.retry_after_seconds),
    details: error.details ?? null,
  };
}

/** F2. */
export function noAnswer(detail: string): AnsweredFailure {
  return {
    kind: "unknown-outcome",
    code: "no_answer",
    message: `the server did not answer: ${detail}`,
    param: null,
    status: null,
    requestId: null,
    retryable: true,
    retryAfterMs: null,
    details: null,
  };
}

/** A success whose body is not what was promised: it is not asked for again. */
export function unreadable({ status, headers }: HttpResponse): AnsweredFailure {
  const kind = "unknown-outcome";
  const message = `the server answered ${status} with a body that is no JSON object`;
  const requestId = headers["x-request-id"] ?? null;
  return { ...noAnswer(""), kind, code: "unreadable_answer", message, status, requestId, retryable: false };
}

/** `{"error": {...}}`, or the older `{"error": "text", "code", "details"}` (F3). */
function errorOf(body: Json | undefined): JsonObject {
  if (!isJsonObject(body)) return {};
  const { error } = body;
  if (isJsonObject(error)) return error;
  return typeof error === "string" ? { ...body, message: error } : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

/** Whole seconds, or a date. */
function headerMs(header: string | undefined, wallMs: number): number | null {
  if (header === undefined) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1_000;
  const atMs = readHttpDate(header);
  return atMs === null ? null : Math.max(0, atMs - wallMs);
}

function secondsMs(seconds: Json | undefined): number | null {
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1_000 : null;
}
