/**
 * What a refusal looks like on the wire: status, type and envelope, in one table.
 *
 *   F1  a 4xx promises that this delivery of the request had no effect. 503 says whether it may have had one: its type
 *       is `unavailable_error` (none) or `unknown_outcome_error` (perhaps; repeat the same request).
 *   F2  429 and 5xx are retried by clients. So a limit that no repeat can help is a 400, and only room that comes by
 *       itself is a 429.
 *   F3  what is said of a 5xx is fixed here: keys and causes stay in the log, under the request id.
 *   F4  `type` tells the kind of failure exactly, so that a client can map an answer back without knowing every code.
 *
 * Source: contract 1.1, 1.2, 8; `src/vocabulary/errors.ts`.
 */
import type { Failure, FailureKind } from "../vocabulary/errors.ts";

/** A refusal as it is sent. */
export interface Refusal {
  readonly status: number;
  readonly type: ErrorType;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  /** Whether a repeat of the same request can help; absent: not known. */
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  /** Of a 405: the methods that the path has. */
  readonly allow?: string;
}

export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "fence_error"
  | "limit_error"
  | "unavailable_error"
  | "unknown_outcome_error"
  | "corrupt_error"
  | "api_error";

interface Row {
  readonly status: number;
  readonly type: ErrorType;
  readonly retryAfterSeconds?: number;
  /** F3. Absent: what the engine says. */
  readonly message?: string;
}

const ROWS: { readonly [kind in FailureKind]: Row } = {
  invalid: { status: 400, type: "invalid_request_error" },
  "not-found": { status: 404, type: "not_found_error" },
  conflict: { status: 409, type: "conflict_error" },
  forbidden: { status: 403, type: "permission_error" },
  fenced: { status: 409, type: "fence_error" },
  "over-limit": { status: 400, type: "limit_error" },
  unavailable: {
    status: 503,
    type: "unavailable_error",
    retryAfterSeconds: 1,
    message: "nothing was done, because the store could not serve it now; repeat the request after a while",
  },
  "unknown-outcome": {
    status: 503,
    type: "unknown_outcome_error",
    retryAfterSeconds: 1,
    message: "whether the request took effect is not known; repeat exactly the same request",
  },
  corrupt: {
    status: 500,
    type: "corrupt_error",
    message:
      "a stored object cannot be trusted and was left as it is; the operator's log has it under the request id",
  },
};

/** F2. Limits whose room comes by itself, as turns finish. */
const ROOM_COMES: { readonly [code: string]: number } = { inbox_full: 1, graph_full: 5 };

/** The refusal of an engine's failure. */
export function refusalOf({ kind, code, message, param }: Failure): Refusal {
  const row = ROWS[kind];
  const after = kind === "over-limit" && Object.hasOwn(ROOM_COMES, code) ? ROOM_COMES[code] : undefined;
  const status = after === undefined ? row.status : 429;
  const retryAfterSeconds = after ?? row.retryAfterSeconds;
  return {
    status,
    type: row.type,
    code,
    message: row.message ?? message,
    param,
    retryable: status === 429 || status === 503,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** A refusal that the engine has no part in. */
export function refusal(
  status: number,
  type: ErrorType,
  code: string,
  message: string,
  more: { readonly param?: string; readonly allow?: string; readonly retryAfterSeconds?: number } = {},
): Refusal {
  return { status, type, code, message, param: null, retryable: status === 503, ...more };
}

/** The body of a refused request. */
export function envelope(refused: Refusal, requestId: string): string {
  const { type, code, message, param, retryable, retryAfterSeconds } = refused;
  return JSON.stringify({
    error: {
      type,
      code,
      message,
      request_id: requestId,
      doc_url: null,
      param,
      ...(retryable === undefined ? {} : { retryable }),
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    },
  });
}

/** A bug: nothing is known of what was done, so a client may repeat it. */
export const INTERNAL: Refusal = {
  status: 500,
  type: "api_error",
  code: "internal_error",
  message: "the server failed; the operator's log has it under the request id",
  param: null,
};
