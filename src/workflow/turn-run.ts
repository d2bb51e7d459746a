/**
 * One attempt at one turn, from its claim to its end: migration, handler, completion or failure.
 *
 *   U1  what the handler returns completes the turn: state, result and continuation in one call (`completion.ts`).
 *   U2  what it throws fails the attempt; a broken rule of the context fails the turn for good whatever the handler
 *       does; a step that failed fails the attempt also when the handler caught it: its place is not saved, so nothing
 *       can come after it.
 *   U3  a lost turn ends without a word. A released one is given back: it waits about a second, keeps its steps, and
 *       spends no attempt.
 *   U4  a failure is sent once, and only while the lease has time left.
 *   U5  times to retry at are told by the node's clock, as the claim showed it: the worker's may be wrong.
 *   U6  a step that is held back is saved before a failure or a release is told, so that it is kept as any other. A
 *       release waits for that no longer than for a renewal, nor than the lease lasts, and repeats no checkpoint that was
 *       under way.
 *
 * Source: seed 001 "Failures and waits", "Run, scale and stop", "The rules of a worker"; contract section 3.1.
 */
import type { Json } from "../std/json.ts";
import { RETRY_AHEAD_MS } from "../vocabulary/limits.ts";
import type { CompleteRequest } from "../vocabulary/requests.ts";
import type { Task } from "../vocabulary/view.ts";
import type { Claimed } from "./claiming.ts";
import { completeTurn, type Finisher } from "./completion.ts";
import type { Workflow } from "./definition.ts";
import { HeldStep } from "./held-step.ts";
import { toJson } from "./json-values.ts";
import type { Lease } from "./lease.ts";
import type { WorkerSavings } from "./savings.ts";
import { StepOrder } from "./step-order.ts";
import { CallRefused, isLost, TurnCalls } from "./turn-calls.ts";
import { TurnContext } from "./turn-context.ts";
import type { WorkerHost } from "./turn-source.ts";
import { whileLive, within } from "./waiting.ts";
import { errorText, WorkflowError, WorkflowUsageError, WorkflowWait } from "./workflow-errors.ts";

/** How an attempt ended, as far as its worker knows. */
export type TurnEnd =
  | { readonly kind: "completed" }
  /** `told`: the engine has answered; else the lease ends by itself. */
  | { readonly kind: "failed"; readonly error: string; readonly final: boolean; readonly told: boolean }
  | { readonly kind: "deferred"; readonly error: string; readonly retryAtMs: number; readonly told: boolean }
  /** It sleeps or waits for a signal. */
  | { readonly kind: "suspended"; readonly key: string }
  | { readonly kind: "lost"; readonly why: string };

/** A wait is told this much later than the least, for the time that the call takes and clocks that differ. */
const MARGIN_MS = 1_000;
/** How long a turn waits that meets an empty budget, unless it is told. */
const BUDGET_MS = 60_000;

/** How the worker of a turn goes about it. */
export interface TurnHabits extends Pick<Finisher, "takesMore" | "next"> {
  readonly savings: WorkerSavings;
  readonly progressEveryMs: number;
}

/** The least that a checkpoint is given before a release, milliseconds. */
const SAVE_AT_LEAST_MS = 50;

export class TurnRun {
  readonly #host: WorkerHost;
  readonly #task: Task;
  readonly #workflow: Workflow;
  readonly #calls: TurnCalls;
  readonly #order: StepOrder;
  readonly #held: HeldStep;
  readonly #habits: TurnHabits;
  /** The monotonic clock before the claim was sent. */
  readonly #claimedAtMs: number;
  #suspendedAt: string | null = null;
  #finishing = false;
  #released: string | null = null;
  #next: Claimed | null = null;

  constructor(
    host: WorkerHost,
    task: Task,
    workflow: Workflow,
    lease: Lease,
    claimedAtMs: number,
    habits: TurnHabits,
  ) {
    this.#host = host;
    this.#task = task;
    this.#workflow = workflow;
    this.#calls = new TurnCalls(host.turns, lease);
    this.#held = new HeldStep(this.#calls);
    this.#order = new StepOrder(task.turn.steps);
    this.#claimedAtMs = claimedAtMs;
    this.#habits = habits;
  }

  /** The turn that the completion brought, which is the worker's from then on; null: none. */
  get next(): Claimed | null {
    return this.#next;
  }

  /** Never rejects. */
  async run(): Promise<TurnEnd> {
    const { lease } = this.#calls;
    await lease.keep();
    const ended = lease.isLive() ? await whileLive(this.#handle(), lease.signal) : null;
    const end = ended?.kind === "done" ? ended.value : await this.#over();
    lease.end(new Error("the attempt is over"));
    return end;
  }

  /** Gives the turn back (U3), unless it is about to end anyway. */
  release(why: string): void {
    if (this.#finishing) return;
    this.#released = why;
    this.#calls.lease.end(new Error(why));
  }

  /** The attempt ended before its handler did. */
  async #over(): Promise<TurnEnd> {
    if (this.#suspendedAt !== null) return { kind: "suspended", key: this.#suspendedAt };
    if (this.#released !== null) return this.#giveBack(this.#released);
    const why: unknown = this.#calls.lease.signal.reason;
    return { kind: "lost", why: errorText(why) };
  }

  async #handle(): Promise<TurnEnd> {
    try {
      const state = await this.#startState();
      const context = this.#contextOf(state);
      const returned = await this.#workflow.handle(context, state, this.#task.turn.message);
      this.#order.end();
      if (context.failure !== null) throw context.failure.error;
      return await this.#complete(returned);
    } catch (error) {
      // Nobody looks at this any more, and nothing may be sent (U3).
      if (this.#calls.lease.signal.aborted) return { kind: "lost", why: errorText(error) };
      await this.#saveHeld();
      return this.#fail(this.#order.fault ?? error);
    }
  }

  #contextOf(state: Json): TurnContext {
    const { clock } = this.#host;
    const bench = {
      calls: this.#calls,
      clock,
      effectPrefix: this.#task.effect_prefix,
      progressEveryMs: this.#habits.progressEveryMs,
      savings: this.#habits.savings,
      held: this.#held,
      operationBefore: this.#task.turn.operation,
    };
    const { version } = this.#workflow;
    return new TurnContext(this.#task, version, state, bench, this.#order, (key) => {
      this.#suspendedAt = key;
      this.#calls.lease.end(new Error(`the turn waits at ${key}`));
    });
  }

  /** The saved state, brought to this version first when the task says so. */
  async #startState(): Promise<Json> {
    const { migration = null, state } = this.#task;
    if (migration === null) return state;
    const { from, to } = migration;
    const migrated = this.#workflow.migrate(from, state);
    await this.#calls.send((turns, signal) =>
      turns.migrate({ ...this.#calls.lease.request, from, to, state: migrated }, signal),
    );
    return migrated;
  }

  /** U1. */
  async #complete(returned: unknown): Promise<TurnEnd> {
    const { state, result, continuation } = fieldsOf(returned);
    const request: CompleteRequest = {
      ...this.#calls.lease.request,
      state: toJson(state, "the state that the handler returns"),
      result: result === undefined ? null : toJson(result, "the result that the handler returns"),
      continuation: continuation === undefined ? null : { message: messageOf(continuation) },
    };
    const { takesMore, next } = this.#habits;
    const ending = (isUnderWay: boolean) => {
      this.#finishing = isUnderWay;
    };
    const { clock } = this.#host;
    const finisher = { clock, calls: this.#calls, held: this.#held, takesMore, next, ending };
    this.#next = await completeTurn(finisher, request);
    return { kind: "completed" };
  }

  /** U6, J1: a checkpoint that is on its way is waited for, too. What refuses the step is told by the failure, if by anything. */
  async #saveHeld(): Promise<void> {
    if (this.#held.checkpoint !== null) this.#calls.lease.resume();
    await this.#held.save().catch(() => undefined);
  }

  /** U3, U6. */
  async #giveBack(why: string): Promise<TurnEnd> {
    const { lease } = this.#calls;
    const { checkpoint } = this.#held;
    if (checkpoint !== null && lease.isHeld) {
      const { clock, turns } = this.#host;
      const mostMs = Math.max(SAVE_AT_LEAST_MS, Math.floor(lease.leaseMs / 3));
      const unending = new AbortController();
      const answer = await within(clock, Math.min(mostMs, lease.leftMs), unending.signal, (signal) =>
        turns.checkpoint(checkpoint, signal),
      );
      if (answer.kind === "done" && !answer.value.ok && isLost(answer.value.error))
        return { kind: "lost", why: errorText(answer.value.error.message) };
    }
    return this.#defer(why, 0);
  }

  async #fail(error: unknown): Promise<TurnEnd> {
    const text = errorText(error);
    if (error instanceof WorkflowWait) return this.#defer(text, error.retryAtMs);
    if (error instanceof CallRefused && error.failure.code === "workflow_budget_exceeded")
      return this.#defer(text, this.#nodeMs() + BUDGET_MS);
    const final = error instanceof WorkflowError;
    const told = await this.#tell({ error: text, non_retryable: final });
    return { kind: "failed", error: text, final, told };
  }

  /** A time that has come already, or is too near, becomes the nearest that the engine takes. */
  async #defer(error: string, retryAtMs: number): Promise<TurnEnd> {
    const soonest = this.#nodeMs() + RETRY_AHEAD_MS + MARGIN_MS;
    const atMs = Math.ceil(Math.max(soonest, Number.isFinite(retryAtMs) ? retryAtMs : soonest));
    const told = await this.#tell({ error, non_retryable: false, retry_at_ms: atMs });
    return { kind: "deferred", error, retryAtMs: atMs, told };
  }

  /** U4. Answers whether the engine took it. */
  async #tell(failure: {
    readonly error: string;
    readonly non_retryable: boolean;
    readonly retry_at_ms?: number;
  }): Promise<boolean> {
    const { lease } = this.#calls;
    this.#finishing = true;
    lease.pause();
    if (!lease.isHeld) return false;
    const unending = new AbortController();
    const answer = await within(this.#host.clock, this.#task.lease_ms, unending.signal, (signal) =>
      this.#host.turns.fail({ ...lease.request, ...failure }, signal),
    );
    return answer.kind === "done" && answer.value.ok;
  }

  /** U5: what the deciding node's clock shows about now. */
  #nodeMs(): number {
    const { clock } = this.#host;
    const { updated_at_ms } = this.#task.turn;
    if (!Number.isSafeInteger(updated_at_ms)) return clock.wallMs();
    return Math.ceil(updated_at_ms + clock.monotonicMs() - this.#claimedAtMs);
  }
}

/** What a handler must return: an object with a state, made by itself or by `ctx.continue`. */
function fieldsOf(returned: unknown): {
  readonly state: unknown;
  readonly result?: unknown;
  readonly continuation?: unknown;
} {
  if (typeof returned === "object" && returned !== null && "state" in returned) return returned;
  throw new WorkflowUsageError("a handler returns { state, result } or ctx.continue(state, message)");
}

function messageOf(continuation: unknown): Json {
  const message: unknown =
    typeof continuation === "object" && continuation !== null && "message" in continuation
      ? continuation.message
      : undefined;
  return toJson(message, "the message that the turn continues with");
}
