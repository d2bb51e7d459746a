/**
 * The program: commands, options, help, and errors of usage in one line.
 *
 *   E3  Whatever the user types, what comes back is an exit code; an error of usage is one line on standard error
 *       and code 2, and nothing has been run or written then.
 */
import { Command, CommanderError } from "commander";
import { BROKEN_STORES, SOUND_PROFILES, STRATEGIES } from "../../sim/index.ts";
import {
  MOST_NODES,
  parseCommit,
  parseCount,
  parseDuration,
  parseJobs,
  parseNodes,
  parseSeed,
  parseShard,
  UsageError,
} from "./arguments.ts";
import { EXIT, EXIT_CODE_HELP } from "./exit-codes.ts";
import { addExplore } from "./explore-command.ts";
import { HUNTER_NAMES } from "./hunters.ts";
import type { Io } from "./io.ts";
import { type MergeOptions, mergeCommand } from "./merge-command.ts";
import { DEFAULT_SEEDS_PER_BUG, type MutantsOptions, mutantsCommand } from "./mutants-command.ts";
import { type ReplayOptions, replayCommand } from "./replay-command.ts";
import { DEFAULT_STRATEGY } from "./run-settings.ts";
import { scenariosCommand } from "./scenarios-command.ts";
import type { Shelf } from "./shelf.ts";
import { type ShrinkOptions, shrinkCommand } from "./shrink-command.ts";
import { DEFAULT_BOUNDS } from "./shrinking.ts";
import { DEFAULT_RUNS, type SimOptions, simCommand } from "./sim-command.ts";
import { FAILURES_PER_SCENARIO } from "./sim-session.ts";

/** Runs one command line (without `node` and the script); answers the exit code. */
export async function runCli(argv: readonly string[], io: Io, shelf: Shelf): Promise<number> {
  let code: number = EXIT.pass;
  const program = commands(io, shelf, (result) => {
    code = result;
  });
  try {
    if (argv.length === 0) program.help({ error: true });
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof UsageError) {
      io.err(`error: ${oneLine(error.message)}\n`);
      return EXIT.usage;
    }
    // Commander throws after it has said what there was to say; 0 is help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.pass : EXIT.usage;
    throw error;
  }
}

const BROKEN_NAMES = BROKEN_STORES.map((profile) => profile.name).join(", ");
const STRATEGY_NAMES = STRATEGIES.map(({ name }) => name).join(", ");
const PROFILE_NAMES = SOUND_PROFILES.map((profile) => profile.name).join(", ");

function commands(io: Io, shelf: Shelf, done: (code: number) => void): Command {
  const program = new Command("baton")
    .description("A durable workflow engine on object storage, and the simulator that attacks it.")
    .version(shelf.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: (text, write) => write(`${oneLine(text)}\n`),
      getOutHasColors: () => io.colored,
      getErrHasColors: () => io.colored,
    })
    .addHelpText("after", EXIT_CODE_HELP);
  addSim(program, io, shelf, done);
  addReplay(program, io, shelf, done);
  addShrink(program, io, shelf, done);
  addExplore(program, io, shelf, done);
  addMutants(program, io, shelf, done);
  program
    .command("merge")
    .description("add up the results that the shards of a campaign printed with --json")
    .argument("<FILE...>", "one file for each shard")
    .option("--json", "one JSON object instead of text")
    .option("--junit <FILE>", "write the result as JUnit XML, too")
    .addHelpText("after", EXIT_CODE_HELP)
    .action((paths: string[], options: MergeOptions) => done(mergeCommand(io, paths, options)));
  program
    .command("scenarios")
    .description("list the scenarios and what each claims")
    .option("--planted", "list the planted bugs instead")
    .action((options: { planted?: boolean }) => done(scenariosCommand(io, shelf, options)));
  return program;
}

function addSim(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
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
    .addHelpText("after", simHelp())
    .action(async (names: string[], options: SimOptions) =>
      done(await simCommand(io, shelf, names, options)),
    );
}

function addReplay(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
  program
    .command("replay")
    .description("make one run again, from its replay file or from its seed")
    .argument("[FILE]", "a replay file, as `baton sim` writes under reports/")
    .option("--scenario <S>", "the scenario of the run")
    .option("--seed <N>", "the seed of the run", parseSeed)
    .option("--nodes <N>", `nodes of the engine, 1 to ${MOST_NODES}`, parseNodes)
    .option("--profile <NAME>", "the store profile that the run was made with")
    .option("--strategy <NAME>", "the strategy that the run was made with")
    .option("--plant <NAME>", "the bug that the run was made with")
    .option("--report [FILE]", "write a page that shows the run (default: under reports/)")
    .addHelpText("after", EXIT_CODE_HELP)
    .action(async (path: string | undefined, options: ReplayOptions) =>
      done(await replayCommand(io, shelf, path, options)),
    );
}

function addMutants(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
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
      parseCount,
    )
    .option("--seed <S>", "where the first hunt begins (default: random)", parseSeed)
    .option("--for <TIME>", "stop after this much real time, as in 30s, 10m, 1h", parseDuration)
    .option("--strategy <NAME...>", `which of ${HUNTER_NAMES.join(", ")} (default: all)`)
    .option("--json", "one JSON object at the end; the lines go to standard error")
    .addHelpText("after", EXIT_CODE_HELP)
    .action(async (names: string[], options: MutantsOptions) =>
      done(await mutantsCommand(io, shelf, names, options)),
    );
}

function addShrink(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
  program
    .command("shrink")
    .description("make a failing run as small as can be: the same invariant broken by fewer choices")
    .argument("[FILE]", "the replay file of a failing run")
    .option("--planted [NAME...]", "shrink a failure of each planted bug instead and print a table")
    .option("--for <TIME>", "how long one run may take to shrink (default: 20s)", parseDuration)
    .option("--runs <N>", `runs that one shrinking may try (default: ${DEFAULT_BOUNDS.mostRuns})`, parseCount)
    .option("--seed <S>", "where the search for failures of planted bugs begins (default: 1)", parseSeed)
    .addHelpText("after", EXIT_CODE_HELP)
    .action(async (path: string | undefined, options: ShrinkOptions) =>
      done(await shrinkCommand(io, shelf, path, options)),
    );
}

function simHelp(): string {
  return `
A broken store is a profile, too: ${BROKEN_NAMES}.
A scenario that has failed ${FAILURES_PER_SCENARIO} times is left out for the rest. The runs in scenarios/pinned are made first.
Ctrl-C ends with the summary so far.
${EXIT_CODE_HELP}`;
}

/** Commander puts its suggestion on a second line. */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
