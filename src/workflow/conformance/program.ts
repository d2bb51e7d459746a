/**
 * A scripted program as a workflow of this worker. Other workers have their own reading of the same acts.
 *
 * An act does one thing with the worker's own means: nothing here mends what a program does wrong, for breaking a rule is
 * what some programs are for. What a step is to take of time it takes of the clock that the script is played on, and no
 * longer than its signal lives.
 *
 * A program ends with `end`, `continue` or a failure; one without an end fails for good. Values go from one act to the
 * end by the key of their step (`{"$value": key}`).
 */
import type { Clock } from "../../ports/clock.ts";
import { unreachable } from "../../std/assert.ts";
import { isJsonObject, type Json } from "../../std/json.ts";
import type { StepContext, StepOptions, WorkflowContext } from "../context.ts";
import { type Workflow, workflow } from "../definition.ts";
import { DOCUMENTED } from "../savings.ts";
import type { WorkerOptions } from "../worker.ts";
import { WorkflowError, WorkflowWait } from "../workflow-errors.ts";
import type { Act, Script, ScriptedStep, StepAct } from "./script.ts";

/** `clock`: where steps take their time. */
export function scriptedWorkflow({ workflow: { name, version, program } }: Script, clock: Clock): Workflow {
  return workflow({
    name,
    version,
    initialState: null as Json, // The type of what the program may save: any JSON.
    onMessage: async (ctx: WorkflowContext) => {
      const values = new Map<string, Json>();
      for (const act of program) {
        const ended = await perform(act, ctx, clock, values);
        if (ended !== null) return ended;
      }
      throw new WorkflowError("the program has no end");
    },
  });
}

/** How the script wants its worker; as documented where it does not say. */
export function scriptedOptions({ worker }: Script): WorkerOptions {
  const { name, drain_ms, record_operations, fold_last_step, claim_next } = worker;
  return {
    worker: name,
    ...(drain_ms === undefined ? {} : { drainMs: drain_ms }),
    recordOperations: record_operations ?? DOCUMENTED.recordOperations,
    foldLastStep: fold_last_step ?? DOCUMENTED.foldLastStep,
    claimNext: claim_next ?? DOCUMENTED.claimNext,
  };
}

type Ended = { readonly state: Json; readonly result?: Json };

/** Null: the program goes on. */
async function perform(
  act: Act,
  ctx: WorkflowContext,
  clock: Clock,
  values: Map<string, Json>,
): Promise<Ended | null> {
  if ("step" in act) values.set(act.step, await step(act, ctx, clock));
  else if ("sleep" in act) await ctx.sleep(act.sleep, act.ms);
  else if ("wait" in act) {
    const { signal: name, timeout_ms: timeoutMs } = act;
    values.set(act.wait, { ...(await ctx.waitForSignal(act.wait, { name, timeoutMs })) });
  } else if ("parallel" in act) await Promise.all(act.parallel.map((one) => step(one, ctx, clock)));
  else if ("unawaited" in act) void step(act.unawaited, ctx, clock);
  else if ("steps" in act) for (let n = 0; n < act.steps; n++) await ctx.step(`s${n}`, () => n);
  else if ("fail" in act) throw new Error(act.fail);
  else if ("fail_for_good" in act) throw new WorkflowError(act.fail_for_good);
  else if ("wait_until_ms" in act) throw new WorkflowWait(act.wait_until_ms, act.why);
  else if ("continue" in act) return ctx.continue(act.continue.state, act.continue.message);
  else if ("end" in act) return { ...act.end, result: valueIn(act.end.result ?? null, values) };
  else unreachable(act);
  return null;
}

/** `{"$value": key}`. */
function valueIn(value: Json, values: ReadonlyMap<string, Json>): Json {
  if (!isJsonObject(value) || typeof value.$value !== "string") return value;
  return values.get(value.$value) ?? null;
}

function step(one: ScriptedStep, ctx: WorkflowContext, clock: Clock): Promise<Json> {
  const options: StepOptions = {
    ...(one.kind === undefined ? {} : { kind: one.kind }),
    ...(one.timeout_ms === undefined ? {} : { timeoutMs: one.timeout_ms }),
    ...(one.heartbeat_timeout_ms === undefined ? {} : { heartbeatTimeoutMs: one.heartbeat_timeout_ms }),
  };
  return ctx.step<Json>(
    one.step,
    async (self) => {
      for (const act of one.acts ?? []) await performInStep(act, self, clock);
      if (one.fails !== undefined) throw new Error(one.fails);
      // A value that is not JSON is what this script is about.
      if (one.returns_nothing) return undefined as unknown as Json;
      return returned(one.returns ?? null, self);
    },
    options,
  );
}

function returned(value: Json, self: StepContext): Json {
  if (isJsonObject(value) && value.$checkpoint === true) return self.checkpoint;
  if (isJsonObject(value) && value.$effect_id === true) return self.effectId;
  return value;
}

async function performInStep(act: StepAct, self: StepContext, clock: Clock): Promise<void> {
  if ("take_ms" in act) await clock.sleep(act.take_ms, self.signal);
  else if ("progress" in act) {
    const { phase, done, total, unit } = act.progress;
    self.progress(String(phase), {
      ...(typeof done === "number" ? { done } : {}),
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof unit === "string" ? { unit } : {}),
    });
  } else
    await self.heartbeat(act.heartbeat, act.checkpoint === undefined ? {} : { checkpoint: act.checkpoint });
}
