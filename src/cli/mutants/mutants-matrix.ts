/**
 * The matrix of planted bugs against ways of finding them: what each hunt came to, the figures of a cell and of a hunter.
 *
 *   X1  a hunt without a catch counts as one that took longer than any with one; a median or percentile that falls
 *       among those is not told.
 *   X2  ratios between two hunters are geometric means over the bugs that both found, of their medians of runs. A bug
 *       that one of them does not find says nothing in it, which flatters that one: how many bugs it is over is told.
 *   X3  a hunter's figures are over the bugs, each by its median hunt; one that has no median counts as longer than any.
 */
import { type Catch, quantile } from "../../../sim/index.ts";
import { grouped } from "../terminal/table.ts";

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
  /** Which edit it was: `editOf`. */
  readonly edit: string;
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

/** Hunts without a catch after which a cell has no more of them. */
const HOPELESS = 2;

/** Whether so many hunts found nothing, and none anything, that there is no use in more. */
export function hopeless(trials: readonly Trial[]): boolean {
  return trials.length >= HOPELESS && trials.every(({ caught }) => caught === null);
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

/** How many times the runs of one hunter another one needs. */
export interface Ratio {
  readonly against: string;
  readonly times: number;
  /** Bugs that both found. */
  readonly bugs: number;
}

/** X2; null: no bug was found by both. */
export function ratio(rows: readonly Row[], slower: string, faster: string): Ratio | null {
  let logs = 0;
  let bugs = 0;
  for (const { cells } of rows) {
    const [a, b] = [slower, faster].map((name) => {
      const cell = cells.find(({ hunter }) => hunter === name);
      return cell === undefined ? null : figuresOf(cell).medianRuns;
    });
    if (a === null || a === undefined || b === null || b === undefined) continue;
    logs += Math.log(a / b);
    bugs++;
  }
  return bugs === 0 ? null : { against: slower, times: Math.exp(logs / bugs), bugs };
}

/** X3. */
export interface HunterFigures {
  /** Bugs that were hunted, that any hunt found, that every hunt found, and that nine of ten find within 10 s. */
  readonly tried: number;
  readonly found: number;
  readonly always: number;
  readonly quick: number;
  readonly medianRuns: number | null;
  readonly p90Runs: number | null;
  readonly medianMs: number | null;
  readonly p90Ms: number | null;
  readonly ratios: readonly Ratio[];
}

const QUICK_MS = 10_000;

export function hunterFigures(
  rows: readonly Row[],
  name: string,
  baselines: readonly string[],
): HunterFigures {
  const cells = rows.flatMap((row) => row.cells.filter(({ hunter }) => hunter === name));
  const figures = cells.map(figuresOf);
  const over = (part: "medianRuns" | "medianMs", share: number): number | null => {
    const told = figures.map((one) => one[part]).filter((n) => n !== null);
    return quantile(told, figures.length - told.length, share);
  };
  return {
    tried: cells.length,
    found: figures.filter(({ found }) => found > 0).length,
    always: figures.filter(({ found, trials }) => found === trials).length,
    quick: figures.filter(({ p90Ms }) => p90Ms !== null && p90Ms <= QUICK_MS).length,
    medianRuns: over("medianRuns", 0.5),
    p90Runs: over("medianRuns", 0.9),
    medianMs: over("medianMs", 0.5),
    p90Ms: over("medianMs", 0.9),
    ratios: baselines
      .filter((baseline) => baseline !== name)
      .map((baseline) => ratio(rows, baseline, name))
      .filter((one) => one !== null),
  };
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

export function count(value: number | null): string {
  return value === null ? "-" : grouped(value);
}

export function seconds(ms: number | null): string {
  if (ms === null) return "-";
  return ms < 10_000 ? (ms / 1_000).toFixed(1) : String(Math.round(ms / 1_000));
}
