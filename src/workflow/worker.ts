/**
 * A worker: claims the turns of its workflows and runs them, so many at once.
 *
 *   M1  at most `concurrency` turns are held. At most one claim waits on the server; others ask without waiting, and rest
 *       until some claim finds work.
 *   M2  the first `stop` ends claiming; held turns have `drainMs` to end, then they are released. The second one
 *       releases them at once. A claim that is under way is let answer, and what it brings is given back.
 *   M3  a claim that is refused for good, a task for code that the worker does not have, and a defect of the worker stop it
 *       as `stop` does; then `run` rejects with the reason.
 *   M4  a completion asks for the next turn for the slot that it frees, unless the worker stops; what it brings is run in
 *       that slot, or given back when the stop came meanwhile. Every so often a slot claims all the same: else an instance
 *       that always has work would keep it from all others.
 *
 * Does not own the turn (`turn-run.ts`), nor when a claim is repeated (`claiming.ts`). Signals of the process are for
 * whoever runs the worker. Source: seed 001 "Run, scale and stop".
 */
import { LIMITS } from "../vocabulary/limits.ts";
import { isName, NAME_RULE } from "../vocabulary/names.ts";
import type { NextClaim } from "../vocabulary/requests.ts";
import type { Task } from "../vocabulary/view.ts";
import { CLAIM_WAIT_MS, type Claimed, Claiming } from "./claiming.ts";
import type { Workflow } from "./definition.ts";
import { Lease } from "./lease.ts";
import { DEFAULT_SAVINGS, TakesMore, type WorkerSavings } from "./savings.ts";
import { type TurnEnd, TurnRun } from "./turn-run.ts";
import type { WorkerHost } from "./turn-source.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

export interface WorkerOptions extends Partial<WorkerSavings> {
  /** How the worker calls itself; shown with the turns that it holds. */
  readonly worker: string;
  /** Turns at once. Default: 1. */
  readonly concurrency?: number;
  /** How long held turns may go on after a stop. Default: 30 s. */
  readonly drainMs?: number;
  /** The most time between two reports of progress in one phase. Default: 3 s. */
  readonly progressEveryMs?: number;
  /** Told of each turn's start and end: for logs. */
  readonly onEvent?: (event: WorkerEvent) => void;
}

export interface WorkerEvent {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly turn: number;
  readonly messageId: string;
  readonly attempt: number;
  /** Null: the turn begins. */
  readonly end: TurnEnd | null;
}

const DRAIN_MS = 30_000;
const PROGRESS_MS = 3_000;
/** M4: how many turns of one instance in a row, and for how long: who has waited longest comes next. */
const IN_A_ROW = { turns: 32, ms: 10_000 } as const;

export class WorkflowWorker {
  readonly #host: WorkerHost;
  readonly #workflows = new Map<string, Workflow>();
  readonly #claiming: Claiming;
  readonly #options: WorkerOptions;
  readonly #savings: WorkerSavings;
  readonly #takesMore: TakesMore;
  readonly #claims: NextClaim;
  #stopped = false;
  /** One for each slot: what a slot waits for ends with the stop. */
  readonly #stops = new Set<AbortController>();
  /** Ends the drain when no turn is held. */
  readonly #drained = new AbortController();
  readonly #held = new Set<TurnRun>();
  /** Slots that wait for a sign of work (M1). */
  readonly #resting: (() => void)[] = [];
  #waits = false;
  #running = false;
  #fault: { readonly error: unknown } | null = null;

  constructor(host: WorkerHost, workflows: readonly Workflow[], options: WorkerOptions) {
    check(workflows, options);
    this.#host = host;
    this.#options = options;
    for (const one of workflows) this.#workflows.set(`${one.name} ${one.version}`, one);
    this.#savings = {
      recordOperations: options.recordOperations ?? DEFAULT_SAVINGS.recordOperations,
      foldLastStep: options.foldLastStep ?? DEFAULT_SAVINGS.foldLastStep,
      claimNext: options.claimNext ?? DEFAULT_SAVINGS.claimNext,
    };
    this.#takesMore = new TakesMore(host.clock);
    this.#claims = { worker: options.worker, workflows: workflows.map((one) => one.served) };
    this.#claiming = new Claiming(host, this.#claims);
  }

  /** Serves until it is stopped; an aborted `signal` is a first `stop`. Rejects with what ended it early (M3). */
  async run(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (this.#running) throw new WorkflowUsageError("the worker runs already");
    this.#running = true;
    const { signal } = options;
    const stop = () => this.stop();
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    const slots = Array.from({ length: this.#options.concurrency ?? 1 }, () => this.#slot());
    await Promise.all(slots);
    signal?.removeEventListener("abort", stop);
    if (this.#fault !== null) throw this.#fault.error;
  }

  /** Runs one turn that is ready now. Answers whether there was one. */
  async runOnce(): Promise<boolean> {
    const claimed = await this.#claiming.once(0);
    if (claimed === null) return false;
    await this.#turn(claimed, () => false);
    if (this.#fault !== null) throw this.#fault.error;
    return true;
  }

  /** M2. */
  stop(): void {
    if (this.#stopped) this.#releaseAll();
    else this.#stopFirst();
  }

  #stopFirst(): void {
    this.#stopped = true;
    for (const stop of this.#stops) stop.abort(new Error("the worker stops"));
    for (const wake of this.#resting.splice(0)) wake();
    if (this.#held.size > 0) void this.#drain();
  }

  async #drain(): Promise<void> {
    await this.#host.clock.sleep(this.#options.drainMs ?? DRAIN_MS, this.#drained.signal);
    this.#releaseAll();
  }

  #releaseAll(): void {
    for (const run of this.#held) run.release(`the worker ${this.#options.worker} stops`);
  }

  async #slot(): Promise<void> {
    const stop = new AbortController();
    this.#stops.add(stop);
    try {
      while (!this.#stopped) {
        const waits = !this.#waits;
        const claimed = await this.#claim(waits, stop.signal);
        if (claimed !== null) {
          this.#resting.shift()?.();
          await this.#turns(claimed);
        } else if (!waits && !this.#stopped) await this.#rest();
      }
    } catch (error) {
      this.#stopFor(error);
    }
    this.#stops.delete(stop);
    if (this.#stopped && this.#held.size === 0) this.#drained.abort(new Error("no turn is held"));
  }

  async #claim(waits: boolean, stop: AbortSignal): Promise<Claimed | null> {
    if (!waits) return this.#claiming.next(0, stop);
    this.#waits = true;
    try {
      return await this.#claiming.next(CLAIM_WAIT_MS, stop);
    } finally {
      this.#waits = false;
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      this.#resting.push(resolve);
    });
  }

  #stopFor(error: unknown): void {
    this.#fault ??= { error };
    if (!this.#stopped) this.stop();
  }

  /** The turn, and those that come with completions (M4). */
  async #turns(claimed: Claimed): Promise<void> {
    const { clock } = this.#host;
    const untilMs = clock.monotonicMs() + IN_A_ROW.ms;
    const { claimNext } = this.#savings;
    let next: Claimed | null = claimed;
    for (let n = 1; next !== null; n++)
      next = await this.#turn(next, () => claimNext && n < IN_A_ROW.turns && clock.monotonicMs() < untilMs);
  }

  /** Answers the turn that came with its completion; only if that may be asked for. */
  async #turn({ task, claimedAtMs }: Claimed, mayAsk: () => boolean): Promise<Claimed | null> {
    const { clock, turns } = this.#host;
    const code = `${task.workflow_type} ${versionOf(task)}`;
    const workflow = this.#workflows.get(code);
    const lease = new Lease(turns, clock, task, claimedAtMs);
    const run = new TurnRun(this.#host, task, workflow ?? UNKNOWN, lease, claimedAtMs, {
      savings: this.#savings,
      progressEveryMs: this.#options.progressEveryMs ?? PROGRESS_MS,
      takesMore: this.#takesMore,
      next: () => (mayAsk() && !this.#stopped ? this.#claims : null),
    });
    if (workflow === undefined) {
      const message = `the engine gave out a turn of ${code}, which this worker does not have`;
      this.#stopFor(new WorkflowUsageError(message));
    }
    this.#held.add(run);
    this.#tell(task, null);
    // Given back before it begins: the stop came while the claim was under way.
    if (workflow === undefined || this.#stopped) run.release(`the worker ${this.#options.worker} stops`);
    try {
      this.#tell(task, await run.run());
      return run.next;
    } finally {
      this.#held.delete(run);
    }
  }

  #tell(task: Task, end: TurnEnd | null): void {
    const { turn, workflow_type } = task;
    this.#options.onEvent?.({
      workflowId: turn.workflow_id,
      workflowType: workflow_type,
      turn: turn.number,
      messageId: turn.message_id,
      attempt: turn.attempt,
      end,
    });
  }
}

/** Of the code that the turn is for: a migration leads to it. */
function versionOf({ turn, migration = null }: Task): string {
  return migration?.to ?? turn.version;
}

/** Stands in for code that is not there; it never runs, because its turn is released at once. */
const UNKNOWN: Workflow = {
  name: "unknown",
  version: "unknown",
  served: { workflow_type: "unknown", version: "unknown" },
  initialState: null,
  handle: () => Promise.reject(new WorkflowUsageError("there is no such workflow here")),
  migrate: () => null,
  creation: (id) => ({ id, workflow_type: "unknown", version: "unknown" }),
  start: () => Promise.reject(new WorkflowUsageError("there is no such workflow here")),
};

function check(workflows: readonly Workflow[], options: WorkerOptions): void {
  const { worker, concurrency = 1 } = options;
  if (!isName(worker)) throw new WorkflowUsageError(`the name of a worker must be ${NAME_RULE}`);
  if (workflows.length === 0) throw new WorkflowUsageError("a worker serves at least one workflow");
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new WorkflowUsageError("concurrency must be a whole number, at least 1");
  const names = workflows.map(({ name, version }) => `${name} ${version}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new WorkflowUsageError(`${twice} is given twice`);
  for (const { served } of workflows)
    if ((served.migrates_from?.length ?? 0) > LIMITS.migratesFrom)
      throw new WorkflowUsageError(`${served.workflow_type} migrates from more than ${LIMITS.migratesFrom}`);
}
