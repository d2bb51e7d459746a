/**
 * A fault plan as data: which faults may strike, and how often.
 */
import type { FaultKind } from "../history/history.ts";

/**
 * Chances out of 1,000 that a fault strikes: store faults, N01 and N02 per request, hop faults per call. Those of
 * one draw stay below 1,000 in all. C01 has no rate: each start of a node draws an offset when `skewMs` is not 0.
 */
export type FaultRates = { readonly [kind in FaultKind]?: number };

export interface FaultPlan {
  readonly rates: FaultRates;
  /** Latest that a late write lands after it was sent, virtual milliseconds. */
  readonly lateByMs: number;
  /** Largest offset of a node's clock, both signs, milliseconds; 0: all clocks agree. */
  readonly skewMs: number;
  /** How long a crashed node stays down, or a paused one pauses, at most. */
  readonly downMs: number;
}

/** Nothing strikes. */
export const NO_FAULTS: FaultPlan = { rates: {}, lateByMs: 0, skewMs: 0, downMs: 0 };

/** Everything strikes: about one request in thirty, so a run of 300 requests sees some ten store faults. */
export const STANDARD_FAULTS: FaultPlan = {
  rates: {
    "F01-lost-answer": 6,
    "F02-lost-request": 6,
    "F03-late-write": 6,
    "F04-hidden-retry": 6,
    "F05-conflict-409": 6,
    "F06-throttle": 5,
    "N01-crash": 3,
    "N02-pause": 2,
    "H01-lost-call": 8,
    "H02-lost-reply": 8,
    "D01-duplicate-request": 8,
  },
  lateByMs: 20_000,
  skewMs: 120_000,
  downMs: 5_000,
};
