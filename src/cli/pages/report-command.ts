/**
 * `baton report`: the ledger's baseline as a page.
 *
 * Measures nothing: what the page shows was recorded. Where it is written is looked at first.
 */
import type { Command } from "commander";
import { renderCost } from "../../../reports/index.ts";
import type { Io } from "../io.ts";
import { DEFAULT_PROFILE, type LedgerBook, packageBook, readBook } from "../measure/ledger-book.ts";
import { UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { checkOutputs } from "../terminal/write-file.ts";
import { pageAssets } from "./page-assets.ts";
import { writePage } from "./pages.ts";

const DEFAULT_PATH = "reports/ledger.html";

/** Puts the command into the program. */
export function addReport(program: Command, io: Io, version: string, done: (code: number) => void): void {
  program
    .command("report")
    .description(
      "write a page about what a handoff costs: by cause, beside the documented protocol, and growth",
    )
    .option("--out <FILE>", "where to", DEFAULT_PATH)
    .action(({ out }: { out: string }) => done(reportCommand(io, packageBook(version), out)));
}

export function reportCommand(io: Io, book: LedgerBook, out: string): number {
  checkOutputs(io, { "--out": out });
  const records = readBook(book, "baseline.jsonl");
  if (records.length === 0) throw new UsageError("the baseline is empty: baton ledger accept --why REASON");
  const path = writePage(io, out, () => renderCost(records, DEFAULT_PROFILE, pageAssets()));
  if (path === null) return EXIT.usage;
  io.out(`page: ${path}\n`);
  return EXIT.pass;
}
