/**
 * Asking for turns: one claim after another, with patience for a server that is away.
 *
 *   C1  a claim is sent once. What it may have leased without our hearing of it ends with its lease.
 *   C2  after a failure that may pass (no answer, too many requests, trouble of the server) the next claim waits: what
 *       the answer asked for, or a random time that doubles up to 30 s. Any other refusal ends the worker.
 *   C3  an empty answer that came at once although the claim was to wait is not followed by the next claim at once.
 *
 * Source: seed 001 "Run, scale and stop", "The rules of a worker".
 */
import type { Failure, FailureKind } from "../vocabulary/errors.ts";
import type { ClaimRequest } from "../vocabulary/requests.ts";
import type { Task } from "../vocabulary/view.ts";
import { BatonError, isAnswered } from "./baton-error.ts";
import type { WorkerHost } from "./turn-source.ts";

/** A turn, and the monotonic clock before it was claimed. */
export interface Claimed {
  readonly task: Task;
  readonly claimedAtMs: number;
}

/** How long a claim waits on the server. */
export const CLAIM_WAIT_MS = 10_000;
const BACK_OFF_MS = { first: 250, most: 30_000, askedAtMost: 60_000 } as const;
/** C3. */
const EMPTY_MS = 100;

const PASSING: readonly FailureKind[] = ["unavailable", "unknown-outcome", "over-limit", "corrupt"];

/** A claim that was not answered with a turn, nor with none. */
class ClaimRefused {
  readonly failure: Failure;
  readonly retryAfterMs: number | null;

  constructor(failure: Failure, retryAfterMs: number | null) {
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

export class Claiming {
  readonly #host: WorkerHost;
  readonly #request: Omit<ClaimRequest, "wait_ms">;
  #failures = 0;

  constructor(host: WorkerHost, request: Omit<ClaimRequest, "wait_ms">) {
    this.#host = host;
    this.#request = request;
  }

  /** One claim; null: nothing is ready. Throws what it is refused with. */
  async once(waitMs: number): Promise<Claimed | null> {
    const claimed = await this.#claim(waitMs);
    if (claimed instanceof ClaimRefused) throw new BatonError(claimed.failure);
    return claimed;
  }

  /** The next claim that finds a turn; null: nothing was ready in its wait, or `stop` came first (C2). */
  async next(waitMs: number, stop: AbortSignal): Promise<Claimed | null> {
    const { clock, random } = this.#host;
    while (!stop.aborted) {
      const sentAtMs = clock.monotonicMs();
      const claimed = await this.#claim(waitMs);
      if (!(claimed instanceof ClaimRefused)) {
        this.#failures = 0;
        if (claimed !== null || waitMs === 0) return claimed;
        if (clock.monotonicMs() - sentAtMs < Math.min(EMPTY_MS, waitMs)) await clock.sleep(EMPTY_MS, stop);
        return null;
      }
      if (!PASSING.includes(claimed.failure.kind)) throw new BatonError(claimed.failure);
      const mostMs = Math.min(BACK_OFF_MS.most, BACK_OFF_MS.first * 2 ** this.#failures);
      this.#failures = Math.min(this.#failures + 1, 20);
      const jitterMs = Math.ceil(mostMs / 2) + random.below(Math.ceil(mostMs / 2), "claim-back-off");
      await clock.sleep(claimed.retryAfterMs ?? jitterMs, stop);
    }
    return null;
  }

  async #claim(waitMs: number): Promise<Claimed | null | ClaimRefused> {
    const claimedAtMs = this.#host.clock.monotonicMs();
    const answer = await this.#host.turns.claim({ ...this.#request, wait_ms: waitMs });
    if (answer.ok) return answer.value === null ? null : { task: answer.value, claimedAtMs };
    const { error } = answer;
    const askedMs = isAnswered(error) ? error.retryAfterMs : null;
    return new ClaimRefused(error, askedMs === null ? null : Math.min(askedMs, BACK_OFF_MS.askedAtMost));
  }
}
