/**
 * What the simulation's workers do (`handler.ts`), written as an author writes it: for the product's own worker, in the
 * simulation and on real machines.
 *
 *   O1  a place of a turn is a step, an operation, a sleep or a wait, as the message says.
 *   O2  what an attempt comes to is said before its last place, outside of steps.
 *   O3  it keeps the rules for authors: nothing that varies between attempts decides about keys or their order; code that
 *       changes under a turn is a bench's own doing.
 *
 * Does not own what a step does to the world, nor what happens to its worker meanwhile: that is the bench's.
 */
import { isJsonObject, type Json } from "../../src/std/json.ts";
import {
  type StepContext,
  type Workflow,
  type WorkflowContext,
  WorkflowError,
  WorkflowWait,
  workflow,
} from "../../src/workflow/index.ts";
import type { Operate } from "./acts.ts";
import { actAt, completion, type Payload, readPayload, readState, verdict } from "./handler.ts";

/** One attempt at a turn, where it is made. */
export interface OrderBench {
  wallMs(): number;
  /** Whether the turn is to come back later, of so many times that it is. */
  turnsAway(times: number): boolean;
  keyAt(position: number): string;
  /** What a plain step does; answers its output. */
  work(key: string, step: StepContext): Promise<Json>;
  /** The same of an operation. */
  operate(key: string, act: Operate, step: StepContext): Promise<Json>;
  /** Between two places. */
  between(): Promise<void>;
}

export function orderWorkflow(
  version: string,
  benchOf: (ctx: WorkflowContext, payload: Payload) => OrderBench,
): Workflow<Json, Json, Json> {
  return workflow<Json, Json, Json>({
    name: "order",
    version,
    initialState: null,
    onMessage: async (ctx, state, message) => {
      const payload = readPayload(message);
      const before = readState(state);
      if (payload === null || before === null) throw new WorkflowError("unknown message");
      const bench = benchOf(ctx, payload);
      const outputs: Json[] = [];
      for (let position = 0; position < payload.steps; position++) {
        if (position === payload.steps - 1) endsBeforeLast(ctx, payload, bench);
        outputs.push(await place(ctx, payload, position, bench));
        await bench.between();
      }
      const { state: after, result, continuation } = completion(before, payload, outputs);
      if (continuation === null) return { state: after, result };
      return { ...ctx.continue(after, continuation.message), result };
    },
  });
}

/** O2. */
function endsBeforeLast({ attempt }: WorkflowContext, payload: Payload, bench: OrderBench): void {
  const [times, ms] = ("away" in payload ? payload.away : null) ?? [0, 0];
  if (times > 0 && bench.turnsAway(times)) throw new WorkflowWait(bench.wallMs() + ms, "come back later");
  const outcome = verdict(payload, attempt);
  if (outcome === "fails") throw new Error(`attempt ${attempt} fails`);
  if (outcome === "fails-for-good") throw new WorkflowError(`attempt ${attempt} fails for good`);
}

/** O1; answers what is saved there. */
async function place(
  ctx: WorkflowContext,
  payload: Payload,
  position: number,
  bench: OrderBench,
): Promise<Json> {
  const act = actAt(payload, position);
  const key = bench.keyAt(position);
  switch (act.kind) {
    case "sleep":
      await ctx.sleep(key, act.ms);
      return null;
    case "wait":
      return { ...(await ctx.waitForSignal(key, { name: act.name, timeoutMs: act.ms })) };
    case "step":
      return ctx.step(key, (step) => bench.work(key, step));
    case "operate": {
      const silence = act.silence_ms === null ? {} : { heartbeatTimeoutMs: act.silence_ms };
      const options = { kind: "tool", timeoutMs: act.limit_ms, ...silence } as const;
      return ctx.step(key, (step) => bench.operate(key, act, step), options);
    }
  }
}

/** How many portions of an operation are done, by its checkpoint. */
export function doneBefore(checkpoint: Json): number {
  return isJsonObject(checkpoint) && typeof checkpoint.done === "number" ? checkpoint.done : 0;
}
