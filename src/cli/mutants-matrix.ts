/**
 * The matrix of planted bugs against ways of finding them: what each hunt came to, and the figures of a cell.
 *
 *   X1  a hunt without a catch counts as one that took longer than any with one; a median or percentile that falls
 *       among those is not told.
 *   X2  ratios between two hunters are geometric means over the bugs that both found, of their medians of runs.
 */
import { type Catch, quantile } from "../../sim/index.ts";
import { grouped } from "./table.ts";

/** One hunt for one bug. */
export interface Trial {
  readonly seed: number;
  readonly runs: number;
  readonly ms: number;
  readonly caught: Catch | null;
}

export interface Cell {
  readonly hunter: string;
  readonly trials: readonly Trial[];
}

export interface Row {
  readonly bug: string;
  readonly catalogue: string;
  readonly cells: readonly Cell[];
}

/** What is told of a cell; null: not found often enough to be told. */
export interface Figures {
  readonly trials: number;
  readonly found: number;
  readonly medianRuns: number | null;
  readonly p90Runs: number | null;
  readonly medianMs: number | null;
  readonly p90Ms: number | null;
}

export function figuresOf({ trials }: Cell): Figures {
  const found = trials.filter(({ caught }) => caught !== null);
  const missing = trials.length - found.length;
  const runs = found.map((trial) => trial.runs);
  const times = found.map((trial) => Math.round(trial.ms));
  return {
    trials: trials.length,
    found: found.length,
    medianRuns: quantile(runs, missing, 0.5),
    p90Runs: quantile(runs, missing, 0.9),
    medianMs: quantile(times, missing, 0.5),
    p90Ms: quantile(times, missing, 0.9),
  };
}

/** The invariants that told the bug first, the most frequent in front. */
export function seenBy(row: Row): readonly string[] {
  const counts = new Map<string, number>();
  for (const { trials } of row.cells)
    for (const { caught } of trials) {
      const [first] = caught?.invariants ?? [];
      if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
    }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

/** Whether anything found it. */
export function isFound(row: Row): boolean {
  return row.cells.some(({ trials }) => trials.some(({ caught }) => caught !== null));
}

/** X2; null: no bug was found by both. */
export function ratio(rows: readonly Row[], slower: string, faster: string): number | null {
  let logs = 0;
  let count = 0;
  for (const { cells } of rows) {
    const [a, b] = [slower, faster].map((name) => {
      const cell = cells.find(({ hunter }) => hunter === name);
      return cell === undefined ? null : figuresOf(cell).medianRuns;
    });
    if (a === null || a === undefined || b === null || b === undefined) continue;
    logs += Math.log(a / b);
    count++;
  }
  return count === 0 ? null : Math.exp(logs / count);
}

/** `12/31 0.2/0.6s`: median and 90th percentile of runs and of seconds; with `8 of 10` where some hunts found nothing. */
export function cellText(cell: Cell | undefined): string {
  if (cell === undefined || cell.trials.length === 0) return "";
  const { trials, found, medianRuns, p90Runs, medianMs, p90Ms } = figuresOf(cell);
  if (found === 0) return `none of ${trials}`;
  const runs = `${count(medianRuns)}/${count(p90Runs)}`;
  const text = `${runs} ${seconds(medianMs)}/${seconds(p90Ms)}s`;
  return found === trials ? text : `${text} ${found} of ${trials}`;
}

function count(value: number | null): string {
  return value === null ? "-" : grouped(value);
}
function seconds(ms: number | null): string {
  if (ms === null) return "-";
  return ms < 10_000 ? (ms / 1_000).toFixed(1) : String(Math.round(ms / 1_000));
}
