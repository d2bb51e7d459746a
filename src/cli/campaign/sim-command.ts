/**
 * `baton sim`: what the user asked for, checked and put together, before anything runs.
 *
 *   A1  Shards of one campaign need one seed, so `--shard` without a seed is a usage error, not a random seed.
 *   A2  Failures are shrunk where somebody watches, or when asked for: in a build, time is for runs.
 *   A3  Seeds do not wrap: the last run that was asked for has a seed, too.
 *   A4  Where faults struck is counted only for whoever is told: the page and the JSON result.
 */

import type { Io } from "../io.ts";
import { DEFAULT_BOUNDS } from "../runs/shrinking.ts";
import type { Shelf } from "../shelf.ts";
import {
  checkLastSeed,
  MOST_RUNS,
  pick,
  pickOne,
  pickProfile,
  pickStrategy,
  UsageError,
} from "../terminal/arguments.ts";
import { checkOutputs, checkReports } from "../terminal/write-file.ts";
import { pinnedRuns } from "./pinned.ts";
import { SimSession } from "./sim-session.ts";
import { readSearches } from "./with-files.ts";

export interface SimOptions {
  readonly seeds?: number;
  readonly seed?: number;
  readonly seedFrom?: number;
  readonly for?: number;
  readonly nodes?: number;
  readonly profile?: string;
  readonly strategy?: string;
  readonly json?: boolean;
  readonly junit?: string;
  readonly jobs?: number;
  readonly shard?: { readonly index: number; readonly of: number };
  readonly shrink?: boolean;
  readonly shrinkFor?: number;
  /** Both `--shrink` and `--no-shrink` were given. */
  readonly shrinkTwice?: boolean;
  readonly checkDeterminism?: boolean;
  readonly plant?: string;
  readonly report?: string;
  readonly with?: readonly string[];
}

export const DEFAULT_RUNS = 2_000;

/** Makes the runs; answers the exit code. */
export async function simCommand(
  io: Io,
  shelf: Shelf,
  names: readonly string[],
  options: SimOptions,
): Promise<number> {
  checkTogether(options);
  const bug = options.plant === undefined ? null : pickOne("planted bug", shelf.bugs, options.plant);
  const chosen = pick("scenario", shelf.catalog, names);
  const settings = {
    nodes: options.nodes,
    profile: pickProfile(options.profile),
    strategy: pickStrategy(options.strategy),
    planted: bug?.name ?? null,
    twice: options.checkDeterminism === true,
    points: options.json === true || options.report !== undefined,
    version: shelf.version,
  };
  const firstSeed = options.seed ?? options.seedFrom ?? io.freshSeed();
  const runs = options.seeds ?? (options.for === undefined ? DEFAULT_RUNS : null);
  checkLastSeed(firstSeed, runs ?? MOST_RUNS);
  const searches = readSearches(io, options.with, options.report);
  const pinned = bug === null ? pinnedRuns(shelf) : [];
  checkReports(io);
  checkOutputs(io, { "--report": options.report, "--junit": options.junit });
  const catalog = bug === null ? shelf.catalog : await shelf.loadPlanted(bug);
  const scenarios = bug === null ? chosen : pick("scenario", catalog, names);
  const session = new SimSession(io, {
    settings,
    catalog,
    scenarios,
    pinned,
    firstSeed,
    runs,
    forMs: options.for ?? null,
    jobs: options.jobs ?? 1,
    shard: options.shard ?? null,
    shrink:
      (options.shrink ?? (io.live || options.shrinkFor !== undefined))
        ? { ...DEFAULT_BOUNDS, forMs: options.shrinkFor ?? DEFAULT_BOUNDS.forMs }
        : null,
    json: options.json === true,
    junit: options.junit,
    report: options.report,
    searches,
  });
  return session.run();
}

/** What options say together. */
function checkTogether(options: SimOptions): void {
  const { seed, seedFrom, shard, shrink, shrinkFor, shrinkTwice } = options;
  if (shrinkTwice === true) throw new UsageError("both --shrink and --no-shrink: give one of them");
  if (seed !== undefined && seedFrom !== undefined) {
    throw new UsageError("two seeds: give either --seed or --seed-from");
  }
  if (shard !== undefined && seed === undefined && seedFrom === undefined) {
    throw new UsageError("--shard needs --seed or --seed-from, the same for all shards");
  }
  if (shrink === false && shrinkFor !== undefined) {
    throw new UsageError("--no-shrink leaves nothing for --shrink-for: give one of them");
  }
}
