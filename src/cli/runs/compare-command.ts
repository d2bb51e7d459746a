/**
 * `baton compare`: the engine and the exact model of it, given the same random commands, answer by answer.
 *
 *   M1  one seed makes one run, whatever the machine.
 *   M2  a difference is told as the shortest list of commands that still shows one, and is a broken invariant (code 1).
 *   M3  a run that agrees but in which an operation never succeeded, or a code of refusal or a turn given in one write with
 *       something else never came, has shown too little: no progress (code 4).
 */
import type { Command } from "commander";
import { type Comparison, compare, SEEN_CODES, SEEN_DEEDS, tellActs } from "../../../scenarios/index.ts";
import { MemoryStore } from "../../adapters/memory-store.ts";
import type { Io } from "../io.ts";
import { parseCount, parseSeed } from "../terminal/arguments.ts";
import { EXIT, EXIT_CODE_HELP } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { grouped, spell, table } from "../terminal/table.ts";

interface CompareOptions {
  readonly commands: number;
  readonly seed?: number;
}

const DEFAULT_COMMANDS = 100_000;
/** How long the event loop may stay without a turn: a Ctrl-C is seen within it. */
const TURN_EVERY_MS = 50;

/** Puts the command into the program. */
export function addCompare(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command("compare")
    .description("give the engine and a plain model of it the same random commands, and compare every answer")
    .option("--commands <N>", "how many commands", parseCount, DEFAULT_COMMANDS)
    .option("--seed <S>", "the seed of the run (default: a fresh one)", parseSeed)
    .addHelpText("after", EXIT_CODE_HELP)
    .action(async (options: CompareOptions) => done(await compareCommand(io, options)));
}

/** Makes the comparison; answers the exit code. */
async function compareCommand(io: Io, options: CompareOptions): Promise<number> {
  const { commands } = options;
  const seed = options.seed ?? io.freshSeed();
  const progress = new Progress(io);
  const startMs = io.nowMs();
  let turnedMs = startMs;
  const found = await compare({
    seed,
    commands,
    codes: SEEN_CODES,
    deeds: SEEN_DEEDS,
    makeStore: () => new MemoryStore(),
    onProgress: async (count) => {
      const nowMs = io.nowMs();
      if (nowMs - turnedMs < TURN_EVERY_MS) return;
      turnedMs = nowMs;
      progress.line(`${grouped(count)} of ${grouped(commands)} commands`, nowMs);
      await io.turn();
    },
    isStopped: () => io.interrupted(),
  });
  progress.clear();
  io.out(summaryOf(found, seed, io.nowMs() - startMs));
  if (found.failure !== null) return EXIT.violation;
  if (io.interrupted()) return EXIT.interrupted;
  return found.unseen.length > 0 ? EXIT.noProgress : EXIT.pass;
}

function summaryOf(found: Comparison, seed: number, wallMs: number): string {
  const { commands, episodes, succeeded, refused, deeds, unseen, failure } = found;
  const counts = (map: ReadonlyMap<string, number>) =>
    [...map].sort(([, a], [, b]) => b - a).map(([name, count]) => [name, grouped(count)]);
  const parts = [
    `seed ${seed}: ${grouped(commands)} commands in ${grouped(episodes)} episodes, ${spell(wallMs)}`,
    `succeeded\n${table(counts(succeeded))}`,
    `refused\n${table(counts(refused))}`,
    `in one write\n${table(counts(deeds))}`,
  ];
  if (failure !== null) {
    const { difference, profile, acts } = failure;
    parts.push(
      `engine and model differ (${profile}): ${difference.operation}: ${difference.what}\n${tellActs(acts)}`,
    );
  } else {
    parts.push(unseen.length > 0 ? `never came: ${unseen.join(", ")}` : "engine and model agree");
  }
  return `${parts.join("\n\n")}\n`;
}
