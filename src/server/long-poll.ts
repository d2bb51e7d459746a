/**
 * Claims that wait: each looks again when work of its own is rung for, when the poll interval is over, or never when
 * nobody listens any more.
 *
 *   V1  a ring wakes one waiter that serves the work, one that sleeps before one that looks. Who leaves with other work
 *       hands its ring on, so none is lost while somebody waits.
 *   V2  a waiter that is rung for while it looks, looks once more: there is no moment in which a ring falls between
 *       looking and sleeping.
 *   V3  once the caller is gone or the server stops, no further look is made: a task that nobody hears of would hold its
 *       lease to the end.
 *
 * The engine's own wait is not used: it knows neither rings nor callers that hang up. Source: contract 3 (claim).
 */
import type { Engine, Reply } from "../engine/engine.ts";
import type { Bell } from "../ports/bell.ts";
import type { Clock } from "../ports/clock.ts";
import type { Trace } from "../ports/trace.ts";
import { ok } from "../std/result.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import type { ClaimRequest, ServedVersion, WorkflowVersion } from "../vocabulary/requests.ts";
import type { Task } from "../vocabulary/view.ts";

interface Waiter {
  readonly workflows: readonly ServedVersion[];
  /** The work that it was last rung for, since it looked. */
  rung: WorkflowVersion | null;
  /** While it sleeps. */
  wake: (() => void) | null;
}

/** The waiting claims of one graph on this node. */
export class Waits implements Bell {
  readonly #clock: Clock;
  readonly #trace: Trace;
  readonly #pollMs: number;
  readonly #waiters = new Set<Waiter>();
  #ended = false;

  constructor(clock: Clock, trace: Trace, pollMs: number) {
    this.#clock = clock;
    this.#trace = trace;
    this.#pollMs = pollMs;
  }

  /** V1. */
  ring(workflow_type: string, version: string): void {
    let busy: Waiter | null = null;
    for (const waiter of this.#waiters) {
      if (waiter.rung !== null || !serves(waiter.workflows, workflow_type, version)) continue;
      if (waiter.wake !== null) {
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

  /** The next task for the worker, or null when none came within its wait. */
  async claim(engine: Engine, request: ClaimRequest, gone: AbortSignal | undefined): Reply<Task | null> {
    const waitMs = Math.min(request.wait_ms ?? 0, LIMITS.claimWaitMs);
    const now = { ...request, wait_ms: 0 };
    if (waitMs <= 0) return engine.claim(now);
    const untilMs = this.#clock.monotonicMs() + waitMs;
    const waiter: Waiter = { workflows: request.workflows, rung: null, wake: null };
    const hangUp = () => waiter.wake?.();
    gone?.addEventListener("abort", hangUp);
    this.#join(waiter);
    try {
      for (;;) {
        waiter.rung = null;
        const claimed = await engine.claim(now);
        const leftMs = untilMs - this.#clock.monotonicMs();
        if (!claimed.ok || claimed.value !== null || leftMs <= 0) return claimed;
        if (waiter.rung === null) await this.#sleep(waiter, Math.min(this.#pollMs, leftMs), gone);
        if (this.#isOver(gone)) return ok(null);
      }
    } finally {
      gone?.removeEventListener("abort", hangUp);
      this.#leave(waiter);
    }
  }

  #isOver(gone: AbortSignal | undefined): boolean {
    return this.#ended || gone?.aborted === true;
  }

  async #sleep(waiter: Waiter, ms: number, gone: AbortSignal | undefined): Promise<void> {
    if (this.#isOver(gone)) return;
    const awake = new AbortController();
    const roused = new Promise<void>((resolve) => {
      waiter.wake = resolve;
    });
    await Promise.race([roused, this.#clock.sleep(ms, awake.signal)]);
    awake.abort();
    waiter.wake = null;
  }

  #join(waiter: Waiter): void {
    this.#waiters.add(waiter);
    this.#trace.emit("claims-waiting", { change: 1 });
  }

  #leave(waiter: Waiter): void {
    this.#waiters.delete(waiter);
    this.#trace.emit("claims-waiting", { change: -1 });
    const { rung } = waiter;
    if (rung !== null) this.ring(rung.workflow_type, rung.version);
  }
}

function rouse(waiter: Waiter, work: WorkflowVersion): void {
  waiter.rung = work;
  waiter.wake?.();
}

function serves(workflows: readonly ServedVersion[], type: string, version: string): boolean {
  return workflows.some(
    (one) =>
      one.workflow_type === type &&
      (one.version === version || one.migrates_from?.includes(version) === true),
  );
}
