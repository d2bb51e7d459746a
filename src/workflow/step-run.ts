/**
 * One step: begin the operation, do the work within its limits, save what it returns, or hold it back.
 *
 *   N1  the limits count from before the operation was sent, whenever its start is recorded. When one is passed the attempt
 *       is given up and nothing more is sent for the turn: the engine ends it, too, and tries again.
 *   N2  each acknowledged report moves the limit on silence, from before it was sent; nothing moves the execution limit.
 *   N3  the work is waited for only as long as the attempt lives, whether it heeds its signal or not.
 *   N4  what the handler gets is a copy of what is saved, as a replay would get it.
 *   N5  a step is held back (`held-step.ts`) only if its recorded start, if there is one, leaves it a whole lease: so the
 *       next renewal saves it before its limits could end the attempt.
 *
 * Source: seed 000 "LLM runs, signals and progress"; contract section 3.1.
 */
import type { Clock } from "../ports/clock.ts";
import type { Json } from "../std/json.ts";
import { DEFAULTS, OPERATION_MS } from "../vocabulary/limits.ts";
import type { OperationView } from "../vocabulary/view.ts";
import type { StepContext, StepOptions, StepWork } from "./context.ts";
import type { HeldStep } from "./held-step.ts";
import { toJson } from "./json-values.ts";
import { OperationStart } from "./operation-start.ts";
import type { WorkerSavings } from "./savings.ts";
import { StepReports } from "./step-reports.ts";
import type { TurnCalls } from "./turn-calls.ts";
import { never, whileLive } from "./waiting.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

/** What steps of one turn have in common. */
export interface StepBench {
  readonly calls: TurnCalls;
  readonly clock: Clock;
  readonly effectPrefix: string;
  /** The most time between two reports of one phase. */
  readonly progressEveryMs: number;
  readonly savings: WorkerSavings;
  readonly held: HeldStep;
  /** As the task shows it. */
  readonly operationBefore: OperationView | null | undefined;
}

export interface StepLimits {
  readonly timeoutMs: number;
  readonly silenceMs: number | null;
}

/** Throws for limits that the engine would refuse. */
export function limitsOf(key: string, options: StepOptions): StepLimits {
  const { timeoutMs = DEFAULTS.operationMs, heartbeatTimeoutMs } = options;
  const { min, max } = OPERATION_MS;
  const isWithin = (value: number, most: number) =>
    Number.isSafeInteger(value) && value >= min && value <= most;
  if (!isWithin(timeoutMs, max))
    throw new WorkflowUsageError(`timeoutMs of ${key} must be a whole number from ${min} to ${max}`);
  if (heartbeatTimeoutMs !== undefined && !isWithin(heartbeatTimeoutMs, timeoutMs))
    throw new WorkflowUsageError(
      `heartbeatTimeoutMs of ${key} must be a whole number from ${min} to timeoutMs`,
    );
  return { timeoutMs, silenceMs: heartbeatTimeoutMs ?? null };
}

/** Does the step at that place and answers what was saved. */
export async function runStep<T>(
  bench: StepBench,
  place: { readonly position: number; readonly key: string },
  work: StepWork<T>,
  options: StepOptions,
): Promise<Json> {
  const { calls, clock, held } = bench;
  const { lease } = calls;
  const limits = limitsOf(place.key, options);
  await held.save();
  const watch = new StepWatch(clock, limits, (why) => lease.end(new Error(`step ${place.key} ${why}`)));
  const start = startOf(bench, place, options, limits);
  const checkpoint = await start.begin(mayWait(bench, options));
  // Where nothing was sent nobody has looked whether the attempt goes on.
  if (!lease.isLive()) return never();
  const reports = reportsOf(bench, place.key, limits, checkpoint, watch, start);
  const unwatch = lease.onRenewed(() => start.recordLate());
  const stop = () => {
    unwatch();
    reports.drop();
    watch.end();
  };
  // Where the attempt is over a call may never resolve, and then nothing below is reached.
  lease.signal.addEventListener("abort", stop, { once: true });
  watch.begin();
  try {
    const done = await whileLive(
      startWork(work, contextOf(bench, place.key, checkpoint, reports)),
      lease.signal,
    );
    if (done.kind === "over") return never();
    const output = toJson(done.value, `what step ${place.key} returns`);
    unwatch();
    await reports.close();
    await start.settled();
    held.hold({ ...place, output });
    if (!mayHold(bench, start, watch)) await held.save();
    return output;
  } finally {
    lease.signal.removeEventListener("abort", stop);
    stop();
  }
}

function startOf(
  { calls, operationBefore }: StepBench,
  place: { readonly position: number; readonly key: string },
  { kind = "step" }: StepOptions,
  { timeoutMs, silenceMs }: StepLimits,
): OperationStart {
  const request = {
    ...calls.lease.request,
    ...place,
    kind,
    timeout_ms: timeoutMs,
    ...(silenceMs === null ? {} : { heartbeat_timeout_ms: silenceMs }),
  };
  return new OperationStart(calls, request, operationBefore);
}

/** Whether the start may be recorded later: what its author gave limits to is watched from its beginning. */
function mayWait({ savings }: StepBench, { timeoutMs, heartbeatTimeoutMs }: StepOptions): boolean {
  return savings.recordOperations === "long" && timeoutMs === undefined && heartbeatTimeoutMs === undefined;
}

/** N5. */
function mayHold({ savings, calls }: StepBench, start: OperationStart, watch: StepWatch): boolean {
  return savings.foldLastStep && (!start.isRecorded || watch.leftMs > calls.lease.leaseMs);
}

/** Also what a plain function throws comes as a rejection. */
async function startWork<T>(work: StepWork<T>, step: StepContext): Promise<T> {
  return work(step);
}

function contextOf(bench: StepBench, key: string, checkpoint: Json, reports: StepReports): StepContext {
  const { calls, effectPrefix } = bench;
  const { lease } = calls;
  return {
    effectId: `${effectPrefix}/${key}`,
    signal: lease.signal,
    checkpoint,
    heartbeat: (details, options = {}) => reports.heartbeat(details, options),
    progress: (phase, values = {}) => reports.progress(phase, values),
    putBlob: async (value) => {
      const { workflow_id } = lease.request;
      const request = { workflow_id, value: toJson(value, "a blob") };
      return (await calls.send((turns, signal) => turns.putBlob(request, signal))).reference;
    },
  };
}

function reportsOf(
  { calls, clock, progressEveryMs }: StepBench,
  key: string,
  { silenceMs }: StepLimits,
  checkpoint: Json,
  watch: StepWatch,
  start: OperationStart,
): StepReports {
  const everyMs = silenceMs === null ? progressEveryMs : Math.min(progressEveryMs, Math.floor(silenceMs / 2));
  const begun = () => start.record().then(() => undefined);
  return new StepReports(clock, everyMs, checkpoint, begun, async (sequence, details, cursor) => {
    const sentAtMs = clock.monotonicMs();
    const report = { ...calls.lease.request, key, sequence, details, checkpoint: cursor };
    await calls.send((turns, signal) => turns.progress(report, signal));
    watch.heard(sentAtMs);
  });
}

/** N1, N2. */
class StepWatch {
  readonly #clock: Clock;
  readonly #limits: StepLimits;
  readonly #giveUp: (why: string) => void;
  readonly #startMs: number;
  readonly #over = new AbortController();
  #heardMs: number;

  constructor(clock: Clock, limits: StepLimits, giveUp: (why: string) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#giveUp = giveUp;
    this.#startMs = clock.monotonicMs();
    this.#heardMs = this.#startMs;
  }

  /** Until the first of its limits. */
  get leftMs(): number {
    const { timeoutMs, silenceMs } = this.#limits;
    const nowMs = this.#clock.monotonicMs();
    const executionMs = this.#startMs + timeoutMs - nowMs;
    return silenceMs === null ? executionMs : Math.min(executionMs, this.#heardMs + silenceMs - nowMs);
  }

  heard(atMs: number): void {
    this.#heardMs = atMs;
  }

  begin(): void {
    void this.#guard(this.#over.signal);
  }

  end(): void {
    this.#over.abort(new Error("the step is over"));
  }

  async #guard(stop: AbortSignal): Promise<void> {
    const { timeoutMs, silenceMs } = this.#limits;
    while (!stop.aborted) {
      const nowMs = this.#clock.monotonicMs();
      const executionMs = this.#startMs + timeoutMs - nowMs;
      const quietMs = silenceMs === null ? executionMs : this.#heardMs + silenceMs - nowMs;
      if (executionMs <= 0) return this.#giveUp(`ran longer than its limit of ${timeoutMs} ms`);
      if (quietMs <= 0) return this.#giveUp(`reported no progress for ${silenceMs} ms`);
      await this.#clock.sleep(Math.min(executionMs, quietMs), stop);
    }
  }
}
