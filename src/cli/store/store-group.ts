/**
 * The group `baton store ...`: the commands about a store as a whole.
 *
 * Owns the options and the help. The grammar of a bucket's address is read in `src/adapters/s3/location.ts`; the help
 * repeats it for people who have no source at hand.
 */
import type { Command } from "commander";
import type { Io } from "../io.ts";
import { DEFAULT_STORE } from "../serve/serve-options.ts";
import { parseWhole } from "../terminal/arguments.ts";
import { type StoreCheckOptions, storeCheckCommand } from "./store-check.ts";
import { type CopyOptions, storeExportCommand, storeImportCommand } from "./store-copy.ts";

const MOST_PROCESSES = 16;

const URL_HELP = `
A store is a directory, or a bucket:
  DIR
  s3://BUCKET[/PREFIX][?endpoint=URL&region=NAME&path_style=true|false&etag_quotes=auto|kept|stripped&timeout_ms=N&profile=NAME]
Credentials come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or from the profile.

Examples:
  baton store check ./baton-data
  baton store check 's3://my-bucket/baton?region=eu-central-1'
  baton store check 's3://my-bucket?endpoint=http://127.0.0.1:9000'

Exit codes: 0 sound, 1 unsafe, 2 cannot be opened, 4 left without answers.`;

/** The group, made by whoever adds the first command to it. */
export function storeGroup(program: Command): Command {
  const known = program.commands.find((command) => command.name() === "store");
  return known ?? program.command("store").description("look at a store as a whole");
}

export function addStoreCheck(program: Command, io: Io, done: (code: number) => void): void {
  storeGroup(program)
    .command("check <store>")
    .description("ask a store for everything that the engine needs; 0 when it is sound")
    .option("--processes <n>", "race writers from so many processes (default: 3)", parseProcesses)
    .option("--json", "print one JSON object")
    .addHelpText("after", URL_HELP)
    .action(async (store: string, options: StoreCheckOptions) =>
      done(await storeCheckCommand(io, store, options)),
    );
}

/** `export` and `import`. */
export function addStoreCopies(program: Command, io: Io, done: (code: number) => void): void {
  const where = `a directory or s3://bucket/prefix (default: ${DEFAULT_STORE})`;
  storeGroup(program)
    .command("export <folder>")
    .description("write every object of a store as a plain file into a new folder")
    .option("--store <store>", where)
    .addHelpText(
      "after",
      "\nA store that is in use is copied object by object: stop its servers to have one moment of it.",
    )
    .action(async (folder: string, options: CopyOptions) =>
      done(await storeExportCommand(io, folder, options)),
    );
  storeGroup(program)
    .command("import <folder>")
    .description("put what was exported into an empty store; run again, it goes on where it was cut off")
    .option("--store <store>", where)
    .addHelpText("after", "\nStart no server on the store before it is done.")
    .action(async (folder: string, options: CopyOptions) =>
      done(await storeImportCommand(io, folder, options)),
    );
}

function parseProcesses(text: string): number {
  return parseWhole(text, 2, MOST_PROCESSES, "The number of processes");
}
