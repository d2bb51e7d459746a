/**
 * Answers as they are sent: each has its request id and the version of the interface, whatever it says.
 */
import type { HttpResponse } from "../ports/http.ts";
import { envelope, type Refusal } from "./failures.ts";

/** The contract's version, of every answer and of the clients that were written for it. */
export const API_VERSION = "2026-07-23";

const JSON_TYPE = "application/json; charset=utf-8";

export function answered(status: number, body: string, requestId: string, type = JSON_TYPE): HttpResponse {
  return {
    status,
    headers: {
      "content-type": type,
      "lbb-version": API_VERSION,
      "x-request-id": requestId,
      "cache-control": "no-store",
    },
    body,
  };
}

export function refused(refusal: Refusal, requestId: string): HttpResponse {
  const { status, allow, retryAfterSeconds } = refusal;
  const { headers, body } = answered(status, envelope(refusal, requestId), requestId);
  return {
    status,
    headers: {
      ...headers,
      ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...(allow === undefined ? {} : { allow }),
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    },
    body,
  };
}
