/**
 * What the simulation's workers do (`workloads/handler.ts`), as the author of a workflow writes it, for real workers.
 *
 *   O1  a step performs its effect when it is called, under the id that it was given, and then takes its time.
 *   O2  an operation goes on from its checkpoint, and reports each portion; an attempt that is to hang does nothing more.
 *   O3  what an attempt comes to is said before its last place, outside of steps.
 *   O4  it keeps the rules for authors: nothing that varies between attempts decides about keys or their order.
 */
import type { Clock } from "../../src/ports/index.ts";
import { isJsonObject, type Json } from "../../src/std/json.ts";
import {
  type StepContext,
  type Workflow,
  type WorkflowContext,
  WorkflowError,
  WorkflowWait,
  workflow,
} from "../../src/workflow/index.ts";
import type { Operate } from "../workloads/acts.ts";
import {
  actAt,
  completion,
  type Payload,
  readPayload,
  readState,
  stepKey,
  stepOutput,
  verdict,
} from "../workloads/handler.ts";
import type { World } from "./hand-worker.ts";
import type { ChaosLog } from "./log-lines.ts";
import { never } from "./real-world.ts";

/** Where a handler works. */
export interface OrderBench {
  readonly worker: string;
  readonly clock: Clock;
  readonly log: ChaosLog;
  readonly world: World;
}

export function orderWorkflow(version: string, bench: OrderBench): Workflow<Json, Json, Json> {
  return workflow<Json, Json, Json>({
    name: "order",
    version,
    initialState: null,
    onMessage: async (ctx, state, message) => {
      const payload = readPayload(message);
      const before = readState(state);
      if (payload === null || before === null) throw new WorkflowError("unknown message");
      const outputs: Json[] = [];
      for (let position = 0; position < payload.steps; position++) {
        if (position === payload.steps - 1) endsBeforeLast(ctx, payload, bench);
        outputs.push(await place(ctx, payload, position, bench));
      }
      const { state: after, result, continuation } = completion(before, payload, outputs);
      if (continuation === null) return { state: after, result };
      return { ...ctx.continue(after, continuation.message), result };
    },
  });
}

/** O3. */
function endsBeforeLast(
  { workflowId, turn, attempt }: WorkflowContext,
  payload: Payload,
  { world, clock }: OrderBench,
): void {
  const [times, ms] = ("away" in payload ? payload.away : null) ?? [0, 0];
  if (times > 0 && world.turnsAway(workflowId, turn, times))
    throw new WorkflowWait(clock.wallMs() + ms, "come back later");
  const outcome = verdict(payload, attempt);
  if (outcome === "fails") throw new Error(`attempt ${attempt} fails`);
  if (outcome === "fails-for-good") throw new WorkflowError(`attempt ${attempt} fails for good`);
}

/** One place of the turn: what is saved there. */
async function place(
  ctx: WorkflowContext,
  payload: Payload,
  position: number,
  bench: OrderBench,
): Promise<Json> {
  const act = actAt(payload, position);
  const key = stepKey(position);
  switch (act.kind) {
    case "sleep":
      await ctx.sleep(key, act.ms);
      return null;
    case "wait":
      return { ...(await ctx.waitForSignal(key, { name: act.name, timeoutMs: act.ms })) };
    case "step":
      return ctx.step(key, async (step) => {
        perform(ctx, key, step, bench);
        if (payload.step_ms > 0) await bench.clock.sleep(payload.step_ms);
        return stepOutput(step.effectId);
      });
    case "operate": {
      const silence = act.silence_ms === null ? {} : { heartbeatTimeoutMs: act.silence_ms };
      const options = { kind: "tool", timeoutMs: act.limit_ms, ...silence } as const;
      return ctx.step(key, (step) => operate(ctx, key, act, step, bench), options);
    }
  }
}

/** O1. The token is found in the log of claims. */
function perform(
  { workflowId, turn }: WorkflowContext,
  key: string,
  { effectId }: StepContext,
  { log, worker }: OrderBench,
): void {
  log.write({ e: "effect", at: log.nowMs(), effectId, workflowId, turn, key, worker, token: "" });
}

/** O2. */
async function operate(
  ctx: WorkflowContext,
  key: string,
  { hangs, portions, portion_ms }: Operate,
  step: StepContext,
  bench: OrderBench,
): Promise<Json> {
  if (ctx.attempt <= hangs) return never();
  perform(ctx, key, step, bench);
  for (let done = doneBefore(step.checkpoint); done < portions; done++) {
    step.progress("packing", { done, total: portions, unit: "parts" });
    if (portion_ms > 0) await bench.clock.sleep(portion_ms);
    if (done + 1 < portions) await step.heartbeat({ packed: done + 1 }, { checkpoint: { done: done + 1 } });
  }
  return stepOutput(step.effectId);
}

function doneBefore(checkpoint: Json): number {
  return isJsonObject(checkpoint) && typeof checkpoint.done === "number" ? checkpoint.done : 0;
}
