/**
 * Time as a node sees it. The wall clock may be wrong by any amount and may step; the monotonic clock only
 * measures elapsed time on this node. Safety never depends on either (catalogue I22).
 */
import type { Abortable } from "../std/cancel.ts";

export interface Clock {
  /** Wall time, Unix milliseconds, an integer. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start of this process; never goes back. */
  monotonicMs(): number;
  /**
   * Resolves after at least `ms` milliseconds of monotonic time. A sleep that nobody waits for any more may be ended by
   * its `signal`: then it resolves soon. A clock need not do that, so nobody may rely on it.
   */
  sleep(ms: number, signal?: Abortable): Promise<void>;
}
