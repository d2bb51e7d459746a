/**
 * The options of `baton chaos`. The command itself is loaded when it is asked for: nobody else waits for its packages.
 *
 * Numbers and times are read here, so that what is out of range is refused before anything is opened or started. What
 * depends on others (how many kills a minute has) gets its default where it is used.
 */
import type { Command } from "commander";
import type { Io } from "../io.ts";
import { parseDuration, parseSeed, parseWhole } from "../terminal/arguments.ts";
import type { ChaosOptions } from "./chaos-command.ts";

export function addChaos(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command("chaos")
    .description("attack real servers and workers on a real store, and check what happened")
    .option("--store <store>", "a directory or s3://bucket/prefix (default: a directory that is removed)")
    .option("--nodes <n>", "servers, 1 to 9 (default: 3)", within(1, 9, "The number of servers"))
    .option("--workers <n>", "workers, 1 to 16 (default: 4)", within(1, 16, "The number of workers"))
    .option("--for <time>", "how long faults strike: 60s, 10m (default: 60s)", parseDuration)
    .option("--seed <n>", "draws workload, faults and kills (default: a fresh one)", parseSeed)
    .option(
      "--kills <n>",
      "SIGKILLs from outside (default: one in 7 s)",
      within(0, 10_000, "The number of kills"),
    )
    .option(
      "--freezes <n>",
      "SIGSTOPs for longer than a lease (default: one in 18 s)",
      within(0, 10_000, "The number of freezes"),
    )
    .option("--restarts <n>", "SIGTERMs (default: one in 25 s)", within(0, 10_000, "The number of restarts"))
    .option(
      "--skew <ms>",
      "the most that a server's clock is wrong (default: 8000)",
      within(0, 3_600_000, "The skew"),
    )
    .option(
      "--settle <time>",
      "how long everything may take once faults are over (default: 4m and --for)",
      parseDuration,
    )
    .option("--plant <bug>", "with a planted bug in the engine (baton scenarios --planted)")
    .option("--json <file>", "writes the figures and findings as JSON")
    .option("--judge <folder>", "judges a run again that was kept there; nothing is started")
    .option("--keep <folder>", "keeps logs and orders there; kept in a folder that is told when a run fails")
    .action(async (options: ChaosOptions) => {
      const { chaosCommand } = await import("./chaos-command.ts");
      done(await chaosCommand(io, options));
    });
}

function within(least: number, most: number, what: string): (text: string) => number {
  return (text) => parseWhole(text, least, most, what);
}
