/**
 * `baton sim`: what the user asked for, checked and put together, before anything runs.
 *
 *   A1  Shards of one campaign need one seed, so `--shard` without a seed is a usage error, not a random seed.
 *       Threads do not keep what happened in a run, so a page about where faults struck takes one thread.
 *   A2  Failures are shrunk where somebody watches, or when asked for: in a build, time is for runs.
 */
import { pick, pickOne, pickProfile, pickStrategy, UsageError } from "./arguments.ts";
import type { Io } from "./io.ts";
import { pinnedRuns } from "./pinned.ts";
import type { Shelf } from "./shelf.ts";
import { DEFAULT_BOUNDS } from "./shrinking.ts";
import { SimSession } from "./sim-session.ts";

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
  readonly checkDeterminism?: boolean;
  readonly plant?: string;
  readonly report?: string;
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
    version: shelf.version,
  };
  const scenarios = bug === null ? chosen : pick("scenario", await shelf.loadPlanted(bug), names);
  const session = new SimSession(io, {
    settings,
    names,
    scenarios,
    pinned: bug === null ? pinnedRuns(shelf) : [],
    firstSeed: options.seed ?? options.seedFrom ?? io.freshSeed(),
    runs: options.seeds ?? (options.for === undefined ? DEFAULT_RUNS : null),
    forMs: options.for ?? null,
    jobs: options.jobs ?? 1,
    shard: options.shard ?? null,
    shrink:
      (options.shrink ?? io.live)
        ? { ...DEFAULT_BOUNDS, forMs: options.shrinkFor ?? DEFAULT_BOUNDS.forMs }
        : null,
    json: options.json === true,
    junit: options.junit,
    report: options.report,
  });
  return session.run();
}

/** What options say together. */
function checkTogether(options: SimOptions): void {
  const { seed, seedFrom, shard, jobs = 1, report } = options;
  if (seed !== undefined && seedFrom !== undefined) {
    throw new UsageError("two seeds: give either --seed or --seed-from");
  }
  if (shard !== undefined && seed === undefined && seedFrom === undefined) {
    throw new UsageError("--shard needs --seed or --seed-from, the same for all shards");
  }
  if (report !== undefined && jobs > 1) {
    throw new UsageError("--report shows where faults struck, which threads do not tell: leave out --jobs");
  }
}
