/**
 * What the simulated store asks about faults. `sim/faults` answers it; a test may answer it with a script.
 */
import type { FaultKind, StoreOperation } from "../history/history.ts";

/** The faults that can strike a request to the store. */
export type StoreFaultKind = Extract<
  FaultKind,
  | "F01-lost-answer"
  | "F02-lost-request"
  | "F03-late-write"
  | "F04-hidden-retry"
  | "F05-conflict-409"
  | "F06-throttle"
  | "N01-crash"
  | "N02-pause"
>;

export interface StoreFaults {
  /** Whether faults may strike now. A late write decided before still lands. */
  readonly enabled: boolean;
  /** Latest that a late write lands after it was sent. */
  readonly lateByMs: number;
  /** Crashes a process at once and sees to its restart; null: nobody can, so N01 never takes effect. */
  readonly crash: ((process: string) => void) | null;
  /** Pauses a process at once and sees to its resumption; null: N02 never takes effect. */
  readonly pause: ((process: string) => void) | null;
  /** The fault that is to strike this request, or null. `conditional`: it carries a condition. */
  storeFault(kind: StoreOperation["kind"], conditional: boolean): StoreFaultKind | null;
  /** Counts a fault that took effect. */
  struck(kind: FaultKind): void;
}

/** No fault ever. */
export const NO_STORE_FAULTS: StoreFaults = {
  enabled: false,
  lateByMs: 0,
  crash: null,
  pause: null,
  storeFault: () => null,
  struck: () => undefined,
};
