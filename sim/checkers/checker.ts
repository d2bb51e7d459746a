/**
 * What a checker is: a pure function of a run's history and of what the scenario knows to be true of it.
 *
 * A checker shares no code with the system under test, says what it cannot see, and counts what it examined: a
 * checker that examined nothing has proved nothing.
 */
import type { RunHistory } from "../history/history.ts";

export interface Violation {
  /** The checker's name, for example `I06-exactly-once`. */
  readonly invariant: string;
  /** One sentence with the names, numbers and times that show it. */
  readonly message: string;
  /** The key or process to look at first. */
  readonly key: string | null;
  readonly atMs: number | null;
}

/** What a check found. `examined` counts the facts that it held against the invariant. */
export interface Finding {
  readonly examined: number;
  /** Facts that it could not decide within its bound, not among those examined; absent: none. */
  readonly undecided?: number;
  readonly violations: readonly Violation[];
}

export interface Checker<Facts> {
  readonly name: string;
  /** The invariant in words. */
  readonly statement: string;
  /** What it cannot see. */
  readonly blind: string;
  check(history: RunHistory, facts: Facts): Finding;
}
