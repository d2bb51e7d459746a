/**
 * Shrinking for the command line: bounds in real time, the line that moves, the file of the smaller run.
 *
 *   V1  The smaller run is kept beside the original, under its name with `-shrunk`; both files replay.
 *   V2  Ctrl-C and the bound on time end a shrinking with the smallest run so far.
 */
import { join, relative } from "node:path";
import {
  figuresOf,
  type RunOptions,
  type RunResult,
  removedText,
  runScenario,
  type Scenario,
  type Shrunk,
  shrink,
  targetOf,
  writeReplay,
} from "../../../sim/index.ts";
import { replayFileOf, type ShrunkRecord } from "../campaign/failure-report.ts";
import type { RunSettings } from "../campaign/run-settings.ts";
import type { Io } from "../io.ts";
import { writeRunPage } from "../pages/pages.ts";
import type { Progress } from "../terminal/progress.ts";
import { clip, grouped, table } from "../terminal/table.ts";

export interface ShrinkBounds {
  readonly forMs: number;
  readonly mostRuns: number;
}

/** Enough for nearly all runs of the catalogue; most end by themselves within a few hundred runs. */
export const DEFAULT_BOUNDS: ShrinkBounds = { forMs: 20_000, mostRuns: 4_000 };

/** How long the event loop may stay without a turn. */
const TURN_EVERY_MS = 50;
/** Choices that are listed one by one. */
const MOST_LISTED = 40;

/** A failing run to shrink. */
export interface Shrinkable {
  readonly scenario: Scenario;
  readonly seed: number | null;
  readonly result: RunResult;
}

/** The smallest run within the bounds; null: a run of this kind cannot be shrunk. */
export async function shrinkWithin(
  io: Io,
  { scenario, result }: Shrinkable,
  bounds: ShrinkBounds,
  progress: Progress,
): Promise<Shrunk | null> {
  const target = targetOf(result.outcome);
  if (target === null) return null;
  const startMs = io.nowMs();
  let turnedMs = startMs;
  const shrunk = await shrink(
    {
      target,
      options: result.configuration,
      run: (source, options: RunOptions) => runScenario(scenario, source, options),
      mostRuns: bounds.mostRuns,
      async goOn({ before, now, runs, pass }) {
        const nowMs = io.nowMs();
        progress.line(`shrinking: ${before} → ${now} choices, ${runs} runs, ${pass}`, nowMs);
        if (nowMs - turnedMs >= TURN_EVERY_MS) {
          turnedMs = nowMs;
          await io.turn();
        }
        return !io.interrupted() && nowMs - startMs < bounds.forMs;
      },
    },
    result,
  );
  progress.clear();
  return shrunk;
}

/** Writes the smaller run and a page that shows it beside the original. */
export function keepShrunk(
  io: Io,
  { scenario, seed, result }: Shrinkable,
  shrunk: Shrunk,
  settings: RunSettings,
): ShrunkRecord {
  const [before, after] = [shrunk.before.places.length, shrunk.after.places.length];
  const removed = removedText(figuresOf(shrunk.before, shrunk.after));
  const summary = { before, after, runs: shrunk.runs, removed };
  const folder = join(io.folder, "reports");
  const path = writeReplay(folder, replayFileOf(seed, shrunk.after.result, settings, summary));
  const replayFile = relative(io.folder, path);
  const shown = { scenario, seed, planted: settings.planted, again: `npx baton replay ${replayFile}` };
  const page = writeRunPage(io, path.replace(/\.json$/, ".html"), [
    { ...shown, name: "shrunken", result: shrunk.after.result },
    { ...shown, name: "original", result },
  ]);
  return { replayFile, page, before, after };
}

/** What a shrinking did, in lines: figures before and after, and the choices that are left. */
export function tellShrunk(shrunk: Shrunk, record: ShrunkRecord): string {
  const { after, complete, runs } = shrunk;
  const ended = complete ? "nothing more can be removed" : "its bound on time or runs ended it";
  const rows = figuresOf(shrunk.before, after).map(({ name, before, after: left }) => [
    name,
    grouped(before),
    "→",
    grouped(left),
  ]);
  const lines = [
    `SHRUNK ${after.result.scenario}: ${record.before} → ${record.after} choices in ${grouped(runs)} runs; ${ended}`,
    table(rows),
  ];
  const choices = after.places
    .slice(0, MOST_LISTED)
    .map(({ label, index, value, n }) => [`${label} ${index}`, `${value} of ${n}`]);
  if (choices.length > 0) lines.push(`  what is left, by label and place:\n${table(choices, "    ")}`);
  lines.push(`  again: npx baton replay ${record.replayFile}`);
  if (record.page !== null) lines.push(`  page:  ${record.page}`);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** For a line of a table: the choices that are left. */
export function choicesText({ after }: Shrunk): string {
  return clip(after.places.map(({ label, index, value }) => `${label}[${index}]=${value}`).join(" "), 100);
}
