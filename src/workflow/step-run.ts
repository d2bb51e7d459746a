/**
 * One step: begin the operation, do the work within its limits, save what it returns.
 *
 *   N1  the limits count from before the operation was sent. When one is passed the attempt is given up and nothing more
 *       is sent for the turn: the engine ends it, too, and tries again.
 *   N2  each acknowledged report moves the limit on silence, from before it was sent; nothing moves the execution limit.
 *   N3  the work is waited for only as long as the attempt lives, whether it heeds its signal or not.
 *   N4  what the handler gets is a copy of what was saved, as a replay would get it.
 *
 * Source: seed 000 "LLM runs, signals and progress"; contract section 3.1.
 */
import type { Clock } from "../ports/clock.ts";
import type { Json } from "../std/json.ts";
import { DEFAULTS, OPERATION_MS } from "../vocabulary/limits.ts";
import type { StepContext, StepOptions, StepWork } from "./context.ts";
import { toJson } from "./json-values.ts";
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
  const { calls, clock } = bench;
  const { lease } = calls;
  const limits = limitsOf(place.key, options);
  const watch = new StepWatch(clock, limits, (why) => lease.end(new Error(`step ${place.key} ${why}`)));
  const begun = await calls.send((turns, signal) =>
    turns.operation(
      {
        ...lease.request,
        ...place,
        kind: options.kind ?? "step",
        timeout_ms: limits.timeoutMs,
        ...(limits.silenceMs === null ? {} : { heartbeat_timeout_ms: limits.silenceMs }),
      },
      signal,
    ),
  );
  const checkpoint = begun.operation?.checkpoint ?? null;
  const reports = reportsOf(bench, place.key, limits, checkpoint, watch);
  const stop = () => {
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
    await reports.close();
    await calls.send((turns, signal) =>
      turns.checkpoint({ ...lease.request, ...place, kind: "step", output }, signal),
    );
    return output;
  } finally {
    lease.signal.removeEventListener("abort", stop);
    stop();
  }
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
): StepReports {
  const everyMs = silenceMs === null ? progressEveryMs : Math.min(progressEveryMs, Math.floor(silenceMs / 2));
  return new StepReports(clock, everyMs, checkpoint, async (sequence, details, cursor) => {
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
