/**
 * A small engine for trying a workflow: one instance in memory, its messages one after another, its time told and not
 * waited for.
 *
 * Keeps the rules that a handler can see: saved steps in their order, durable sleeps, signals taken once and in order,
 * continuations at the end of the inbox, children that answer what the sample says. Sizes, leases, fences and races are
 * the real engine's; whoever needs those runs the real engine on a memory store.
 *
 * Every call is taken as it comes: the worker that sends them is the real one, so they are well-formed.
 */
import type { Json } from "../std/json.ts";
import { ok } from "../std/result.ts";
import type {
  CompleteRequest,
  FailRequest,
  ProgressRequest,
  RequeueRequest,
} from "../vocabulary/requests.ts";
import type { Operation, Step } from "../vocabulary/turn.ts";
import type { OperationView, RequeueView, Task, TurnView } from "../vocabulary/view.ts";
import type { TurnSource } from "./turn-source.ts";
import { never } from "./waiting.ts";

/** A signal that comes as soon as the turn waits for its name. */
export interface SampleSignal {
  readonly name: string;
  readonly value: Json;
}

/** What a child answers, by the key of the step that starts it; a key that is not here: the wait runs out of time. */
export interface SampleReplies {
  readonly [key: string]: Json;
}

const EFFECTS = "sample/main/1";
const TOKEN = "token";

export class SampleTurns implements TurnSource {
  readonly progress: TurnSource["progress"];
  readonly reports: ProgressRequest[] = [];
  readonly requeued: RequeueRequest[] = [];
  readonly blobs = new Map<string, Json>();
  /** What the turn's last attempt came to. */
  completion: CompleteRequest | null = null;
  failure: FailRequest | null = null;
  /** The worker dies when that many steps are saved, before it hears of it. */
  diesAfter: number | null = null;
  /** Resolves when it has died. */
  readonly died: Promise<void>;
  /** The time that the workflow thinks it is. */
  nowMs: number;
  turn: TurnView;
  readonly #signals: SampleSignal[];
  readonly #replies: SampleReplies;
  readonly #type: string;
  #die = () => {};

  constructor(
    type: string,
    turn: TurnView,
    nowMs: number,
    signals: readonly SampleSignal[],
    replies: SampleReplies,
  ) {
    this.#type = type;
    this.turn = turn;
    this.nowMs = nowMs;
    this.#signals = [...signals];
    this.#replies = replies;
    this.died = new Promise((resolve) => {
      this.#die = resolve;
    });
    this.progress = (request) => {
      this.reports.push(request);
      const { operation } = this.turn;
      const { sequence, details, checkpoint } = request;
      if (operation !== null) this.#set({ operation: { ...operation, sequence, details, checkpoint } });
      return this.#answer();
    };
  }

  /** Signals that nobody took. */
  get unread(): readonly SampleSignal[] {
    return this.#signals;
  }

  /** The next attempt at the turn, with that state. */
  task(state: Json): Task {
    this.#set({ status: "running" });
    const { workflow_id, number, message_id } = this.turn;
    this.completion = null;
    this.failure = null;
    return {
      workflow_type: this.#type,
      state,
      turn: this.turn,
      token: TOKEN,
      lease_ms: 60_000,
      effect_prefix: `${EFFECTS}/${workflow_id}/life/${number}/${message_id}`,
      migration: null,
    };
  }

  /** The sample hands out its tasks itself (`task`). */
  claim(): ReturnType<TurnSource["claim"]> {
    return Promise.resolve(ok(null));
  }

  heartbeat(): ReturnType<TurnSource["heartbeat"]> {
    return this.#answer();
  }

  migrate(): ReturnType<TurnSource["migrate"]> {
    return this.#answer();
  }

  operation(request: Parameters<TurnSource["operation"]>[0]): ReturnType<TurnSource["operation"]> {
    const before = this.turn.operation;
    const { key, kind, timeout_ms = 300_000, heartbeat_timeout_ms = null } = request;
    const started: OperationView = {
      key,
      kind,
      attempt: this.turn.attempt,
      started_at_ms: this.nowMs,
      deadline_ms: this.nowMs + timeout_ms,
      timeout_ms,
      heartbeat_timeout_ms,
      last_heartbeat_ms: this.nowMs,
      sequence: 0,
      details: null,
      checkpoint: before?.key === key ? before.checkpoint : null,
    } satisfies Omit<Operation, "token">;
    this.#set({ operation: started });
    return this.#answer();
  }

  /** A sleep is over at once: only the sample's time passes. */
  checkpoint(request: Parameters<TurnSource["checkpoint"]>[0]): ReturnType<TurnSource["checkpoint"]> {
    const { key, kind, output = null, delay_ms: delayMs = null } = request;
    this.#save({ key, kind, output, delay_ms: delayMs });
    if (delayMs !== null) {
      this.nowMs += delayMs;
      this.#set({ status: "waiting" });
    }
    return this.#answer();
  }

  waitSignal(request: Parameters<TurnSource["waitSignal"]>[0]): ReturnType<TurnSource["waitSignal"]> {
    const { key, name, timeout_ms } = request;
    const at = this.#signals.findIndex((one) => one.name === name);
    const [signal] = at < 0 ? [] : this.#signals.splice(at, 1);
    this.#wait(key, name, timeout_ms, signal?.value, null);
    return this.#answer();
  }

  startChild(request: Parameters<TurnSource["startChild"]>[0]): ReturnType<TurnSource["startChild"]> {
    const { key, timeout_ms } = request;
    const result = Object.hasOwn(this.#replies, key) ? this.#replies[key] : undefined;
    const id = `child-of-${key}`;
    const end =
      result === undefined ? result : { workflow_id: id, turn: 1, status: "completed", result, error: null };
    this.#wait(key, `reply-${key}`, timeout_ms, end, id);
    return this.#answer();
  }

  /** Only captured: it does not come back in the sample. */
  requeue(request: RequeueRequest): ReturnType<TurnSource["requeue"]> {
    this.requeued.push(request);
    const { workflow_id, turn, key } = request;
    const due_at_ms = this.nowMs + 60_000;
    const view: RequeueView = {
      workflow_id,
      turn,
      message_id: `requeue-${turn}-${key}`,
      attempt: 1,
      due_at_ms,
    };
    return Promise.resolve(ok(view));
  }

  complete(request: CompleteRequest): ReturnType<TurnSource["complete"]> {
    this.completion = request;
    return this.#answer();
  }

  fail(request: FailRequest): ReturnType<TurnSource["fail"]> {
    this.failure = request;
    return this.#answer();
  }

  putBlob(request: Parameters<TurnSource["putBlob"]>[0]): ReturnType<TurnSource["putBlob"]> {
    const reference = `blob:${String(this.turn.number).padStart(12, "0")}-00000000-${this.blobs.size + 1}`;
    this.blobs.set(reference, request.value);
    return Promise.resolve(ok({ workflow_id: request.workflow_id, reference }));
  }

  getBlob(workflow_id: string, reference: string): ReturnType<TurnSource["getBlob"]> {
    return Promise.resolve(ok({ workflow_id, reference, value: this.blobs.get(reference) ?? null }));
  }

  /** A wait ends at once: with the value, or, when there is none, when its time is out. */
  #wait(key: string, name: string, timeoutMs: number, value: Json | undefined, childId: string | null): void {
    const output = value === undefined ? { received: false, value: null } : { received: true, value };
    this.#save({ key, kind: "signal", output, delay_ms: timeoutMs, signal_name: name, child_id: childId });
    if (value !== undefined) return;
    this.nowMs += timeoutMs;
    this.#set({ status: "waiting" });
  }

  #save(step: Pick<Step, "key" | "kind" | "output" | "delay_ms"> & Partial<Step>): void {
    const saved: Step = {
      at_ms: this.nowMs,
      wake_at_ms: step.delay_ms === null ? null : this.nowMs + step.delay_ms,
      signal_name: null,
      child_id: null,
      ...step,
    };
    this.#set({ steps: [...this.turn.steps, saved], operation: null });
    if (this.turn.steps.length === this.diesAfter) this.#die();
  }

  #set(change: Partial<TurnView>): void {
    this.turn = { ...this.turn, ...change };
  }

  /** A dead worker hears nothing. */
  #answer(): ReturnType<TurnSource["heartbeat"]> {
    if (this.turn.steps.length === this.diesAfter) return never();
    return Promise.resolve(ok(this.turn));
  }
}
