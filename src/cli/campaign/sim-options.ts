/**
 * The commands that make many runs, and their options: `sim` and `mutants`.
 *
 * Owns the words of the help and which function reads which value. An option without a value is absent, never
 * `false`, so that a command can tell what the user said from what is usual.
 *
 *   O1  What the help calls the default is taken from where it is defined.
 */
import type { Command } from "commander";
import { BROKEN_STORES, SOUND_PROFILES, STRATEGIES } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { HUNTER_NAMES } from "../mutants/hunters.ts";
import {
  DEFAULT_HUNT_RUNS,
  DEFAULT_SEEDS_PER_BUG,
  type MutantsOptions,
  mutantsCommand,
} from "../mutants/mutants-command.ts";
import type { Shelf } from "../shelf.ts";
import {
  MOST_NODES,
  parseCommit,
  parseCount,
  parseDuration,
  parseHunts,
  parseJobs,
  parseNodes,
  parseSeed,
  parseShard,
} from "../terminal/arguments.ts";
import { EXIT_CODE_HELP } from "../terminal/exit-codes.ts";
import { DEFAULT_STRATEGY } from "./run-settings.ts";
import { DEFAULT_RUNS, type SimOptions, simCommand } from "./sim-command.ts";
import { FAILURES_PER_SCENARIO } from "./sim-session.ts";

const BROKEN_NAMES = BROKEN_STORES.map((profile) => profile.name).join(", ");
/** For the help: what may be given. */
const STRATEGY_NAMES = STRATEGIES.map(({ name }) => name).join(", ");
const PROFILE_NAMES = SOUND_PROFILES.map((profile) => profile.name).join(", ");

/** Puts `sim` into the program. */
export function addSim(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
  const shrinkWords = new Set<string>();
  program
    .command("sim")
    .description("run scenarios under faults, check every invariant, and keep each failure as a replay file")
    .argument("[SCENARIO...]", "scenarios to run in turn; default: all of `baton scenarios`")
    .option(
      "--seed-from <COMMIT>",
      "take the seed of the first run from a commit's hash, so that all shards of a build agree on it",
      parseCommit,
    )
    .option("--seeds <N>", `runs in all, spread over the scenarios (default: ${DEFAULT_RUNS})`, parseCount)
    .option(
      "--seed <S>",
      "seed of the first run; the next ones count up from it (default: random)",
      parseSeed,
    )
    .option("--for <TIME>", "stop after this much real time, as in 30s, 10m, 1h", parseDuration)
    .option(
      "--nodes <N>",
      `nodes of the engine, 1 to ${MOST_NODES} (default: the scenario's own)`,
      parseNodes,
    )
    .option(
      "--profile <NAME>",
      `the store: ${PROFILE_NAMES}; or all: each run draws one of the sound ones (default: all)`,
    )
    .option(
      "--strategy <NAME>",
      `how schedules are searched: ${STRATEGY_NAMES} (default: ${DEFAULT_STRATEGY})`,
    )
    .option(
      "--jobs <N>",
      "threads that make the runs; the result does not depend on it (default: 1)",
      parseJobs,
    )
    .option("--shard <I/N>", "make only this part of the runs, as in 2/5; see `baton merge`", parseShard)
    .option("--json", "one JSON object at the end instead of text; what `baton merge` reads")
    .option("--junit <FILE>", "write the result as JUnit XML, too")
    .option("--shrink", "make the first failure of each scenario as small as can be (default: on a terminal)")
    .option("--no-shrink", "keep failures as they are")
    .option("--shrink-for <TIME>", "how long one failure may take to shrink (default: 20s)", parseDuration)
    .option("--check-determinism", "make each run twice and compare them step by step")
    .option("--plant <NAME>", "run with this bug in the engine; see `baton scenarios --planted`")
    .option("--report <FILE>", "write a page about all the runs; each failure has a page of its own anyway")
    .option("--with <FILE...>", "show on that page what `mutants` and `explore --json` wrote")
    .addHelpText("after", simHelp())
    // Both set one value, and the last of them would win unseen.
    .on("option:shrink", () => void shrinkWords.add("--shrink"))
    .on("option:no-shrink", () => void shrinkWords.add("--no-shrink"))
    .action(async (names: string[], options: SimOptions) =>
      done(await simCommand(io, shelf, names, { ...options, shrinkTwice: shrinkWords.size > 1 })),
    );
}

/** Puts `mutants` into the program. */
export function addMutants(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
  program
    .command("mutants")
    .description(
      "hunt each planted bug with each search strategy; tell how long each takes to see it, and by what",
    )
    .argument("[NAME...]", "planted bugs; default: all")
    .option("--list", "list the bugs, one a line, and hunt none")
    .option(
      "--seeds-per-bug <N>",
      `hunts for each bug and strategy (default: ${DEFAULT_SEEDS_PER_BUG})`,
      parseHunts,
    )
    .option("--runs <N>", `runs that one hunt may take (default: ${DEFAULT_HUNT_RUNS})`, parseCount)
    .option("--hunt-for <TIME>", "how long one hunt may take (default: 60s)", parseDuration)
    .option(
      "--jobs <N>",
      "threads that hunt, each one bug; seconds are real, so have a core for each (default: 1)",
      parseJobs,
    )
    .option("--resume", "go on with the matrix in reports/mutants.json; its seeds and bounds hold")
    .option("--seed <S>", "where the first hunt begins (default: random)", parseSeed)
    .option("--for <TIME>", "stop after this much real time, as in 30s, 10m, 1h", parseDuration)
    .option("--strategy <NAME...>", `which of ${HUNTER_NAMES.join(", ")} (default: all)`)
    .option("--json", "one JSON object at the end; the lines go to standard error")
    .addHelpText("after", EXIT_CODE_HELP)
    .action(async (names: string[], options: MutantsOptions) =>
      done(await mutantsCommand(io, shelf, names, options)),
    );
}

/** What does not belong to one option. */
function simHelp(): string {
  return `
A broken store is a profile, too: ${BROKEN_NAMES}.
A scenario that has failed ${FAILURES_PER_SCENARIO} times is left out for the rest. The runs in scenarios/pinned are made first.
Ctrl-C ends with the summary so far.
${EXIT_CODE_HELP}`;
}
