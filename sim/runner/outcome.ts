/**
 * What became of a run, as data: one closed union and the figures beside it.
 *
 * Owns the names of outcomes and of the invariants that the harness itself watches (progress, escapes, crashes,
 * determinism). Does not own how an outcome is shown or which exit code it has: that is the command line.
 *
 *   R1  `pass` means that every phase ended, every check ran and none found a violation.
 *   R2  Only one kind is told. A crash or an escape ends the run where it happened, so no check is made then; a
 *       run without progress is checked all the same, and carries what the checks found.
 */
import type { Violation } from "../checkers/checker.ts";
import type { FaultKind, RunHistory } from "../history/history.ts";
import type { Draw, StepLog } from "../kernel/index.ts";

export type Outcome =
  | { readonly kind: "pass" }
  | { readonly kind: "violation"; readonly violations: readonly Violation[] }
  /** The faults had stopped, and the workload was not done within its bound. */
  | { readonly kind: "no-progress"; readonly waiting: string; readonly violations: readonly Violation[] }
  /** Code under test touched something real: the call, where, and what to use instead. */
  | { readonly kind: "escape"; readonly call: string; readonly where: string; readonly instead: string }
  /** Code under test threw where nobody catches; or the scenario did. */
  | { readonly kind: "crash"; readonly process: string; readonly error: string; readonly stack: string }
  /** A replay asked for another draw than the recorded one: both sides in words. */
  | { readonly kind: "divergence"; readonly step: number; readonly recorded: string; readonly now: string };

export type OutcomeKind = Outcome["kind"];

/** The figures of one run. */
export interface RunStats {
  /** Requests to the store. */
  readonly storeOps: number;
  /** Events of the scheduler. */
  readonly events: number;
  readonly virtualMs: number;
  /** The store's profile. */
  readonly profile: string;
  /** The kinds of faults that were on in this run: what the plan has, less what its swarm left out. */
  readonly kinds: readonly FaultKind[];
  /** Faults that really struck, by kind; kinds that were on are there with 0. */
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** Facts that each check examined, by the check's name. */
  readonly checks: ReadonlyMap<string, number>;
}

/** What a run is a function of, besides its scenario and its draws. */
export interface RunConfiguration {
  /** Nodes that the user asked for; absent: the scenario's own. */
  readonly nodes?: number;
  /** The store's profile that the user asked for; absent: drawn. */
  readonly profile?: string;
  /** How far behind the earliest event another one could be and still come first; absent: 0. */
  readonly slackMs?: number;
}

export interface RunResult {
  readonly scenario: string;
  readonly outcome: Outcome;
  /** Over every draw and event with its time. */
  readonly fingerprint: string;
  /** Every draw in order; made when asked for. */
  draws(): readonly Draw[];
  /** Before each draw 16 bits of the fingerprint: of every step until then. */
  readonly marks: readonly number[];
  readonly configuration: RunConfiguration;
  /** Kept when the run was made so. */
  readonly steps: StepLog | null;
  readonly history: RunHistory;
  readonly stats: RunStats;
}

/** The names under which the harness's own findings are told, beside those of the checkers. */
export const HARNESS_INVARIANTS = {
  "no-progress": "I11-progress",
  escape: "ambient-trap",
  crash: "crash",
  divergence: "determinism",
} as const;

/** What they say, in words. */
export const HARNESS_STATEMENTS: ReadonlyMap<string, string> = new Map([
  ["I11-progress", "after the faults stop, everything that was begun ends within a stated virtual time"],
  ["ambient-trap", "code under test gets time, randomness, files and network only through its ports"],
  ["crash", "code under test never throws where nobody catches"],
  ["determinism", "the same choices give the same run, step by step"],
]);

/** Every invariant that the outcome breaks, the one to look at first in front; empty for a pass. */
export function brokenInvariants(outcome: Outcome): readonly string[] {
  switch (outcome.kind) {
    case "pass":
      return [];
    case "violation":
      return distinct(outcome.violations.map((v) => v.invariant));
    case "no-progress":
      return distinct([HARNESS_INVARIANTS["no-progress"], ...outcome.violations.map((v) => v.invariant)]);
    default:
      return [HARNESS_INVARIANTS[outcome.kind]];
  }
}

/** One sentence that says what is wrong. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case "pass":
      return "passed";
    case "violation":
      return outcome.violations[0]?.message ?? "an invariant is broken";
    case "no-progress":
      return `no progress after the faults stopped: ${outcome.waiting}`;
    case "escape":
      return `code under test called ${outcome.call} at ${outcome.where}; use ${outcome.instead}`;
    case "crash":
      return `${outcome.process} crashed: ${outcome.error}`;
    case "divergence":
      return `step ${outcome.step}: recorded ${outcome.recorded}, now ${outcome.now}`;
  }
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
