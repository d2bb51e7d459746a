/**
 * What a shrinking took away, for people: the figures of the run before and after, and one sentence.
 */
import type { RunResult } from "../runner/index.ts";
import type { FailingRun } from "./shrinker.ts";

/** One figure of both runs. */
export interface Figure {
  readonly name: string;
  readonly before: number;
  readonly after: number;
}

type Measure = readonly [name: string, of: (run: FailingRun) => number];

const MEASURES: readonly Measure[] = [
  ["choices that are not the plainest", ({ places }) => places.length],
  ["choices in all", ({ draws }) => draws.length],
  ["faults that struck", ({ result }) => faultsOf(result)],
  ["processes", ({ result }) => processesOf(result)],
  ["crashes, pauses and other incidents", ({ result }) => incidentsOf(result)],
  ["calls", ({ result }) => result.history.calls.length],
  ["store operations", ({ result }) => result.stats.storeOps],
  ["virtual milliseconds", ({ result }) => result.stats.virtualMs],
];

/** The figures that say how much simpler the run became. */
export function figuresOf(before: FailingRun, after: FailingRun): readonly Figure[] {
  return MEASURES.map(([name, of]) => ({ name, before: of(before), after: of(after) }));
}

/** What was removed, in one sentence: only figures that went down. */
export function removedText(figures: readonly Figure[]): string {
  const parts = figures
    .filter(({ before, after }) => after < before)
    .map(({ name, before, after }) => `${before - after} of ${before} ${name}`);
  return parts.length === 0 ? "nothing could be removed" : `removed ${parts.join(", ")}`;
}

function faultsOf(result: RunResult): number {
  let sum = 0;
  for (const n of result.stats.faults.values()) sum += n;
  return sum;
}

function processesOf(result: RunResult): number {
  return new Set(
    result.history.incidents.filter(({ kind }) => kind === "start").map(({ process }) => process),
  ).size;
}

/** Without the first start of each process and the heal, which every run has. */
function incidentsOf(result: RunResult): number {
  const { incidents } = result.history;
  return incidents.filter(({ kind }) => kind !== "start" && kind !== "heal" && kind !== "skew").length;
}
