/**
 * `baton conformance -- COMMAND`: holds a worker, in any language, against the rules of a worker.
 *
 * The command is started once for each script, with `BATON_URL` (where the scripted server listens) and `BATON_SCRIPT`
 * (JSON: `worker` and `workflow`, as in the script). It carries out the program with the worker under test and ends, or is
 * ended. `src/workflow/conformance` says what a script is.
 *
 *   F1  scripts are played one after the other: a worker's times are only worth something on a machine that is not busy.
 *   F2  what the worker writes on its standard error is passed on; it decides nothing.
 *   F3  exit code 1 when a script found something, whatever the worker's own exit code.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { packageRoot } from "../../../sim/index.ts";
import type { Script } from "../../workflow/index.ts";
import type { Io } from "../io.ts";
import { parseCount, UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { playScript, type StartWorker } from "./conformance-play.ts";

interface ConformanceOptions {
  readonly only?: string;
  readonly slack: number;
  readonly longest: number;
  readonly list?: boolean;
}

const SLACK_MS = 250;
const LONGEST_SECONDS = 10;

/** Puts the command into the program. */
export function addConformance(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command("conformance")
    .description("hold a worker, in any language, against scripted exchanges")
    .argument("[command...]", "what starts the worker under test")
    .option("--list", "list the scripts instead")
    .option("--only <TEXT>", "only scripts whose name contains this")
    .option(
      "--slack <MS>",
      "how much earlier and later than the script a request may come",
      parseCount,
      SLACK_MS,
    )
    .option("--longest <SECONDS>", "leave out scripts that take longer", parseCount, LONGEST_SECONDS)
    .action(async (command: readonly string[], options: ConformanceOptions) =>
      done(await conformanceCommand(io, command, options)),
    );
}

async function conformanceCommand(
  io: Io,
  command: readonly string[],
  { only = "", slack, longest, list }: ConformanceOptions,
): Promise<number> {
  const named = scripts().filter(({ name }) => name.includes(only));
  if (list === true) {
    io.out(`${named.map(({ name }) => name).join("\n")}\n`);
    return EXIT.pass;
  }
  const [file, ...args] = command;
  if (file === undefined) throw new UsageError("say how the worker is started: baton conformance -- COMMAND");
  const played = named.filter((script) => lengthMs(script) <= longest * 1_000);
  let failed = 0;
  for (const script of played) {
    if (io.interrupted()) return EXIT.interrupted;
    const faults = await playScript(script, starter(io, file, args), slack);
    failed += faults.length > 0 ? 1 : 0;
    io.out(`${faults.length > 0 ? "FAIL" : "ok  "} ${script.name}\n`);
    for (const fault of faults) io.out(`       ${fault}\n`);
  }
  const left = named.length - played.length;
  io.out(`${played.length} scripts, ${failed} failed${left > 0 ? `, ${left} longer ones left out` : ""}\n`);
  return failed > 0 ? EXIT.violation : EXIT.pass;
}

/** How long it takes at least. */
function lengthMs({ exchanges, worker }: Script): number {
  return Math.max(...exchanges.map(({ at_ms: [, toMs] }) => toMs), ...(worker.stops_at_ms ?? []));
}

function starter(io: Io, file: string, args: readonly string[]): StartWorker {
  return ({ worker, workflow }, url) => {
    const told = { BATON_URL: url, BATON_SCRIPT: JSON.stringify({ worker, workflow }) };
    const env = { ...io.environment, ...told };
    const child = spawn(file, args, { cwd: io.folder, env, stdio: ["ignore", "ignore", "pipe"] });
    child.on("error", (error) => io.err(`${file}: ${error.message}\n`));
    child.stderr.on("data", (text) => io.err(String(text)));
    return { terminate: () => child.kill("SIGTERM"), kill: () => child.kill("SIGKILL") };
  };
}

/** The package ships its sources, the scripts among them. */
function scripts(): readonly Script[] {
  const folder = join(packageRoot(), "src/workflow/conformance/scripts");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .flatMap((name): readonly Script[] => JSON.parse(readFileSync(join(folder, name), "utf8")));
}
