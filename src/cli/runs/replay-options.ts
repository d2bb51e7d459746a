/**
 * The commands about runs that were made, and their options: `replay`, `shrink` and `merge`.
 *
 * Owns the words of the help and which function reads which value.
 */
import type { Command } from "commander";
import { type MergeOptions, mergeCommand } from "../campaign/merge-command.ts";
import type { Io } from "../io.ts";
import type { Shelf } from "../shelf.ts";
import { MOST_NODES, parseCount, parseDuration, parseNodes, parseSeed } from "../terminal/arguments.ts";
import { EXIT_CODE_HELP } from "../terminal/exit-codes.ts";
import { type ReplayOptions, replayCommand } from "./replay-command.ts";
import { type ShrinkOptions, shrinkCommand } from "./shrink-command.ts";
import { DEFAULT_BOUNDS } from "./shrinking.ts";

/** Puts `replay` into the program. */
export function addReplay(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
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

/** Puts `shrink` into the program. */
export function addShrink(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
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

/** Puts `merge` into the program. */
export function addMerge(program: Command, io: Io, shelf: Shelf, done: (code: number) => void): void {
  program
    .command("merge")
    .description("add up the results that the shards of a campaign printed with --json")
    .argument("<FILE...>", "one file for each shard")
    .option("--json", "one JSON object instead of text")
    .option("--junit <FILE>", "write the result as JUnit XML, too")
    .option("--report <FILE>", "write a page about all the runs")
    .option("--with <FILE...>", "show on that page what `mutants` and `explore --json` wrote")
    .addHelpText("after", EXIT_CODE_HELP)
    .action((paths: string[], options: MergeOptions) =>
      done(mergeCommand(io, shelf.catalog, paths, options)),
    );
}
