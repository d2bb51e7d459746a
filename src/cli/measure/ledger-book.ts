/**
 * The ledger on disk: what can be measured, the committed baseline, and what was recorded on this machine.
 *
 *   B1  `baseline.jsonl` is committed and only ever added to: of each row its last record holds.
 *   B2  `records.jsonl` is this machine's own, and git ignores it.
 *   B3  a line that cannot be read is an error of usage and nothing is overwritten.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type LedgerRecord,
  type MeasuredCode,
  measure,
  parseRecords,
  recordLine,
} from "../../../ledger/index.ts";
import { type MeasuredScenario, workloads } from "../../../scenarios/index.ts";
import { packageRoot } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { pick, UsageError } from "../terminal/arguments.ts";
import { Progress } from "../terminal/progress.ts";
import { writeWhole } from "../terminal/write-file.ts";

export const DEFAULT_PROFILE = "aws-s3";

export interface LedgerBook {
  readonly workloads: readonly MeasuredScenario[];
  /** Where the two files lie. */
  readonly folder: string;
  readonly code: MeasuredCode;
}

export function packageBook(version: string): LedgerBook {
  const root = packageRoot();
  return { workloads, folder: join(root, "ledger"), code: { version, commit: commitOf(root) } };
}

/** The short hash, with a plus when files differ from it. */
export function commitOf(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  try {
    const commit = git("rev-parse", "--short=12", "HEAD");
    const changed = git("status", "--porcelain", "-uno");
    return changed === "" ? commit : `${commit}+`;
  } catch {
    return "unknown";
  }
}

export type BookFile = "baseline.jsonl" | "records.jsonl";

/** B3. */
export function readBook({ folder }: LedgerBook, file: BookFile): readonly LedgerRecord[] {
  const path = join(folder, file);
  if (!existsSync(path)) return [];
  const parsed = parseRecords(readFileSync(path, "utf8"));
  if (!parsed.ok) throw new UsageError(`${path} cannot be read: ${parsed.error}`);
  return parsed.value;
}

/** B1. */
export function addToBook({ folder }: LedgerBook, file: BookFile, records: readonly LedgerRecord[]): void {
  const path = join(folder, file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  writeWhole(path, before + records.map(recordLine).join(""));
}

/** The exact records of these scenarios, all by default; null when the user stopped it. */
export async function measureAll(
  io: Io,
  book: LedgerBook,
  names: readonly string[],
  profile: string,
): Promise<readonly LedgerRecord[] | null> {
  const progress = new Progress(io);
  const known = book.workloads.map((one) => ({ ...one, name: one.scenario.name }));
  const chosen = pick("measured scenario", known, names);
  const records: LedgerRecord[] = [];
  for (const one of chosen) {
    progress.line(`${records.length} of ${chosen.length}: ${one.name}`, io.nowMs());
    await io.turn();
    if (io.interrupted()) break;
    const record = await measure(one, profile, book.code);
    if (!record.ok) throw new UsageError(`nothing is recorded: ${record.error}`);
    records.push(record.value);
  }
  progress.clear();
  return records.length === chosen.length ? records : null;
}
