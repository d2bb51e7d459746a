/**
 * The lease of one attempt, as its worker sees it: until when it surely lasts, by the worker's own monotonic clock.
 *
 *   Y4  a long piece of work renews the lease each third of it.
 *   Y10 a lease lasts its length from when the claim, or the renewal that was accepted, was sent: the node decided later.
 */
import type { LeaseRequest, Task } from "../../src/index.ts";
import type { Workshop } from "./workshop.ts";

export class Lease {
  readonly request: LeaseRequest;
  readonly leaseMs: number;
  #untilMs: number;

  /** `askedAtMs`: when the claim was sent, by the worker's monotonic clock. */
  constructor(task: Task, askedAtMs: number) {
    const { turn, token, lease_ms } = task;
    this.request = { workflow_id: turn.workflow_id, turn: turn.number, token };
    this.leaseMs = lease_ms;
    this.#untilMs = askedAtMs + lease_ms;
  }

  /** Y10. */
  lasts(shop: Workshop): boolean {
    return shop.context.clock.monotonicMs() < this.#untilMs;
  }

  /** Renews the lease when less than half of it is left; false when it was lost. */
  async atLeastHalf(shop: Workshop): Promise<boolean> {
    if (this.#untilMs - shop.context.clock.monotonicMs() >= this.leaseMs / 2) return true;
    return this.#renew(shop);
  }

  /** Y4: takes the time of a piece of work; false when the lease was lost meanwhile. */
  async work(ms: number, shop: Workshop): Promise<boolean> {
    const thirdMs = Math.trunc(this.leaseMs / 3);
    for (let leftMs = ms; leftMs > 0; leftMs -= thirdMs) {
      await shop.context.clock.sleep(Math.min(leftMs, thirdMs));
      if (leftMs <= thirdMs) break;
      if (!(await this.#renew(shop))) return false;
    }
    return true;
  }

  async #renew(shop: Workshop): Promise<boolean> {
    const sentAtMs = shop.context.clock.monotonicMs();
    const renewed = await shop.client.heartbeat(this.request);
    if (renewed.ok) this.#untilMs = sentAtMs + this.leaseMs;
    return renewed.ok || renewed.error.kind === "unknown-outcome" || renewed.error.kind === "unavailable";
  }
}
