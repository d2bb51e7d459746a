/**
 * The order workflow on a real worker: what its steps do, and where it is written down.
 *
 *   W1  a step performs its effect when it is called, under the id that it was given, and then takes its time.
 *   W2  an operation goes on from its checkpoint, and reports each portion; an attempt that is to hang does nothing more.
 */
import type { Clock } from "../../src/ports/index.ts";
import type { Json } from "../../src/std/json.ts";
import type { StepContext, Workflow, WorkflowContext } from "../../src/workflow/index.ts";
import { never } from "../systems/hazards.ts";
import type { Operate } from "../workloads/acts.ts";
import { type Payload, stepKey, stepOutput } from "../workloads/handler.ts";
import { doneBefore, type OrderBench, orderWorkflow } from "../workloads/order-workflow.ts";
import type { World } from "./hand-worker.ts";
import type { ChaosLog } from "./log-lines.ts";

/** Where a handler works. */
export interface RealWorkshop {
  readonly worker: string;
  readonly clock: Clock;
  readonly log: ChaosLog;
  readonly world: World;
}

export function realOrders(version: string, shop: RealWorkshop): Workflow<Json, Json, Json> {
  return orderWorkflow(version, (ctx, payload) => new RealBench(ctx, payload, shop));
}

class RealBench implements OrderBench {
  readonly #ctx: WorkflowContext;
  readonly #payload: Payload;
  readonly #shop: RealWorkshop;

  constructor(ctx: WorkflowContext, payload: Payload, shop: RealWorkshop) {
    this.#ctx = ctx;
    this.#payload = payload;
    this.#shop = shop;
  }

  wallMs(): number {
    return this.#shop.clock.wallMs();
  }
  turnsAway(times: number): boolean {
    return this.#shop.world.turnsAway(this.#ctx.workflowId, this.#ctx.turn, times);
  }
  keyAt(position: number): string {
    return stepKey(position);
  }
  async between(): Promise<void> {}

  /** W1. */
  async work(key: string, step: StepContext): Promise<Json> {
    this.#perform(key, step);
    const { step_ms } = this.#payload;
    if (step_ms > 0) await this.#shop.clock.sleep(step_ms);
    return stepOutput(step.effectId);
  }

  /** W2. */
  async operate(key: string, { hangs, portions, portion_ms }: Operate, step: StepContext): Promise<Json> {
    if (this.#ctx.attempt <= hangs) return never();
    this.#perform(key, step);
    for (let done = doneBefore(step.checkpoint); done < portions; done++) {
      step.progress("packing", { done, total: portions, unit: "parts" });
      if (portion_ms > 0) await this.#shop.clock.sleep(portion_ms);
      if (done + 1 < portions) await step.heartbeat({ packed: done + 1 }, { checkpoint: { done: done + 1 } });
    }
    return stepOutput(step.effectId);
  }

  /** The token is found in the log of claims. */
  #perform(key: string, { effectId }: StepContext): void {
    const { workflowId, turn } = this.#ctx;
    const { log, worker } = this.#shop;
    log.write({ e: "effect", at: log.nowMs(), effectId, workflowId, turn, key, worker, token: "" });
  }
}
