/**
 * `baton ledger show | check | accept`: the baseline as a table, as a gate, and how it is changed.
 *
 *   G1  `check` fails when a count or a serial time rose by however little, and names scenario and which. One that fell is told
 *       and no failure, so that nobody has to accept what is better to go on; until it is accepted it may rise again.
 *   G2  `accept` adds the rows that differ, each with the reason; nothing is accepted without one.
 *   G3  neither reads what this machine recorded: the gate knows the committed baseline alone, so it says the same
 *       everywhere. Only `show` lays the two beside each other.
 *
 * Does not own what is measured (`scenarios`), nor how two records are held against each other (`ledger`).
 */
import type { Command } from "commander";
import {
  baselineOf,
  type Difference,
  differences,
  isFailure,
  type LedgerRecord,
  ledgerRows,
  rowOf,
  tellDifference,
  trendRows,
} from "../../../ledger/index.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { grouped, table } from "../terminal/table.ts";
import {
  addToBook,
  DEFAULT_PROFILE,
  type LedgerBook,
  measureAll,
  packageBook,
  readBook,
} from "./ledger-book.ts";

/** Puts the group into the program. */
export function addLedger(program: Command, io: Io, version: string, done: (code: number) => void): void {
  const group = program.command("ledger").description("what a handoff costs, held against the baseline");
  group
    .command("show")
    .description("print the baseline, and how it came about")
    .option("--json", "the records as they are, one a line")
    .action((options: { json?: boolean }) =>
      done(ledgerShow(io, packageBook(version), options.json === true)),
    );
  group
    .command("check")
    .description("measure again; exit 1 when any count or serial time rose over the baseline")
    .argument("[SCENARIO...]", "measured scenarios; default: all")
    .action(async (names: string[]) => done(await ledgerCheck(io, packageBook(version), names)));
  group
    .command("accept")
    .description("measure again and make that the baseline, where it differs")
    .requiredOption("--why <REASON>", "why it may cost that from now on; kept with it")
    .action(async ({ why }: { why: string }) => done(await ledgerAccept(io, packageBook(version), why)));
}

export function ledgerShow(io: Io, book: LedgerBook, json: boolean): number {
  const records = readBook(book, "baseline.jsonl");
  if (json) {
    for (const record of records) io.out(`${JSON.stringify(record)}\n`);
    return EXIT.pass;
  }
  const now = [...baselineOf(records).values()];
  io.out(
    `for one unit (a handoff, unless it says otherwise); by cause: puts+gets\n${table(ledgerRows(now))}\n\n`,
  );
  const trend = [...records, ...readBook(book, "records.jsonl")];
  io.out(`trend\n${table(trendRows(trend))}\n`);
  return EXIT.pass;
}

export async function ledgerCheck(io: Io, book: LedgerBook, names: readonly string[]): Promise<number> {
  const measured = await measureAll(io, book, names, DEFAULT_PROFILE);
  if (measured === null) return EXIT.interrupted;
  const found = differences(baselineFor(book, names), measured);
  const failures = found.filter(isFailure);
  for (const difference of found) io.out(`${tellDifference(difference)}\n`);
  io.out(`${grouped(measured.length)} scenarios measured: ${verdict(found, failures)}\n`);
  return failures.length > 0 ? EXIT.violation : EXIT.pass;
}

/** The whole baseline, or its rows of the scenarios that were asked for. */
function baselineFor(book: LedgerBook, names: readonly string[]): ReadonlyMap<string, LedgerRecord> {
  const baseline = baselineOf(readBook(book, "baseline.jsonl"));
  if (names.length === 0) return baseline;
  return new Map([...baseline].filter(([, { scenario }]) => names.includes(scenario)));
}

function verdict(found: readonly Difference[], failures: readonly Difference[]): string {
  const how = "baton ledger accept --why REASON";
  if (failures.length > 0) return `${failures.length} failures; if it may cost that: ${how}`;
  if (found.length > 0) return `nothing rose, ${found.length} counts fell; to hold them there: ${how}`;
  return "each count is that of the baseline";
}

export async function ledgerAccept(io: Io, book: LedgerBook, why: string): Promise<number> {
  if (why.trim() === "") throw new UsageError("--why needs a reason: it stays in the baseline for good");
  const baseline = baselineOf(readBook(book, "baseline.jsonl"));
  const measured = await measureAll(io, book, [], DEFAULT_PROFILE);
  if (measured === null) return EXIT.interrupted;
  const found = differences(baseline, measured);
  const rows = new Set(found.map(({ row }) => row));
  const changed = measured.filter((record) => rows.has(rowOf(record)));
  for (const difference of found) if (difference.kind !== "new") io.out(`${tellDifference(difference)}\n`);
  addToBook(
    book,
    "baseline.jsonl",
    changed.map((record) => ({ ...record, why })),
  );
  io.out(`${grouped(changed.length)} of ${grouped(measured.length)} rows of the baseline are new\n`);
  return EXIT.pass;
}
