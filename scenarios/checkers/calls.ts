/**
 * The log of calls, sorted by what was asked, so that a change in the store can be held against who asked for it.
 *
 * An answer is one of three:
 *
 *   ok       the call had its effect, or its exact repeat had had it before
 *   refused  a promise that the call had no effect and never will (the vocabulary's `errors.ts`; catalogue I01)
 *   open     promises nothing: no answer, an unknown outcome, a corrupt object, a call that a hop delivered twice
 *
 * The callers are our own, so a request is trusted to be what its operation's name says once the fields that the
 * checkers read are there; an entry that does not fit is left out and then explains nothing.
 */

import type { CallRecord, RunHistory } from "../../sim/index.ts";
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  CreateRequest,
  FailRequest,
  FailureKind,
  LeaseRequest,
  SendRequest,
} from "../../src/index.ts";
import { isObject } from "./shapes.ts";

export type Answer =
  | { readonly kind: "ok"; readonly value: unknown }
  | { readonly kind: "refused"; readonly code: string }
  | { readonly kind: "open" };

export interface Call<Request> {
  readonly record: CallRecord;
  readonly request: Request;
  readonly answer: Answer;
}

export interface CallLog {
  readonly creates: readonly Call<CreateRequest>[];
  readonly sends: readonly Call<SendRequest>[];
  readonly claims: readonly Call<ClaimRequest>[];
  /** The calls of attempts, by token. */
  readonly attempts: ReadonlyMap<string, AttemptCalls>;
}

/** What was asked with one token. */
export interface AttemptCalls {
  readonly heartbeats: Call<LeaseRequest>[];
  readonly checkpoints: Call<CheckpointRequest>[];
  readonly completes: Call<CompleteRequest>[];
  readonly fails: Call<FailRequest>[];
}

export const NO_CALLS: AttemptCalls = { heartbeats: [], checkpoints: [], completes: [], fails: [] };

/** The failures that promise no effect, now or later (the vocabulary's `errors.ts`; catalogue I01). */
const PROMISES: ReadonlySet<FailureKind | unknown> = new Set<FailureKind>([
  "invalid",
  "not-found",
  "conflict",
  "fenced",
  "over-limit",
  "unavailable",
]);

export function readCalls(history: RunHistory): CallLog {
  const creates: Call<CreateRequest>[] = [];
  const sends: Call<SendRequest>[] = [];
  const claims: Call<ClaimRequest>[] = [];
  const attempts = new Map<string, AttemptCalls>();
  for (const record of history.calls) {
    const { operation, request } = record;
    const answer = answerOf(record);
    if (operation === "createInstance" && isCreate(request)) creates.push({ record, request, answer });
    else if (operation === "sendMessage" && isSend(request)) sends.push({ record, request, answer });
    else if (operation === "claim" && isClaim(request)) claims.push({ record, request, answer });
    else if (isLease(request)) {
      const calls = callsOf(attempts, request.token);
      if (operation === "heartbeat") calls.heartbeats.push({ record, request, answer });
      else if (operation === "checkpoint" && isCheckpoint(request))
        calls.checkpoints.push({ record, request, answer });
      else if (operation === "complete" && isComplete(request))
        calls.completes.push({ record, request, answer });
      else if (operation === "fail" && isFail(request)) calls.fails.push({ record, request, answer });
    }
  }
  return { creates, sends, claims, attempts };
}

function callsOf(attempts: Map<string, AttemptCalls>, token: string): AttemptCalls {
  const known = attempts.get(token);
  if (known !== undefined) return known;
  const calls: AttemptCalls = { heartbeats: [], checkpoints: [], completes: [], fails: [] };
  attempts.set(token, calls);
  return calls;
}

function answerOf(record: CallRecord): Answer {
  const { reply, outcome } = record;
  if (outcome !== "answered" || !isObject(reply)) return { kind: "open" };
  if (reply.ok === true) return { kind: "ok", value: reply.value };
  // The answer of one delivery says nothing about the other one.
  if (record.faults.includes("D01-duplicate-request")) return { kind: "open" };
  if (!isObject(reply.error) || !PROMISES.has(reply.error.kind)) return { kind: "open" };
  return { kind: "refused", code: String(reply.error.code) };
}

/** The fields that checkers read; the rest is what our own callers logged. */
function isCreate(value: unknown): value is CreateRequest {
  return isObject(value) && typeof value.id === "string" && typeof value.workflow_type === "string";
}
function isSend(value: unknown): value is SendRequest {
  return (
    isObject(value) &&
    typeof value.workflow_id === "string" &&
    typeof value.id === "string" &&
    value.message !== undefined
  );
}
function isClaim(value: unknown): value is ClaimRequest {
  return isObject(value) && typeof value.worker === "string" && Array.isArray(value.workflows);
}
function isLease(value: unknown): value is LeaseRequest {
  return (
    isObject(value) &&
    typeof value.workflow_id === "string" &&
    typeof value.turn === "number" &&
    typeof value.token === "string"
  );
}
function isCheckpoint(value: LeaseRequest): value is CheckpointRequest {
  return "position" in value && "key" in value && "output" in value;
}
function isComplete(value: LeaseRequest): value is CompleteRequest {
  return "state" in value;
}
function isFail(value: LeaseRequest): value is FailRequest {
  return "error" in value;
}
