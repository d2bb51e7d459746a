/**
 * One turn of a sample: its attempts until it ends, what its steps did, and the same turn again with a worker that dies.
 *
 *   Y1  a turn that sleeps or waits goes on at once: the sample's time has passed.
 *   Y2  in a replay no work of a step is done again: each step returns what it returned first. So what differs, differs
 *       because of what the handler does between its steps.
 *   Y3  a worker dies between the save of a step and its answer: the next attempt has the step and never heard of it.
 */
import type { Clock } from "../ports/clock.ts";
import type { Abortable } from "../std/cancel.ts";
import { canonicalJson } from "../std/canonical-json.ts";
import type { Json } from "../std/json.ts";
import type { StepContext, StepOptions, StepWork, WorkflowContext } from "./context.ts";
import type { Workflow } from "./definition.ts";
import { toJson } from "./json-values.ts";
import { Lease } from "./lease.ts";
import type { SampleTurns } from "./sample-turns.ts";
import { DOCUMENTED, TakesMore } from "./savings.ts";
import { type TurnEnd, TurnRun } from "./turn-run.ts";
import type { WorkerHost } from "./turn-source.ts";
import { whileLive } from "./waiting.ts";
import { WorkflowUsageError } from "./workflow-errors.ts";

/** A step whose work was done. */
export interface SampleEffect {
  readonly key: string;
  readonly effectId: string;
  readonly output: Json;
}

/** What steps return instead of doing their work. */
export type StandIns = { readonly [key: string]: (step: StepContext) => unknown };

/** The longest a sample's turn may go on, in attempts: more is a defect of the kit. */
const MOST_ATTEMPTS = 1_000;

/** Runs the turn to its end. */
export async function runTurn(workflow: Workflow, turns: SampleTurns, state: Json): Promise<TurnEnd> {
  const host: WorkerHost = { turns, clock: new SampleClock(turns), random: { below: () => 0 } };
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const task = turns.task(state);
    const lease = new Lease(turns, host.clock, task, 0);
    const run = new TurnRun(host, task, workflow, lease, 0, {
      savings: DOCUMENTED,
      progressEveryMs: Number.MAX_SAFE_INTEGER,
      takesMore: new TakesMore(host.clock),
      next: () => null,
    });
    const dies = new AbortController();
    if (turns.diesAfter !== null) turns.died.then(() => dies.abort());
    const ended = await whileLive(run.run(), dies.signal);
    lease.end(new Error("the attempt is over"));
    if (ended.kind === "over") turns.diesAfter = null;
    else if (ended.value.kind !== "suspended") return ended.value;
  }
  throw new Error("the turn does not end");
}

/** Runs the turn once more with a worker that dies after that many saved steps; throws when it comes to another end. */
export async function replayTurn(
  workflow: Workflow,
  first: { readonly turns: SampleTurns; readonly end: TurnEnd; readonly effects: readonly SampleEffect[] },
  again: SampleTurns,
  state: Json,
  diesAfter: number,
): Promise<void> {
  const recorded = new Map(first.effects.map(({ key, output }) => [key, output]));
  const replayed = capturing(workflow, [], (key) => {
    const output = recorded.get(key);
    if (output === undefined)
      throw differs(diesAfter, `asks for the step ${key}, which the first run did not do`);
    return () => output;
  });
  again.diesAfter = diesAfter === 0 ? null : diesAfter;
  const end = await runTurn(replayed, again, state);
  const [was, is] = [outcomeOf(first.turns, first.end), outcomeOf(again, end)];
  if (was !== is) throw differs(diesAfter, `ended with ${is}, and at first with ${was}`);
}

/** The workflow with its steps watched, and replaced where `instead` has something. */
export function capturing(
  workflow: Workflow,
  effects: SampleEffect[],
  instead: (key: string) => ((step: StepContext) => unknown) | undefined,
): Workflow {
  const step = <T>(
    ctx: WorkflowContext,
    key: string,
    work: StepWork<T>,
    options?: StepOptions,
  ): Promise<unknown> =>
    ctx.step<unknown>(
      key,
      async (self) => {
        const value = await (instead(key) ?? work)(self);
        const output = toJson(value, `what step ${key} returns`);
        effects.push({ key, effectId: self.effectId, output });
        return output;
      },
      options,
    );
  return {
    ...workflow,
    handle: (ctx, state, message) => workflow.handle(withStep(ctx, step), state, message),
  };
}

type WatchedStep = <T>(
  ctx: WorkflowContext,
  key: string,
  work: StepWork<T>,
  options?: StepOptions,
) => Promise<unknown>;

/** The same context with another `step`. */
function withStep(ctx: WorkflowContext, step: WatchedStep): WorkflowContext {
  return new Proxy(ctx, {
    get(target, name) {
      if (name === "step")
        return (key: string, work: StepWork<unknown>, options?: StepOptions) =>
          step(target, key, work, options);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** What a replay must come to, too; when things were saved is left out. */
function outcomeOf({ turn, completion, failure }: SampleTurns, end: TurnEnd): string {
  const steps = turn.steps.map(({ key, kind, output, delay_ms }) => ({ key, kind, output, delay_ms }));
  const done = completion && {
    state: completion.state,
    result: completion.result ?? null,
    next: completion.continuation?.message ?? null,
  };
  return canonicalJson({ end: end.kind, steps, done, error: failure?.error ?? null });
}

function differs(diesAfter: number, how: string): WorkflowUsageError {
  const where = diesAfter === 0 ? "run again" : `replayed from step ${diesAfter}`;
  const advice = "what is not saved (time, randomness, counters) is read inside steps";
  return new WorkflowUsageError(`the turn is not deterministic: ${where}, its handler ${how}; ${advice}`);
}

/** Stands still: time passes in the sample's sleeps and waits. */
class SampleClock implements Clock {
  readonly #turns: SampleTurns;

  constructor(turns: SampleTurns) {
    this.#turns = turns;
  }

  wallMs(): number {
    return this.#turns.nowMs;
  }

  monotonicMs(): number {
    return 0;
  }

  sleep(_ms: number, signal?: Abortable): Promise<void> {
    return new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));
  }
}
