/**
 * `baton bench`: measures the scenarios of the ledger and records them.
 *
 * What it records is this machine's (`ledger/records.jsonl`): counts, which are the same everywhere, and the processor
 * time of the first scenario, which is not. `--against` compares processor time with another commit instead.
 */
import type { Command } from "commander";
import { ledgerRows, type ProcessorTime } from "../../../ledger/index.ts";
import { SOUND_PROFILES } from "../../../sim/index.ts";
import { present } from "../../std/assert.ts";
import type { Io } from "../io.ts";
import { pickOne, UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { table } from "../terminal/table.ts";
import { benchAgainst } from "./bench-against.ts";
import { processorTime } from "./bench-speed.ts";
import { addToBook, DEFAULT_PROFILE, type LedgerBook, measureAll, packageBook } from "./ledger-book.ts";

export interface BenchOptions {
  readonly profile?: string;
  readonly against?: string;
  /** False: `--no-speed`. */
  readonly speed: boolean;
  readonly json?: boolean;
}

/** Puts the command into the program. */
export function addBench(program: Command, io: Io, version: string, done: (code: number) => void): void {
  const names = SOUND_PROFILES.map(({ name }) => name).join(", ");
  program
    .command("bench")
    .description("count what a handoff costs, and record it; or compare the speed with another commit")
    .argument("[SCENARIO...]", "measured scenarios; default: all")
    .option("--profile <NAME>", `the store: ${names} (default: ${DEFAULT_PROFILE})`)
    .option("--against <REF>", "build that commit, too, and tell how the processor time of a turn compares")
    .option("--no-speed", "count only, and take no time")
    .option("--json", "the records, one a line, instead of a table")
    .action(async (scenarios: string[], options: BenchOptions) =>
      done(await benchCommand(io, packageBook(version), scenarios, options)),
    );
}

export async function benchCommand(
  io: Io,
  book: LedgerBook,
  scenarios: readonly string[],
  { profile = DEFAULT_PROFILE, against, speed, json }: BenchOptions,
): Promise<number> {
  if (against !== undefined) {
    if (scenarios.length > 0) throw new UsageError("--against compares turns: give no scenario with it");
    return benchAgainst(io, against);
  }
  pickOne("store profile", SOUND_PROFILES, profile);
  const counted = await measureAll(io, book, scenarios, profile);
  if (counted === null) return EXIT.interrupted;
  const processor = speed ? await processorTime(present(book.workloads[0], "a measured scenario")) : null;
  const records = counted.map((record, at) => (at === 0 ? { ...record, processor } : record));
  addToBook(book, "records.jsonl", records);
  if (json === true) for (const record of records) io.out(`${JSON.stringify(record)}\n`);
  else io.out(`for one unit, on ${profile}; by cause: puts+gets\n${table(ledgerRows(records))}\n`);
  if (speed && json !== true) io.out(tellSpeed(processor));
  return EXIT.pass;
}

function tellSpeed(processor: ProcessorTime | null): string {
  if (processor === null) return "no processor time: tinybench is not installed\n";
  const { machine, turn, operation } = processor;
  return [
    `processor time, noisy (${machine})`,
    `  a turn over a store in memory   ${turn.mean_us.toFixed(1)} ± ${turn.margin_us.toFixed(1)} µs, ${turn.samples} samples`,
    `  a simulated request             ${operation.mean_us.toFixed(1)} ± ${operation.margin_us.toFixed(1)} µs, ${operation.samples} samples`,
    "",
  ].join("\n");
}
