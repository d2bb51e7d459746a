/**
 * A fault plan as data: which faults may strike, where, how often and how hard.
 *
 *   P1  A kind is on in a plan when it has a rate, a rule or, where it has no rate, its bound is above 0: `skewMs` C01,
 *       `stepMs` C02, `tickMs` C03, `driftPpm` C04.
 *   P2  With `swarm`, each run draws for each of these kinds whether it is on in that run at all, so that runs
 *       differ in what strikes together. 0 leaves it out (K2).
 */
import { FAULT_KINDS, type FaultKind } from "../history/history.ts";

/**
 * Chances out of 1,000 that a fault strikes: F, N01 to N04 and N06 per request to the store, H, D01 and D02 per call,
 * S01 per answer of the store, N05 per restart, N07 per claim and D03 per message. Those of one draw stay below 1,000.
 */
export type FaultRates = { readonly [kind in FaultKind]?: number };

/** One sort of fault with a scope. Rules come after the rates, in their order, each with a share of its own. */
export interface FaultRule {
  readonly kind: FaultKind;
  /** Chance out of 1,000 for each request or call in its scope. */
  readonly permille: number;
  /** Only requests and calls of processes whose name begins so; absent: of all. */
  readonly process?: string;
  /** Only requests to keys that contain this; absent: to all. */
  readonly key?: string;
  /** The most times that it strikes in one run, the budget that a system claims to survive; absent: no limit. */
  readonly most?: number;
}

export interface FaultPlan {
  readonly rates: FaultRates;
  readonly rules?: readonly FaultRule[];
  readonly swarm?: boolean;
  /** Each request draws one of exactly the outcomes that are on for it, for searches (`outcome-injector.ts`). */
  readonly outcomes?: boolean;
  /** Latest that a late write lands after it was sent, virtual milliseconds. */
  readonly lateByMs: number;
  /** Largest offset of a node's clock, both signs, milliseconds; 0: all clocks agree. */
  readonly skewMs: number;
  /** How long a crashed node stays down, or a paused one pauses, at most; also how long twins live side by side. */
  readonly downMs: number;
  /** Largest step of a clock, both signs, milliseconds; 0 or absent: none steps. */
  readonly stepMs?: number;
  /** The tick of a coarse clock, milliseconds; 0 or absent: all are exact. */
  readonly tickMs?: number;
  /** Largest drift of a clock, both signs, milliseconds in a million; 0 or absent: none drifts. */
  readonly driftPpm?: number;
  /** Longest partition, milliseconds; absent: 15 s. */
  readonly partitionMs?: number;
  /** Latest that events of a starved process run, milliseconds; absent: 5 s. */
  readonly starveMs?: number;
  /** Latest that a reordered call arrives, milliseconds; absent: 15 s, longer than its caller waits. */
  readonly callLateMs?: number;
}

/** The kinds that the plan has on, in the order of the catalogue (P1). */
export function kindsOf(plan: FaultPlan): readonly FaultKind[] {
  const bounds: FaultRates = {
    "C01-skew": plan.skewMs,
    "C02-step": plan.stepMs ?? 0,
    "C03-tick": plan.tickMs ?? 0,
    "C04-drift": plan.driftPpm ?? 0,
  };
  const ruled = new Set((plan.rules ?? []).filter((rule) => rule.permille > 0).map((rule) => rule.kind));
  return FAULT_KINDS.filter((kind) => (bounds[kind] ?? plan.rates[kind] ?? 0) > 0 || ruled.has(kind));
}

/** Nothing strikes. */
export const NO_FAULTS: FaultPlan = { rates: {}, lateByMs: 0, skewMs: 0, downMs: 0 };

/** Everything may strike: with half of the kinds off, about one request in thirty. */
export const STANDARD_FAULTS: FaultPlan = {
  rates: {
    "F01-lost-answer": 10,
    "F02-lost-request": 10,
    "F03-late-write": 10,
    "F04-hidden-retry": 10,
    "F05-conflict-409": 10,
    "F06-throttle": 8,
    "F11-list": 10,
    "F12-broken-body": 6,
    "F13-partition": 1,
    "N01-crash": 4,
    "N02-pause": 3,
    "N03-starve": 2,
    "N04-stop": 2,
    "N05-clock-back": 300,
    "N06-twin": 1,
    "N07-drop-hint": 50,
    "D01-duplicate-request": 12,
    "D02-reorder": 12,
    "D03-poison": 60,
    "S01-hops": 40,
    "H01-lost-call": 12,
    "H02-lost-reply": 12,
  },
  swarm: true,
  lateByMs: 20_000,
  skewMs: 120_000,
  downMs: 5_000,
  stepMs: 60_000,
  tickMs: 1_000,
  driftPpm: 20_000,
};
