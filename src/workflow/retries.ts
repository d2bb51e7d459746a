/**
 * When a call is made again, and when no more.
 *
 *   R1  at most six repeats, and none that would begin later than 60 s after the first attempt.
 *   R2  the wait is what the answer asked for, else random: up to 100 ms, doubling with each repeat; never over 60 s.
 *   R3  each attempt is the same call: who makes it sends the same body, byte for byte.
 *   R4  nothing is sent again once the signal has ended the work, or would have if its timer had not been held up: of our
 *       own signals the clock tells (`overdue.ts`), of others a timer that is due as late as theirs.
 *
 * Which outcomes are worth a repeat is said by whoever makes the attempt. Source: contract section 1.2.
 */
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import { isOverdue } from "./overdue.ts";

export const RETRY_LIMITS = {
  repeats: 6,
  withinMs: 60_000,
  waitMs: 60_000,
  firstJitterMs: 100,
} as const;

export interface RetryPorts {
  readonly clock: Clock;
  readonly random: Random;
}

/** What one attempt came to. */
export interface Tried<T> {
  readonly value: T;
  /** Whether a repeat may help, and what wait the answer asked for; null: this is the last word. */
  readonly again: { readonly afterMs: number | null } | null;
}

/** The first final outcome, or the last one when the repeats are used up (R1) or nobody waits for them any more. */
export async function withRetries<T>(
  ports: RetryPorts,
  attempt: () => Promise<Tried<T>>,
  signal?: AbortSignal,
): Promise<T> {
  const { clock, random } = ports;
  const startMs = clock.monotonicMs();
  for (let repeats = 0; ; repeats++) {
    const { value, again } = await attempt();
    if (again === null || repeats >= RETRY_LIMITS.repeats || signal?.aborted) return value;
    const jitterMs = random.below(RETRY_LIMITS.firstJitterMs * 2 ** repeats + 1, "retry-jitter");
    const waitMs = Math.min(again.afterMs ?? jitterMs, RETRY_LIMITS.waitMs);
    if (clock.monotonicMs() - startMs + waitMs > RETRY_LIMITS.withinMs) return value;
    await clock.sleep(waitMs, signal);
    // R4.
    await clock.sleep(0, signal);
    if (signal !== undefined && isOverdue(signal)) return value;
  }
}
