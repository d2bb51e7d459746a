/**
 * `baton shrink`: a failing run from its replay file made smaller; or, with `--planted`, a failure of each planted bug,
 * as a table that says how well shrinking works.
 *
 *   B1  A file is replayed strictly first: what does not fail as recorded is not shrunk.
 *       Its configuration (nodes, profile, slack) is that of the file; what is tried may have less of it.
 *   B2  The exit code is that of the smaller run, as for a replay of it; the table's is 0, its failures are wanted.
 */
import { resolve } from "node:path";
import { type PlantedBug, readReplay, replayRun, type Shrunk, targetOf } from "../../../sim/index.ts";
import { plainMessage } from "../campaign/failure-report.ts";
import { DEFAULT_STRATEGY, makeRun, type RunSettings } from "../campaign/run-settings.ts";
import type { Io } from "../io.ts";
import type { Shelf } from "../shelf.ts";
import { checkLastSeed, pick, UsageError } from "../terminal/arguments.ts";
import { EXIT, exitCodeOf } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { table } from "../terminal/table.ts";
import { checkReports } from "../terminal/write-file.ts";
import { findScenario } from "./replay-command.ts";
import {
  choicesText,
  DEFAULT_BOUNDS,
  keepShrunk,
  type Shrinkable,
  type ShrinkBounds,
  shrinkWithin,
  tellShrunk,
} from "./shrinking.ts";

export interface ShrinkOptions {
  /** `true`: all of them. */
  readonly planted?: readonly string[] | true;
  readonly for?: number;
  readonly runs?: number;
  readonly seed?: number;
}

/** Runs in which a planted bug must show itself to be shrunk. */
const MOST_HUNTED = 3_000;

export async function shrinkCommand(
  io: Io,
  shelf: Shelf,
  path: string | undefined,
  options: ShrinkOptions,
): Promise<number> {
  const bounds = {
    forMs: options.for ?? DEFAULT_BOUNDS.forMs,
    mostRuns: options.runs ?? DEFAULT_BOUNDS.mostRuns,
  };
  checkReports(io);
  if (options.planted !== undefined) {
    if (path !== undefined) throw new UsageError("give either FILE or --planted");
    const names = options.planted === true ? [] : options.planted;
    const firstSeed = options.seed ?? 1;
    checkLastSeed(firstSeed, MOST_HUNTED);
    return shrinkPlanted(io, shelf, pick("planted bug", shelf.bugs, names), firstSeed, bounds);
  }
  if (path === undefined) throw new UsageError("nothing to shrink: give the replay FILE of a failing run");
  if (options.seed !== undefined) {
    throw new UsageError("--seed is where the search for planted bugs begins: a replay file has its own");
  }
  return shrinkFile(io, shelf, path, bounds);
}

/** B1. */
async function shrinkFile(io: Io, shelf: Shelf, path: string, bounds: ShrinkBounds): Promise<number> {
  const read = readReplay(resolve(io.folder, path));
  if (!read.ok) throw new UsageError(`${path} ${read.error.reason}`);
  const file = read.value;
  const scenario = await findScenario(shelf, file.scenario, file.planted);
  const result = await replayRun(scenario, file);
  if (result.outcome.kind === "pass") throw new UsageError(`${path} passes: there is nothing to shrink`);
  const settings = settingsOf(shelf, file.planted, file.strategy);
  const run = { scenario, seed: file.seed, result };
  const shrunk = await shrinkWithin(io, run, bounds, new Progress(io));
  if (shrunk === null) {
    io.err(`error: ${path} cannot be shrunk: ${plainMessage(result.outcome)}\n`);
    return exitCodeOf([result.outcome.kind]);
  }
  io.out(tellShrunk(shrunk, keepShrunk(io, run, shrunk, settings)));
  return io.interrupted() ? EXIT.interrupted : exitCodeOf([shrunk.after.result.outcome.kind]);
}

/** Only what is printed and kept of the settings: the run's own configuration is in its file. */
function settingsOf(shelf: Shelf, planted: string | null, strategy: string): RunSettings {
  return { nodes: undefined, profile: undefined, strategy, planted, twice: false, version: shelf.version };
}

/** One row for each bug: where it was seen, and the choices before and after. */
async function shrinkPlanted(
  io: Io,
  shelf: Shelf,
  bugs: readonly PlantedBug[],
  firstSeed: number,
  bounds: ShrinkBounds,
): Promise<number> {
  const rows: (readonly string[])[] = [
    ["planted bug", "scenario", "seed", "broken", "before", "after", "runs", "seconds", "what is left"],
  ];
  const left: number[] = [];
  for (const bug of bugs) {
    if (io.interrupted()) break;
    const found = await firstFailure(io, shelf, bug, firstSeed);
    if (found === null) {
      rows.push([bug.name, `not seen in ${MOST_HUNTED} runs`]);
      continue;
    }
    const startMs = io.nowMs();
    const shrunk = await shrinkWithin(io, found, bounds, new Progress(io));
    if (shrunk === null) continue;
    keepShrunk(io, found, shrunk, settingsOf(shelf, bug.name, DEFAULT_STRATEGY));
    left.push(shrunk.after.places.length);
    rows.push(rowOf(bug, found, shrunk, (io.nowMs() - startMs) / 1_000));
  }
  left.sort((a, b) => a - b);
  const median = left[Math.floor((left.length - 1) / 2)] ?? 0;
  io.out(`${table(rows, "")}\n\nmedian of ${left.length}: ${median} choices that are not the plainest\n`);
  return io.interrupted() ? EXIT.interrupted : EXIT.pass;
}

/** What a person reads of one bug. */
function rowOf(bug: PlantedBug, found: Shrinkable, shrunk: Shrunk, seconds: number): readonly string[] {
  return [
    bug.name,
    found.scenario.name,
    String(found.seed),
    targetOf(found.result.outcome) ?? "",
    String(shrunk.before.places.length),
    `${shrunk.after.places.length}${shrunk.complete ? "" : " (cut)"}`,
    String(shrunk.runs),
    seconds.toFixed(1),
    choicesText(shrunk),
  ];
}

/** The first run that fails with the bug, scenarios in turn. */
async function firstFailure(
  io: Io,
  shelf: Shelf,
  bug: PlantedBug,
  firstSeed: number,
): Promise<Shrinkable | null> {
  const catalog = await shelf.loadPlanted(bug);
  const settings = settingsOf(shelf, bug.name, DEFAULT_STRATEGY);
  for (let i = 0; i < MOST_HUNTED && !io.interrupted(); i++) {
    const scenario = catalog[i % catalog.length];
    if (scenario === undefined) return null;
    const seed = firstSeed + i;
    const result = await makeRun(settings, scenario, seed);
    if (targetOf(result.outcome) !== null) return { scenario, seed, result };
    if (i % 20 === 0) await io.turn();
  }
  return null;
}
