/**
 * The order workflow on the product's worker in the simulation: what its steps do, and what happens to it meanwhile.
 *
 *   Y1  a step performs its effect as soon as it is called, under the id that it was given; then it takes its time.
 *   Y2  an operation goes on from its checkpoint, reports each portion, and tells its progress more often than is sent.
 *   Y3  at its own points the worker may die, or freeze for longer than a lease.
 *   Y4  between two steps it may idle, so that a step which its worker holds back is held for a while.
 *
 * The handler tells the log what it does: what is sent of it is for the checkers to look at.
 */
import type { Process, ProcessContext, Simulation } from "../../sim/index.ts";
import type { Json } from "../../src/std/json.ts";
import type { StepContext, Workflow, WorkflowContext } from "../../src/workflow/index.ts";
import type { Operate } from "../workloads/acts.ts";
import { type Payload, stepKey, stepOutput } from "../workloads/handler.ts";
import { doneBefore, type OrderBench, orderWorkflow } from "../workloads/order-workflow.ts";
import { type Hazards, never } from "./hazards.ts";
import type { ClaimedTurn, HttpHop } from "./http-hop.ts";
import type { Deed, HttpLog } from "./http-log.ts";
import type { Outside } from "./outside.ts";

/** Where a handler works. */
export interface HttpWorkshop {
  readonly simulation: Simulation;
  readonly context: ProcessContext;
  readonly outside: Outside;
  readonly hazards: Hazards;
  readonly log: HttpLog;
  readonly hop: HttpHop;
  readonly self: Process<null>;
  /** Whether the code of a turn may change between its attempts. */
  readonly changes: boolean;
}

/** A stall lasts this many leases. */
const STALL_LEASES = 1.25;
/** Times that an operation tells its progress in a portion. */
const TOLD = 3;
/** One pause in so many takes a part of the lease. */
const IDLES = 3;
/** One turn in so many meets other code after its first step. */
const CHANGED = 3;

export function httpOrders(version: string, shop: HttpWorkshop): Workflow<Json, Json, Json> {
  return orderWorkflow(version, (ctx, payload) => new HttpBench(ctx, payload, shop));
}

/** One attempt of the handler. */
class HttpBench implements OrderBench {
  readonly #ctx: WorkflowContext;
  readonly #payload: Payload;
  readonly #shop: HttpWorkshop;
  readonly #claimed: ClaimedTurn;

  constructor(ctx: WorkflowContext, payload: Payload, shop: HttpWorkshop) {
    this.#ctx = ctx;
    this.#payload = payload;
    this.#shop = shop;
    this.#claimed = shop.hop.claimed(ctx.workflowId, ctx.turn);
  }

  wallMs(): number {
    return this.#shop.context.clock.wallMs();
  }

  turnsAway(times: number): boolean {
    return this.#shop.outside.turnsAway(this.#ctx.workflowId, this.#ctx.turn, times);
  }

  /** Y3, Y4. */
  async between(): Promise<void> {
    await this.#idle();
    const { hazards, simulation, context, self } = this.#shop;
    switch (hazards.atWorker()) {
      case "nothing":
        return;
      case "stall":
        simulation.incident("stall", context.name, "");
        self.pause();
        simulation.after(Math.trunc(this.#claimed.leaseMs * STALL_LEASES), "stall-ends", () => self.resume());
        return context.clock.sleep(0);
      case "death":
        hazards.kill(self);
        return never();
    }
  }

  /** Y4. */
  async #idle(): Promise<void> {
    const { context, hop } = this.#shop;
    if (hop.by.savings?.foldLastStep !== true || context.random.below(IDLES, "handler-idles") > 0) return;
    await context.clock.sleep(Math.trunc(this.#claimed.leaseMs / (2 + context.random.below(8, "idle"))));
  }

  /** Y1. */
  async work(key: string, step: StepContext): Promise<Json> {
    this.#begin(key, step);
    if (this.#payload.step_ms > 0) await this.#shop.context.clock.sleep(this.#payload.step_ms);
    await this.between();
    this.#tell("returns", key);
    return stepOutput(step.effectId);
  }

  /** Y2. An attempt that hangs does nothing more; its limits end it. */
  async operate(key: string, act: Operate, step: StepContext): Promise<Json> {
    if (this.#ctx.attempt <= act.hangs) return never();
    this.#begin(key, step);
    const { clock } = this.#shop.context;
    let done = doneBefore(step.checkpoint);
    for (; done < act.portions; done++) {
      const phase = done + 1 === act.portions ? "sealing" : "packing";
      for (let told = 1; told <= TOLD; told++) {
        if (act.portion_ms > 0) await clock.sleep(Math.ceil(act.portion_ms / TOLD));
        const counted = TOLD * done + told;
        this.#tell("reports", key, phase, counted);
        step.progress(phase, { done: counted, total: TOLD * act.portions, unit: "parts" });
      }
      if (done + 1 < act.portions)
        await step.heartbeat({ packed: done + 1 }, { checkpoint: { done: done + 1 } });
    }
    await this.between();
    this.#tell("returns", key);
    return stepOutput(step.effectId);
  }

  #begin(key: string, { effectId }: StepContext): void {
    const { workflowId, turn } = this.#ctx;
    const { outside, context, simulation } = this.#shop;
    const { token } = this.#claimed;
    const atMs = simulation.now();
    outside.perform({ effectId, workflowId, turn, key, worker: context.name, token, atMs });
    this.#tell("begins", key);
  }

  #tell(kind: Deed["kind"], key: string, phase = "", done = 0): void {
    const { log, hop, context, simulation } = this.#shop;
    const { token } = this.#claimed;
    const monoMs = context.clock.monotonicMs();
    log.deeds.push({
      by: hop.by,
      token,
      key,
      kind,
      phase,
      done,
      nth: log.next(),
      atMs: simulation.now(),
      monoMs,
    });
  }

  /** The place's key; of a turn whose code has changed after its first step was seen to be saved, another one. */
  keyAt(position: number): string {
    const { outside, changes, context } = this.#shop;
    const { workflowId, turn } = this.#ctx;
    if (position > 0 || !changes || this.#claimed.saved === 0) return stepKey(position);
    const changed = outside.changesCode(
      workflowId,
      turn,
      () => context.random.below(CHANGED, "code-changes") > 0,
    );
    return changed ? `other-${position}` : stepKey(position);
  }
}
