/**
 * The log of calls, sorted by what was asked, so that a change in the store can be held against who asked for it.
 *
 * An answer is one of three:
 *
 *   ok       the call had its effect, or its exact repeat had had it before
 *   refused  a promise that the call had no effect and never will (the vocabulary's `errors.ts`; catalogue I01)
 *   open     promises nothing: no answer, an unknown outcome, a corrupt object, a call that a hop delivered twice
 *
 * Calls about an attempt are kept by its token, since that is what a change in the store names; so are those with which a
 * turn starts a child, goes over to another version or sends work back. Reads are left out:
 * they cause nothing, and whoever needs them takes them from the history.
 *
 * The callers are our own, so a request is trusted to be what its operation's name says once the fields that the
 * checkers read are there; an entry that does not fit is left out and then explains nothing.
 */

import type { CallRecord, RunHistory } from "../../sim/index.ts";
import type {
  CheckpointRequest,
  ClaimRequest,
  CompleteRequest,
  ControlRequest,
  CreateRequest,
  FailRequest,
  FailureKind,
  LeaseRequest,
  MigrateRequest,
  NextClaim,
  OperationRequest,
  ProgressRequest,
  RequeueRequest,
  SendRequest,
  SignalRequest,
  StartChildRequest,
  WaitSignalRequest,
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
  readonly signals: readonly Call<SignalRequest>[];
  readonly controls: readonly Call<ControlRequest>[];
  readonly claims: readonly Call<ClaimRequest>[];
  /** Completions that ask for the next turn. */
  readonly nexts: readonly Call<NextRequest>[];
  /** The calls of attempts, by token. */
  readonly attempts: ReadonlyMap<string, AttemptCalls>;
}

export type NextRequest = CompleteRequest & { readonly next: NextClaim };

/** What was asked with one token. */
export interface AttemptCalls {
  readonly heartbeats: Call<LeaseRequest>[];
  readonly operations: Call<OperationRequest>[];
  readonly progresses: Call<ProgressRequest>[];
  readonly checkpoints: Call<CheckpointRequest>[];
  readonly waits: Call<WaitSignalRequest>[];
  readonly completes: Call<CompleteRequest>[];
  readonly fails: Call<FailRequest>[];
  readonly starts: Call<StartChildRequest>[];
  readonly migrations: Call<MigrateRequest>[];
  readonly requeues: Call<RequeueRequest>[];
}

export const NO_CALLS: AttemptCalls = noCalls();

function noCalls(): AttemptCalls {
  return {
    heartbeats: [],
    operations: [],
    progresses: [],
    checkpoints: [],
    waits: [],
    completes: [],
    fails: [],
    starts: [],
    migrations: [],
    requeues: [],
  };
}

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
  const signals: Call<SignalRequest>[] = [];
  const controls: Call<ControlRequest>[] = [];
  const claims: Call<ClaimRequest>[] = [];
  const nexts: Call<NextRequest>[] = [];
  const attempts = new Map<string, AttemptCalls>();
  for (const record of history.calls) {
    const { operation, request } = record;
    const answer = answerOf(record);
    if (operation === "createInstance" && isCreate(request)) creates.push({ record, request, answer });
    else if (operation === "sendMessage" && isSend(request)) sends.push({ record, request, answer });
    else if (operation === "signal" && isSignal(request)) signals.push({ record, request, answer });
    else if (operation === "control" && isControl(request)) controls.push({ record, request, answer });
    else if (operation === "claim" && isClaim(request)) claims.push({ record, request, answer });
    else if (isLease(request)) ofAttempt(callsOf(attempts, request.token), record, request, answer);
    if (operation === "complete" && isLease(request) && isNext(request))
      nexts.push({ record, request, answer });
  }
  return { creates, sends, signals, controls, claims, nexts, attempts };
}

/** Sorts a call that names an attempt; one that has not the fields of its operation is left out. */
function ofAttempt(calls: AttemptCalls, record: CallRecord, request: LeaseRequest, answer: Answer): void {
  switch (record.operation) {
    case "heartbeat":
      calls.heartbeats.push({ record, request, answer });
      break;
    case "operation":
      if (isOperation(request)) calls.operations.push({ record, request, answer });
      break;
    case "progress":
      if (isProgress(request)) calls.progresses.push({ record, request, answer });
      break;
    case "checkpoint":
      if (isCheckpoint(request)) calls.checkpoints.push({ record, request, answer });
      break;
    case "waitSignal":
      if (isWait(request)) calls.waits.push({ record, request, answer });
      break;
    case "complete":
      if (isComplete(request)) calls.completes.push({ record, request, answer });
      break;
    case "fail":
      if (isFail(request)) calls.fails.push({ record, request, answer });
      break;
    case "startChild":
      if (isStart(request)) calls.starts.push({ record, request, answer });
      break;
    case "migrate":
      if (isMigration(request)) calls.migrations.push({ record, request, answer });
      break;
    case "requeue":
      if (isRequeue(request)) calls.requeues.push({ record, request, answer });
      break;
  }
}

function callsOf(attempts: Map<string, AttemptCalls>, token: string): AttemptCalls {
  const known = attempts.get(token);
  if (known !== undefined) return known;
  const calls = noCalls();
  attempts.set(token, calls);
  return calls;
}

/** The task that was handed out, by a claim or with a completion; null: none. */
export function taskIn({ answer, record }: Call<unknown>): { readonly [field: string]: unknown } | null {
  if (answer.kind !== "ok" || !isObject(answer.value)) return null;
  if (record.operation === "claim") return answer.value;
  return isObject(answer.value.next) ? answer.value.next : null;
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
function isSignal(value: unknown): value is SignalRequest {
  return isObject(value) && typeof value.id === "string" && typeof value.turn === "number";
}
function isControl(value: unknown): value is ControlRequest {
  return isObject(value) && typeof value.workflow_id === "string" && typeof value.action === "string";
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
  return "position" in value && "key" in value && "kind" in value;
}
function isOperation(value: LeaseRequest): value is OperationRequest {
  return "position" in value && "key" in value && "kind" in value;
}
function isProgress(value: LeaseRequest): value is ProgressRequest {
  return "key" in value && "sequence" in value;
}
function isWait(value: LeaseRequest): value is WaitSignalRequest {
  return "position" in value && "key" in value && "timeout_ms" in value;
}
/** What a turn asks about other work. */
function isStart(value: LeaseRequest): value is StartChildRequest {
  return "position" in value && "key" in value && "workflow_type" in value;
}
function isMigration(value: LeaseRequest): value is MigrateRequest {
  return "from" in value && "to" in value && "state" in value;
}
function isRequeue(value: LeaseRequest): value is RequeueRequest {
  return "key" in value && "instances" in value;
}
function isComplete(value: LeaseRequest): value is CompleteRequest {
  return "state" in value;
}
function isNext(value: LeaseRequest): value is NextRequest {
  return isComplete(value) && value.next !== undefined;
}
function isFail(value: LeaseRequest): value is FailRequest {
  return "error" in value;
}
