/**
 * The program: commands, options, help, and errors of usage in one line.
 *
 * Owns what holds for all commands. The options of each are in `sim-options.ts` (commands that make many runs),
 * `replay-options.ts` (commands about runs that were made) and beside the command.
 *
 *   E3  Whatever the user types, what comes back is an exit code; an error of usage is one line on standard error
 *       and code 2, and nothing has been run or written then.
 *   E4  A Ctrl-C reaches what a command has started, too, such as the one that bundles a planted bug. What fails
 *       because of that is no error of the user.
 */
import { Command, CommanderError } from "commander";
import { addMutants, addSim } from "./campaign/sim-options.ts";
import { addChaos } from "./chaos/chaos-program.ts";
import { addConformance } from "./conformance/conformance-command.ts";
import type { Io } from "./io.ts";
import { addBench } from "./measure/bench-command.ts";
import { addLedger } from "./measure/ledger-command.ts";
import { addSpeed } from "./measure/speed-command.ts";
import { addReport } from "./pages/report-command.ts";
import { addCompare } from "./runs/compare-command.ts";
import { addExplore } from "./runs/explore-command.ts";
import { addMerge, addReplay, addShrink } from "./runs/replay-options.ts";
import { scenariosCommand } from "./runs/scenarios-command.ts";
import { addServe } from "./serve/serve-program.ts";
import type { Shelf } from "./shelf.ts";
import { addStoreCheck, addStoreCopies } from "./store/store-group.ts";
import { UsageError } from "./terminal/arguments.ts";
import { EXIT, EXIT_CODE_HELP } from "./terminal/exit-codes.ts";

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
      if (io.interrupted()) return stopped(io);
      io.err(`error: ${oneLine(error.message)}\n`);
      return EXIT.usage;
    }
    // Commander throws after it has said what there was to say; 0 is help or the version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.pass : EXIT.usage;
    throw error;
  }
}

/** E4. */
function stopped(io: Io): number {
  io.err("stopped by Ctrl-C\n");
  return EXIT.interrupted;
}

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
  addCompare(program, io, done);
  addMutants(program, io, shelf, done);
  addMerge(program, io, shelf, done);
  addChaos(program, io, done);
  addBench(program, io, shelf.version, done);
  addLedger(program, io, shelf.version, done);
  addReport(program, io, shelf.version, done);
  addServe(program, io, shelf.version, done);
  addSpeed(program, io, done);
  addStoreCheck(program, io, done);
  addStoreCopies(program, io, done);
  addConformance(program, io, done);
  program
    .command("scenarios")
    .description("list the scenarios and what each claims")
    .option("--planted", "list the planted bugs instead")
    .action((options: { planted?: boolean }) => done(scenariosCommand(io, shelf, options)));
  return program;
}

/** Commander puts its suggestion on a second line. */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, " ");
}
