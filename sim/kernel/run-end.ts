/**
 * How a stretch of a run ended, as a closed union.
 */

import type { ReplayDivergence } from "./replay-source.ts";
import type { Trespass } from "./trap-state.ts";

/** A banned call, and the process that was running. */
export interface AmbientViolation extends Trespass {
  /** Null: the harness's own code, or code that it called. */
  readonly process: string | null;
}

/** What broke the run before any checker was asked. When several did, the first of this list is told. */
export type RunFailure =
  /** The code under test asked for another draw than the one on record. */
  | { readonly kind: "replay-divergence"; readonly divergence: ReplayDivergence }
  /** The code under test went past the ports. */
  | { readonly kind: "ambient"; readonly violations: readonly AmbientViolation[] }
  /** The code under test threw, rejected its main or left a rejection unhandled. Process null: the harness's code. */
  | { readonly kind: "crash"; readonly process: string | null; readonly error: unknown }
  /** So many events at one virtual millisecond that time will not go on. */
  | { readonly kind: "livelock"; readonly atMs: number; readonly events: number };

export type RunEnd =
  /** `until` answered true. */
  | { readonly kind: "finished" }
  /** Virtual time has reached the deadline; nothing due later has fired. */
  | { readonly kind: "deadline" }
  /** Nothing is pending and `until` is still false: a deadlock, or something escaped from the simulation. */
  | { readonly kind: "idle" }
  /** Every later stretch of this run ends the same way. */
  | { readonly kind: "failed"; readonly failure: RunFailure };

export interface RunLimit {
  /** Asked before the first event and after each one; cheap. */
  readonly until: () => boolean;
  /** Virtual milliseconds since the start of the run. */
  readonly deadlineMs: number;
}

/** The failure in one paragraph, for people. */
export function describeFailure(failure: RunFailure): string {
  switch (failure.kind) {
    case "replay-divergence":
      return failure.divergence.message;
    case "ambient":
      return failure.violations
        .map((v) => `${v.call} called at ${v.at} by ${v.process ?? "the harness"}: use ${v.instead}`)
        .join("\n");
    case "crash":
      return `${failure.process ?? "the harness"} threw: ${describeError(failure.error)}`;
    case "livelock":
      return `virtual time stands still at ${failure.atMs} ms after ${failure.events} events`;
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
