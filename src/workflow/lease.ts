/**
 * The lease on a claimed turn as its worker sees it: renewed while the work goes on, and given up for lost in time.
 *
 *   L1  the lease is measured on the monotonic clock from before the request that granted or renewed it, so it never
 *       seems longer than it is. Once it has run out nothing more is sent for the turn.
 *   L2  it is renewed each third of its length, counted from the answer before. A claim that took longer than that, for
 *       it may have waited for work, does not tell how much of the lease is left: it is renewed before the work begins,
 *       and that is refused when the lease has run out. A renewal that fails, or is not answered in a third, ends the attempt.
 *   L3  `signal` aborts once, with the reason, when the attempt is over: lost, released, or let go by the turn itself.
 *   L4  while a call that lets go of the turn is under way, the lease is not renewed; it may still run out.
 *   L5  who listens is told of each renewal that was accepted while the work goes on: what must not wait longer is sent.
 *
 * Does not own what is sent for the turn (`turn-calls.ts`). Source: contract section 3.1; seed 001 "The rules of a worker".
 */
import type { Clock } from "../ports/clock.ts";
import type { LeaseRequest } from "../vocabulary/requests.ts";
import type { Task } from "../vocabulary/view.ts";
import { endsByClock } from "./overdue.ts";
import type { TurnSource } from "./turn-source.ts";
import { within } from "./waiting.ts";

/** The shortest time between two renewals, and the shortest time that one is given, milliseconds. */
const RENEW_MS = { everyAtLeast: 20, waitAtLeast: 50 } as const;

export class Lease {
  readonly request: LeaseRequest;
  readonly leaseMs: number;
  readonly #turns: TurnSource;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  /** L4. */
  #paused = false;
  /** Ends the loop that watches now. */
  #watch = new AbortController();
  readonly #listeners = new Set<() => void>();
  #untilMs: number;
  #tookMs: number;

  /** `claimedAtMs`: the monotonic clock before the claim was sent. */
  constructor(turns: TurnSource, clock: Clock, task: Task, claimedAtMs: number) {
    const { turn, token, lease_ms } = task;
    this.request = { workflow_id: turn.workflow_id, turn: turn.number, token };
    this.#turns = turns;
    this.#clock = clock;
    this.leaseMs = lease_ms;
    this.#untilMs = claimedAtMs + lease_ms;
    this.#tookMs = clock.monotonicMs() - claimedAtMs;
    endsByClock(this.signal, () => this.isLive());
  }

  /** L3. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Whether the lease has time left, whatever became of the attempt. */
  get isHeld(): boolean {
    return this.leftMs > 0;
  }

  /** How long it lasts yet: who sends without `signal` waits, and repeats, no longer (L1). */
  get leftMs(): number {
    return this.#untilMs - this.#clock.monotonicMs();
  }

  /** Whether the attempt goes on; ends it when its lease has run out (L1). */
  isLive(): boolean {
    if (!this.#over.signal.aborted && !this.isHeld) this.end(new Error("the lease ran out"));
    return !this.#over.signal.aborted;
  }

  end(why: Error): void {
    this.#watch.abort(why);
    this.#over.abort(why);
  }

  /** Begins to renew; resolves once the work may begin (L2). */
  async keep(): Promise<void> {
    if (this.#tookMs > this.leaseMs / 3 && !this.#over.signal.aborted)
      await this.#renew(this.#over.signal, this.leaseMs);
    this.#run(true);
  }

  /** L5. Answers how to end it. */
  onRenewed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** L4. */
  pause(): void {
    this.#paused = true;
    this.#run(false);
  }

  /** After a pause; else the lease is watched as it was. */
  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#run(true);
  }

  #run(renews: boolean): void {
    this.#watch.abort(new Error("the lease is watched anew"));
    if (this.#over.signal.aborted) return;
    this.#watch = new AbortController();
    void this.#guard(renews, this.#watch.signal);
  }

  async #guard(renews: boolean, stop: AbortSignal): Promise<void> {
    const everyMs = Math.max(RENEW_MS.everyAtLeast, Math.floor(this.leaseMs / 3));
    while (!stop.aborted) {
      const leftMs = Math.max(0, this.leftMs);
      await this.#clock.sleep(renews ? Math.min(everyMs, leftMs) : leftMs, stop);
      if (stop.aborted || !this.isLive()) return;
      // What is sent meanwhile stops when the lease runs out, not when the answer fails to come.
      if (renews) await this.#renew(stop, this.leftMs);
    }
  }

  /** Waits for the answer no longer than `leftMs` (L1). */
  async #renew(stop: AbortSignal, leftMs: number): Promise<void> {
    const sentAtMs = this.#clock.monotonicMs();
    const waitMs = Math.min(leftMs, Math.max(RENEW_MS.waitAtLeast, Math.floor(this.leaseMs / 3)));
    const answer = await within(this.#clock, waitMs, stop, (signal) =>
      this.#turns.heartbeat(this.request, signal),
    );
    if (stop.aborted) return;
    if (answer.kind === "done" && answer.value.ok) {
      this.#untilMs = sentAtMs + this.leaseMs;
      for (const listener of this.#listeners) listener();
    } else this.end(new Error(answer.kind === "over" ? "a heartbeat was not answered" : told(answer.value)));
  }
}

function told(answer: { readonly ok: boolean; readonly error?: { readonly message: string } }): string {
  return `a heartbeat was refused: ${answer.error?.message ?? "without a reason"}`;
}
