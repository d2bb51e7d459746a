/**
 * A fault plan as data: which faults may strike, and how often.
 */
import type { FaultKind } from "../history/history.ts";

/** Chances out of 1,000 that a fault strikes: store faults per request, hop faults per call, N01 per request. */
export type FaultRates = { readonly [kind in FaultKind]?: number };

export interface FaultPlan {
  readonly rates: FaultRates;
  /** Latest that a late write lands after it was sent, virtual milliseconds. */
  readonly lateByMs: number;
  /** Largest offset of a node's clock, both signs, milliseconds; 0: all clocks agree. */
  readonly skewMs: number;
  /** How long a crashed node stays down, at most. */
  readonly downMs: number;
}
