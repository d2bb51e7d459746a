/**
 * What the simulated store asks about faults. `sim/faults` answers it; a test may answer it with a script.
 */
import type { FaultKind, StoreOperation } from "../history/history.ts";

/** The faults that strike the process which sends a request. */
export type ProcessFaultKind = Extract<
  FaultKind,
  "N01-crash" | "N02-pause" | "N03-starve" | "N04-stop" | "N06-twin"
>;

/** The faults that can strike a request to the store. */
export type StoreFaultKind =
  | ProcessFaultKind
  | Extract<
      FaultKind,
      | "F01-lost-answer"
      | "F02-lost-request"
      | "F03-late-write"
      | "F04-hidden-retry"
      | "F05-conflict-409"
      | "F06-throttle"
      | "F11-list"
      | "F12-broken-body"
      | "F13-partition"
    >;

export interface StoreFaults {
  /** Whether faults may strike now. A late write decided before still lands. */
  readonly enabled: boolean;
  /** Latest that a late write lands after it was sent. */
  readonly lateByMs: number;
  /** Does this to a process at once and sees to its return; null: nobody can, so none of these takes effect. */
  readonly strike: ((kind: ProcessFaultKind, process: string) => void) | null;
  /** The fault that is to strike this request, or null. `conditional`: a 409 is an answer to it. */
  storeFault(operation: StoreOperation, conditional: boolean): StoreFaultKind | null;
  /** What of a request within a partition is lost. */
  cut(operation: StoreOperation): "requests" | "answers";
  /** How many microtasks later the code that waits for an answer goes on (S01). */
  hops(): number;
  /** Counts a fault that took effect. */
  struck(kind: FaultKind): void;
}

/** No fault ever. */
export const NO_STORE_FAULTS: StoreFaults = {
  enabled: false,
  lateByMs: 0,
  strike: null,
  storeFault: () => null,
  cut: () => "requests",
  hops: () => 0,
  struck: () => undefined,
};
