/**
 * The context of one attempt at one turn: what a handler asks for, in its order, from what was saved or by doing it.
 *
 *   K1  a saved step is answered from the turn and sends nothing.
 *   K2  a sleep, or a wait that nothing ends at once, lets go of the turn: the call never resolves, and the handler is
 *       forgotten where it stands. The next attempt comes to the same place by replay.
 *   K3  a step that failed, and a rule of the order that was broken, end the attempt: every later call fails the same way.
 *
 * A plain step goes on in `step-run.ts`. Sleeps, waits and children are one call each: they have no limits of their own
 * beside the lease, and are not renewed while they are sent (L4).
 *
 * Does not own the order itself (`step-order.ts`), the work of a step (`step-run.ts`), nor what becomes of the turn when
 * the handler returns (`turn-run.ts`).
 */
import type { Json } from "../std/json.ts";
import { REPLY_PREFIX, SLEEP_MS, WAIT_MS } from "../vocabulary/limits.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";
import type { RequeuedInstance } from "../vocabulary/requests.ts";
import type { Origin, Step } from "../vocabulary/turn.ts";
import type { RequeueView, Task, TurnView } from "../vocabulary/view.ts";
import { childRequest } from "./child-request.ts";
import type {
  ChildEnd,
  ChildOptions,
  Continuation,
  NamedVersion,
  RequeueOptions,
  Signalled,
  SignalWait,
  StepOptions,
  StepWork,
  WorkflowContext,
} from "./context.ts";
import { fromJson, toJson } from "./json-values.ts";
import { checkRange } from "./ranges.ts";
import type { AskedStep, StepOrder } from "./step-order.ts";
import { limitsOf, runStep, type StepBench } from "./step-run.ts";
import { never } from "./waiting.ts";

/** Told when the turn was let go at a step (K2). */
export type Suspended = (key: string) => void;

const PLAIN = { kind: "step", delayMs: null, signalName: null, isChild: false } as const;

export class TurnContext implements WorkflowContext {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly version: string;
  readonly turn: number;
  readonly messageId: string;
  readonly attempt: number;
  readonly origin: Origin | null;
  readonly state: Json;
  readonly message: Json;
  readonly signal: AbortSignal;
  readonly #bench: StepBench;
  readonly #order: StepOrder;
  readonly #suspended: Suspended;
  #failure: { readonly error: unknown } | null = null;

  constructor(
    task: Task,
    version: string,
    state: Json,
    bench: StepBench,
    order: StepOrder,
    suspended: Suspended,
  ) {
    const { turn } = task;
    this.workflowId = turn.workflow_id;
    this.workflowType = task.workflow_type;
    this.version = version;
    this.turn = turn.number;
    this.messageId = turn.message_id;
    this.attempt = turn.attempt;
    this.origin = turn.origin ?? null;
    this.state = state;
    this.message = turn.message;
    this.signal = bench.calls.lease.signal;
    this.#bench = bench;
    this.#order = order;
    this.#suspended = suspended;
  }

  /** The step that failed (K3); null: none did. */
  get failure(): { readonly error: unknown } | null {
    return this.#failure;
  }

  step<T>(key: string, work: StepWork<T>, options: StepOptions = {}): Promise<T> {
    return this.#inOrder({ ...PLAIN, key }, async (position, saved) => {
      limitsOf(key, options);
      if (saved !== null) return fromJson<T>(saved.output);
      return fromJson<T>(await runStep(this.#bench, { position, key }, work, options));
    });
  }

  sleep(key: string, ms: number): Promise<void> {
    const asked: AskedStep = { key, kind: "sleep", delayMs: ms, signalName: null, isChild: false };
    return this.#inOrder(asked, async (position, saved) => {
      checkRange(ms, `the length of the sleep ${key}`, SLEEP_MS);
      if (saved !== null) return;
      const { calls, held } = this.#bench;
      await held.save();
      await calls.sendLast((turns, signal) => {
        const place = { ...calls.lease.request, position, key };
        return turns.checkpoint({ ...place, kind: "sleep", output: null, delay_ms: ms }, signal);
      });
      return this.#letGo(key);
    });
  }

  waitForSignal<T = Json>(key: string, { name, timeoutMs }: SignalWait): Promise<Signalled<T>> {
    const asked: AskedStep = { key, kind: "signal", delayMs: timeoutMs, signalName: name, isChild: false };
    return this.#inOrder(asked, async (position, saved) => {
      checkRange(timeoutMs, `the time limit of the wait ${key}`, WAIT_MS);
      if (!isName(name) || name.startsWith(REPLY_PREFIX))
        this.#order.break(`the name of a signal must be ${NAME_RULE}, and not begin with ${REPLY_PREFIX}`);
      const { calls } = this.#bench;
      return this.#received<T>(key, position, saved, () =>
        calls.sendLast((turns, signal) => {
          const wait = { ...calls.lease.request, position, key, name, timeout_ms: timeoutMs };
          return turns.waitSignal(wait, signal);
        }),
      );
    });
  }

  child<T = Json>(
    key: string,
    workflow: NamedVersion,
    options: ChildOptions,
  ): Promise<Signalled<ChildEnd<T>>> {
    const signalName = `${REPLY_PREFIX}${key}`;
    const asked: AskedStep = { key, kind: "signal", delayMs: options.timeoutMs, signalName, isChild: true };
    return this.#inOrder(asked, async (position, saved) => {
      const request = childRequest(key, workflow, options);
      const { calls } = this.#bench;
      return this.#received<ChildEnd<T>>(key, position, saved, () =>
        calls.sendLast((turns, signal) =>
          turns.startChild({ ...calls.lease.request, position, ...request }, signal),
        ),
      );
    });
  }

  requeue(
    key: string,
    instances: readonly RequeuedInstance[],
    options: RequeueOptions = {},
  ): Promise<RequeueView> {
    const { calls } = this.#bench;
    // Inside a step, so that a replay answers the same and sends nothing.
    return this.step(key, () =>
      calls.send((turns, signal) => {
        const message =
          options.message === undefined ? {} : { message: toJson(options.message, "the message") };
        return turns.requeue({ ...calls.lease.request, key, instances, ...message }, signal);
      }),
    );
  }

  async getBlob<T = Json>(reference: string): Promise<T> {
    const { calls } = this.#bench;
    const blob = await calls.send((turns, signal) => turns.getBlob(this.workflowId, reference, signal));
    return fromJson<T>(blob.value);
  }

  continue(state: Json, message: Json): Continuation<Json, Json, never> {
    return { state, continuation: { message } };
  }

  /** K3. A promise that nobody awaits must not end the process: the turn fails for it (O2). */
  #inOrder<T>(asked: AskedStep, work: (position: number, saved: Step | null) => Promise<T>): Promise<T> {
    const done = this.#begin(asked, work);
    done.catch(() => undefined);
    return done;
  }

  /** What is thrown here, wherever it comes from, is the step's failure. */
  async #begin<T>(asked: AskedStep, work: (position: number, saved: Step | null) => Promise<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure.error;
    const saved = this.#order.begin(asked);
    try {
      const value = await work(this.#order.position, saved);
      this.#order.done();
      return value;
    } catch (error) {
      this.#failure ??= { error };
      this.#order.failed();
      throw error;
    }
  }

  /** What the wait came to: from the turn, or asked for now (K1, K2). */
  async #received<T>(
    key: string,
    position: number,
    saved: Step | null,
    ask: () => Promise<TurnView>,
  ): Promise<Signalled<T>> {
    if (saved !== null) return this.#signalled<T>(key, saved.output);
    await this.#bench.held.save();
    const turn = await ask();
    if (turn.status === "waiting") return this.#letGo(key);
    this.#bench.calls.lease.resume();
    const entry = turn.steps[position];
    if (entry === undefined) this.#order.break(`the engine did not answer what the wait ${key} received`);
    return this.#signalled<T>(key, entry.output);
  }

  /** The engine ends a wait before it gives the turn out again, so a saved one has an output. */
  #signalled<T>(key: string, output: Json): Signalled<T> {
    if (output === null) this.#order.break(`the wait ${key} was saved and is not over`);
    return fromJson<Signalled<T>>(output);
  }

  /** K2. */
  #letGo<T>(key: string): Promise<T> {
    this.#suspended(key);
    return never();
  }
}
