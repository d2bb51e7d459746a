/**
 * What a handler gets: the turn's context, and each step's own.
 *
 *   X1  steps, sleeps, waits and children are awaited one after the other, under keys that are unique in the turn. Their
 *       order is the same in every attempt, or the turn fails for good.
 *   X2  time, randomness and everything outside the saved state are read inside steps; what a step returns is saved and
 *       not done again.
 *   X3  `signal` aborts when the attempt is over. When that is before its handler has returned (its lease is lost, its
 *       worker stops, the turn sleeps), no call of the context resolves any more: the turn goes on elsewhere, or later.
 *
 * Everything a handler passes in or gets is JSON. Source: seed 000 "Message workflows", "LLM runs, signals and progress".
 */
import type { Json } from "../std/json.ts";
import type { RequeuedInstance } from "../vocabulary/requests.ts";
import type { OperationKind, Origin, TurnStatus } from "../vocabulary/turn.ts";
import type { RequeueView } from "../vocabulary/view.ts";

export interface WorkflowContext<State = Json, Message = Json> {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly version: string;
  /** The turn's number, from 1. */
  readonly turn: number;
  readonly messageId: string;
  /** From 1. Not the same in a replay: nothing that is saved may depend on it. */
  readonly attempt: number;
  /** Where the message came from; null: its sender did not say. */
  readonly origin: Origin | null;
  readonly state: State;
  readonly message: Message;
  /** X3. */
  readonly signal: AbortSignal;
  /** Does the work and saves what it returns; a replay returns the saved value. */
  step<T>(key: string, work: StepWork<T>, options?: StepOptions): Promise<T>;
  /** A durable timer, 0 to 365 days; the worker is free meanwhile. */
  sleep(key: string, ms: number): Promise<void>;
  /** Takes the oldest signal of the name, or lets the turn wait for one without a worker. */
  waitForSignal<T = Json>(key: string, options: SignalWait): Promise<Signalled<T>>;
  /** Starts another instance with one message and waits for its end, as for a signal. */
  child<T = Json>(
    key: string,
    workflow: NamedVersion,
    options: ChildOptions,
  ): Promise<Signalled<ChildEnd<T>>>;
  /** Sends back what this turn could not do, to be tried after 1, 4 and 16 minutes; saved as a step. */
  requeue(
    key: string,
    instances: readonly RequeuedInstance[],
    options?: RequeueOptions,
  ): Promise<RequeueView>;
  /** The value of a blob of this instance. A blob never changes, so it may be read outside steps. */
  getBlob<T = Json>(reference: string): Promise<T>;
  /** What a handler returns to go on in another turn, behind everything queued: state and message are one write. */
  continue(state: State, message: Message): Continuation<State, Message, never>;
}

export type StepWork<T> = (step: StepContext) => T | Promise<T>;

export interface StepOptions {
  /** A label. Default: `step`. */
  readonly kind?: OperationKind;
  /** The most that one attempt at the step may take, 100 ms to 24 h. Default: 5 minutes. */
  readonly timeoutMs?: number;
  /** The most time between two reports, 100 ms to `timeoutMs`; none asked for by default. */
  readonly heartbeatTimeoutMs?: number;
}

export interface StepContext {
  /** The same for this step in every attempt: the idempotency key for what the step does outside. */
  readonly effectId: string;
  readonly signal: AbortSignal;
  /** What the last `heartbeat` of an earlier attempt saved; null: nothing. */
  readonly checkpoint: Json;
  /** Saves details, and where the next attempt could go on. Each call is one write; await it. */
  heartbeat(details: Json, options?: { readonly checkpoint?: Json }): Promise<void>;
  /** Says what the step does now. Cheap: sent at once when the phase changes, else every few seconds. */
  progress(phase: string, values?: ProgressValues): void;
  /** Keeps a value of up to 8 MiB for the instance; return its reference from the step. */
  putBlob(value: Json): Promise<string>;
}

export interface ProgressValues {
  /** A whole number. Default: 0. */
  readonly done?: number;
  readonly total?: number | null;
  readonly unit?: string | null;
}

export interface SignalWait {
  readonly name: string;
  /** 1 ms to 365 days. */
  readonly timeoutMs: number;
}

/** The end of a wait: a value, or the time was out. */
export type Signalled<T> =
  | { readonly received: true; readonly value: T }
  | { readonly received: false; readonly value: null };

/** A type and version of a workflow; a `Workflow` is one. */
export interface NamedVersion {
  readonly name: string;
  readonly version: string;
}

export interface ChildOptions {
  readonly message: unknown;
  /** The child's initial state. Default: the workflow's own, or null. */
  readonly state?: unknown;
  readonly timeoutMs: number;
  readonly leaseMs?: number;
  readonly maxAttempts?: number;
}

/** How a child's work ended. */
export interface ChildEnd<T = Json> {
  readonly workflow_id: string;
  readonly turn: number;
  readonly status: TurnStatus;
  readonly result: T;
  readonly error: string | null;
  /** The result was too large for a signal: read it from the child's history. */
  readonly result_omitted?: boolean;
}

export interface RequeueOptions {
  /** What is sent back. Default: `{"requeue": instances}`. */
  readonly message?: Json;
}

/** What a handler returns. */
export interface TurnResult<State = Json, Result = Json> {
  readonly state: State;
  /** Default: null. */
  readonly result?: Result;
}

/** Made by `ctx.continue`. */
export interface Continuation<State = Json, Message = Json, Result = Json> extends TurnResult<State, Result> {
  readonly continuation: { readonly message: Message };
}
