/**
 * What went wrong with one request, read from whatever the SDK throws, and the status table of the port.
 *
 *   answer                          get               put                      delete
 *   412                             no answer         precondition-failed *    precondition-failed *
 *   404 NoSuchKey                   not-found         not-found **             ok; not-found **
 *   404 otherwise (no such bucket)  no answer         unknown                  unknown
 *   409 of two writes in flight     no answer         conflict *               conflict *
 *   429, 503, SlowDown              throttled         throttled                throttled
 *   every other status (403, 5xx)   no answer         unknown                  unknown
 *   reset, time-out, half an answer no answer         unknown                  unknown
 *
 *   *   only to a write with a condition; else unknown.   **  only to an if-match; else unknown, or ok for a delete.
 *
 *   R1  absence is the store's own word for it: a 404 that does not name the key proves nothing (catalogue I21).
 *   R2  what does not fit the table is an unknown outcome, also where it was probably not applied.
 *   R3  the text for people is the same whether a request or its answer was lost.
 *
 * Source: catalogue part 4, B10, B15, B16, B28.
 */
import type { Throttled, UnknownOutcome } from "../../ports/object-store.ts";

/** One request that was not answered with success. */
export interface S3Failure {
  /** Null: there was no answer. */
  readonly status: number | null;
  /** The store's code, or the name of the error where there was no answer. */
  readonly code: string;
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** Where the store says that the bucket is. */
  readonly region: string | null;
}

/** What a failed request means where the operation does not matter. */
export type CommonOutcome = Throttled | UnknownOutcome;

const THROTTLES = [
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "RequestLimitExceeded",
  "TooManyRequests",
];
const CONFLICTS = ["ConditionalRequestConflict", "OperationAborted", "ConcurrentModification"];

export function isMissingKey({ status, code }: S3Failure): boolean {
  return status === 404 && code === "NoSuchKey";
}

/** 409: another operation was in flight. Other 409s say something else, and are not known. */
export function isConflict({ status, code }: S3Failure): boolean {
  return status === 409 && CONFLICTS.includes(code);
}

export function isThrottle({ status, code }: S3Failure): boolean {
  return status === 429 || status === 503 || THROTTLES.includes(code);
}

/** R2. */
export function commonOutcome(failure: S3Failure): CommonOutcome {
  if (isThrottle(failure)) return { kind: "throttled", retryAfterMs: failure.retryAfterMs };
  return { kind: "unknown-outcome", detail: textOf(failure) };
}

/** R3. */
export function textOf({ status, code, message }: S3Failure): string {
  if (status === null) return `no answer from the store (${message})`;
  return `the store answered ${status} ${code}`.trimEnd();
}

/** What an error of the SDK, of the connection or of reading a body says. */
export function failureOf(error: unknown): S3Failure {
  const { name, message, code } = partsOf(error);
  const status = statusOf(error);
  // An error on the way is wrapped, or named by its class; what tells is the code of the connection.
  const cause = error instanceof Error && error.cause !== undefined ? partsOf(error.cause) : null;
  const word =
    status === null ? (code ?? cause?.code ?? name) : (code ?? (NAMELESS.includes(name) ? "" : name));
  return {
    status,
    code: word,
    message: firstLine(cause === null ? message : cause.message) || word,
    retryAfterMs: retryAfterOf(error),
    region: regionOf(error),
  };
}

/** What the SDK calls an answer whose body says nothing, or nothing that can be read. */
const NAMELESS = ["Error", "Unknown", "UnknownError"];

interface Parts {
  readonly name: string;
  readonly message: string;
  readonly code: string | null;
}

function partsOf(error: unknown): Parts {
  const name = field(error, "name") ?? "Error";
  const code = field(error, "Code") ?? field(error, "code");
  // Several addresses of one host were tried.
  const tried = nested(error, "errors", "0");
  const message = field(error, "message") || (tried === undefined ? "" : (field(tried, "message") ?? ""));
  return { name, message, code };
}

/** The status of the answer, when there was a whole one. */
function statusOf(error: unknown): number | null {
  // The connection broke in the middle of the body. S3 words its codes otherwise.
  if (/^E[A-Z_]+$/.test(field(error, "code") ?? "")) return null;
  for (const path of [
    ["$metadata", "httpStatusCode"],
    ["$response", "statusCode"],
  ]) {
    const status = nested(error, ...path);
    if (typeof status === "number" && status > 0) return status;
  }
  return null;
}

function header(error: unknown, name: string): string | null {
  const value = nested(error, "$response", "headers", name);
  return typeof value === "string" ? value : null;
}

/** Seconds, or a date that is compared with the answer's own. */
function retryAfterOf(error: unknown): number | null {
  const text = header(error, "retry-after");
  if (text === null) return null;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1_000;
  const ms = Date.parse(text) - Date.parse(header(error, "date") ?? "");
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function regionOf(error: unknown): string | null {
  return header(error, "x-amz-bucket-region") ?? field(error, "Region");
}

function nested(value: unknown, ...path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

function field(value: unknown, name: string): string | null {
  const found = nested(value, name);
  return typeof found === "string" && found !== "" ? found : null;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").trim();
}
