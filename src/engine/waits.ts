/**
 * Claims that wait: each looks again when work of its own is rung for and when its time is over, and may be handed a turn in
 * the write that admits it. What other nodes have written is polled once for all of them.
 *
 *   V1  a ring wakes one waiter that serves the work, one that sleeps before one that looks. Who leaves with other work
 *       hands its ring on, so none is lost while somebody waits.
 *   V2  a waiter that is rung for while it looks, looks once more: there is no moment in which a ring falls between
 *       looking and sleeping.
 *   V3  once the caller is gone or the node is to stop, no further look is made: a task that nobody hears of would hold its
 *       lease to the end.
 *   V4  an offer is made to the first one that sleeps, serves the work, has time left and a caller that listens. It keeps
 *       its place, looks for nothing and leaves only when the offer has ended, also when its time is over meanwhile.
 *   V5  however many wait, there is one poll each `poll_ms`, from `poll_ms` after the first of them came, and what it finds
 *       is rung for. So a node on which nobody waits for long does not poll, and an idle one does so `1000 / poll_ms` times
 *       a second.
 *
 * A hint: work is also found without a ring, by the next look at the scheduling index. What a look and a poll do is the
 * claims' (`claims.ts`), which work is handed over the senders' (`handing.ts`). Source: contract 3 (claim).
 */
import type { Clock } from "../ports/clock.ts";
import type { Trace } from "../ports/trace.ts";
import { servingVersion } from "../protocol/claim.ts";
import { type Abortable, Cancel } from "../std/cancel.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { ClaimRequest, WorkflowVersion } from "../vocabulary/requests.ts";
import type { Task } from "../vocabulary/view.ts";

type Claimed = Result<Task | null, Failure>;

/** Where the work comes from that claims wait for. */
export interface Source {
  /** One look for the worker. */
  look(request: ClaimRequest): Promise<Claimed>;
  /** Hears what other nodes have written; answers the work that can be claimed now. A failed poll finds nothing. */
  poll(): Promise<readonly WorkflowVersion[]>;
}

interface Waiter {
  readonly request: ClaimRequest;
  readonly source: Source;
  /** Monotonic milliseconds, as is `untilMs`. */
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly gone: Abortable | undefined;
  /** The work that it was last rung for, since it looked. */
  rung: WorkflowVersion | null;
  /** While it sleeps. */
  wake: (() => void) | null;
  /** Whether an offer to it is open (V4). */
  promised: boolean;
  /** What an offer came to; null: nothing. */
  handed: Claimed | null;
}

/** A waiter that is kept for one write. */
export interface Offer {
  readonly request: ClaimRequest;
  /** The write is settled: what the waiter is answered; null: it goes on waiting. */
  end(handed: Claimed | null): void;
}

/** Between two polls, also on a node that keeps no copy at all: `poll_ms` 0 is no reason to spin. */
const LEAST_REST_MS = 10;

/** The waiting claims of one graph on this node. */
export class Waits {
  readonly #clock: Clock;
  readonly #trace: Trace;
  readonly #pollMs: number;
  /** In the order in which they came. */
  readonly #waiters = new Set<Waiter>();
  /** V5: those that are polled, each with what ends the rest before its next poll. */
  readonly #polled = new Map<Source, Cancel>();
  #ended = false;

  constructor(clock: Clock, trace: Trace, pollMs: number) {
    this.#clock = clock;
    this.#trace = trace;
    this.#pollMs = Math.max(pollMs, LEAST_REST_MS);
  }

  /** V1. */
  ring(workflow_type: string, version: string): void {
    let busy: Waiter | null = null;
    for (const waiter of this.#waiters) {
      if (waiter.rung !== null || !serves(waiter, { workflow_type, version })) continue;
      if (isFree(waiter)) {
        rouse(waiter, { workflow_type, version });
        return;
      }
      busy ??= waiter;
    }
    if (busy !== null) rouse(busy, { workflow_type, version });
  }

  /** Every waiting claim is answered, and none waits from now on. */
  end(): void {
    this.#ended = true;
    for (const waiter of this.#waiters) waiter.wake?.();
  }

  /** V4; null: nobody waits for this work. */
  offer(work: WorkflowVersion): Offer | null {
    const nowMs = this.#clock.monotonicMs();
    for (const waiter of this.#waiters) {
      if (!isFree(waiter) || !serves(waiter, work)) continue;
      if (waiter.untilMs <= nowMs || this.#isOver(waiter.gone)) continue;
      waiter.promised = true;
      return {
        request: waiter.request,
        end(handed) {
          waiter.promised = false;
          waiter.handed = handed;
          waiter.wake?.();
        },
      };
    }
    return null;
  }

  /** The next task for the worker, or null when none came within its wait. */
  async claim(source: Source, request: ClaimRequest, gone: Abortable | undefined): Promise<Claimed> {
    const sinceMs = this.#clock.monotonicMs();
    const untilMs = sinceMs + Math.min(request.wait_ms ?? 0, LIMITS.claimWaitMs);
    if (untilMs <= sinceMs) return source.look(request);
    const waiter: Waiter = {
      request,
      source,
      sinceMs,
      untilMs,
      gone,
      rung: null,
      wake: null,
      promised: false,
      handed: null,
    };
    const hangUp = () => waiter.wake?.();
    gone?.addEventListener("abort", hangUp);
    this.#join(waiter);
    try {
      for (;;) {
        waiter.rung = null;
        const claimed = await source.look(request);
        const leftMs = untilMs - this.#clock.monotonicMs();
        if (!claimed.ok || claimed.value !== null || leftMs <= 0) return claimed;
        if (waiter.rung === null) await this.#sleep(waiter, leftMs, gone);
        if (waiter.handed !== null) return waiter.handed;
        if (this.#isOver(gone)) return ok(null);
      }
    } finally {
      gone?.removeEventListener("abort", hangUp);
      this.#leave(waiter);
    }
  }

  #isOver(gone: Abortable | undefined): boolean {
    return this.#ended || gone?.aborted === true;
  }

  async #sleep(waiter: Waiter, ms: number, gone: Abortable | undefined): Promise<void> {
    if (this.#isOver(gone)) return;
    if (!this.#polled.has(waiter.source)) void this.#keepPolling(waiter.source);
    const awake = new Cancel();
    const roused = new Promise<void>((resolve) => {
      waiter.wake = resolve;
    });
    await Promise.race([roused, this.#clock.sleep(ms, awake)]);
    awake.abort();
    // V4.
    while (waiter.promised)
      await new Promise<void>((resolve) => {
        waiter.wake = resolve;
      });
    waiter.wake = null;
  }

  #join(waiter: Waiter): void {
    this.#waiters.add(waiter);
    this.#trace.emit("claims-waiting", { change: 1 });
  }

  #leave(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    this.#trace.emit("claims-waiting", { change: -1 });
    const { rung, source } = waiter;
    if (rung !== null) this.ring(rung.workflow_type, rung.version);
    if (this.#firstOf(source) === null) this.#polled.get(source)?.abort();
  }

  /** V5, until nobody waits for the work of this source. */
  async #keepPolling(source: Source): Promise<void> {
    let polledMs = Number.NEGATIVE_INFINITY;
    // Also when the first poll is due already: who comes while it is made begins none of its own.
    this.#polled.set(source, new Cancel());
    for (let first = this.#firstOf(source); first !== null; first = this.#firstOf(source)) {
      const dueMs = Math.max(polledMs, first.sinceMs) + this.#pollMs;
      const restMs = dueMs - this.#clock.monotonicMs();
      if (restMs > 0) {
        const awake = new Cancel();
        this.#polled.set(source, awake);
        await this.#clock.sleep(restMs, awake);
        // A clock that was stopped ends every sleep at once: its process is about to end.
        if (this.#clock.monotonicMs() < dueMs - 1 && !awake.aborted) break;
        continue;
      }
      for (const { workflow_type, version } of await source.poll()) this.ring(workflow_type, version);
      polledMs = this.#clock.monotonicMs();
    }
    this.#polled.delete(source);
  }

  #firstOf(source: Source): Waiter | null {
    for (const waiter of this.#waiters) if (waiter.source === source) return waiter;
    return null;
  }
}

function rouse(waiter: Waiter, work: WorkflowVersion): void {
  waiter.rung = work;
  waiter.wake?.();
}

/** Whether it sleeps and has nothing to wake for. */
function isFree({ wake, rung, promised, handed }: Waiter): boolean {
  return wake !== null && rung === null && !promised && handed === null;
}

function serves({ request }: Waiter, work: WorkflowVersion): boolean {
  return servingVersion(request.workflows, work) !== null;
}
