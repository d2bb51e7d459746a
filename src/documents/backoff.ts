/**
 * Back-off with full jitter between tries of one caller, within a budget (catalogue B29, I17).
 */
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";

export interface Patience {
  /** Tries in all, at least 1. */
  readonly tries: number;
  /** The first wait is up to this, then it doubles, milliseconds. */
  readonly firstMs: number;
  readonly capMs: number;
}

/** For what a caller waits on. */
export const CALLER: Patience = { tries: 8, firstMs: 20, capMs: 1_000 };
/** For hints: the periodic listing repairs what they miss. */
export const HINT: Patience = { tries: 3, firstMs: 20, capMs: 200 };

/** Waits before try `attempt` + 1 (`attempt` counts from 0), at least `floorMs`. */
export async function backOff(
  ports: { readonly clock: Clock; readonly random: Random },
  patience: Patience,
  attempt: number,
  floorMs: number,
): Promise<void> {
  const ceiling = Math.min(patience.capMs, patience.firstMs * 2 ** attempt);
  await ports.clock.sleep(Math.max(floorMs, 1 + ports.random.below(ceiling, "back-off")));
}
