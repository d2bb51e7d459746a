/**
 * A failed run, told to a person: what is broken, the last events, how to see it again; and kept as a file.
 *
 * Owns the words and the replay file's contents. Does not own exit codes.
 */
import { join, relative } from "node:path";
import { createColors } from "picocolors";
import {
  brokenInvariants,
  describeOutcome,
  type Failure,
  HARNESS_STATEMENTS,
  type Outcome,
  type OutcomeKind,
  type ReplayFile,
  type RunResult,
  type Scenario,
  type ShrinkSummary,
  sourcePlace,
  type Violation,
  writeReplay,
} from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { writeRunPage } from "../pages/pages.ts";
import { clip } from "../terminal/table.ts";
import { makeFolders } from "../terminal/write-file.ts";
import { eventsTable } from "./events-table.ts";
import { type RunSettings, settingsWords } from "./run-settings.ts";

/** One failure as `--json` tells it. */
export interface FailureRecord {
  readonly scenario: string;
  readonly seed: number | null;
  /** How it ended. */
  readonly kind: OutcomeKind;
  readonly invariant: string;
  readonly message: string;
  /** The store's profile. */
  readonly profile: string;
  /** The kinds of faults that were on in this run. */
  readonly faults: readonly string[];
  /** From the folder where the command was given. */
  readonly replayFile: string;
  /** The page that shows the run, from the same folder; null: it could not be written. */
  readonly page: string | null;
  readonly fingerprint: string;
  /** Everything that is broken in this run, `invariant` in front. */
  readonly invariants: readonly string[];
  /** The run that was made smaller; null: it was not. */
  readonly shrunk: ShrunkRecord | null;
}

/** A shrunken run as `--json` tells it. */
export interface ShrunkRecord {
  readonly replayFile: string;
  /** The page that shows it beside the run that it came from. */
  readonly page: string | null;
  /** Choices that are not the plainest, before and after. */
  readonly before: number;
  readonly after: number;
}

/** Writes the replay file under `reports/` and the run's page beside it, and answers the record. */
export function keepFailure(io: Io, failure: Failure, settings: RunSettings): FailureRecord {
  const { scenario, seed, result } = failure;
  const invariants = brokenInvariants(result.outcome);
  const message = plainMessage(result.outcome);
  const { profile, kinds } = result.stats;
  makeFolders(join(io.folder, "reports"));
  const path = writeReplay(join(io.folder, "reports"), replayFileOf(seed, result, settings, null));
  const record = {
    scenario: scenario.name,
    seed,
    kind: result.outcome.kind,
    invariant: invariants[0] ?? "unknown",
    message,
    profile,
    faults: kinds,
    replayFile: relative(io.folder, path),
    fingerprint: result.fingerprint,
    invariants,
    shrunk: null,
  };
  const again = commandOf(record, settings, failure.pinned !== null);
  const shown = { name: "original", scenario, seed, planted: settings.planted, result, again };
  return { ...record, page: writeRunPage(io, path.replace(/\.json$/, ".html"), [shown]) };
}

/** The run as it is kept. */
export function replayFileOf(
  seed: number | null,
  result: RunResult,
  settings: RunSettings,
  shrunk: ShrinkSummary | null,
): ReplayFile {
  const { outcome, stats } = result;
  return {
    harness: settings.version,
    engine: settings.version,
    scenario: result.scenario,
    options: result.configuration,
    strategy: settings.strategy,
    planted: settings.planted,
    seed,
    draws: result.draws(),
    marks: result.marks,
    fingerprint: result.fingerprint,
    outcome: {
      kind: outcome.kind,
      invariants: brokenInvariants(outcome),
      message: plainMessage(outcome),
      profile: stats.profile,
      faults: [...stats.kinds],
    },
    shrunk,
  };
}

/** The failure in several lines; `again` is the command that shows it once more. */
export function tellFailure(
  io: Io,
  failure: Failure,
  record: FailureRecord | null,
  again: string | null,
): string {
  const { outcome } = failure.result;
  const colors = createColors(io.colored);
  const lines = [colors.bold(colors.red(headline(failure))), conditions(failure)];
  lines.push(...tellOutcome(outcome, failure.scenario));
  if (outcome.kind !== "escape" && outcome.kind !== "divergence") {
    lines.push(indent(eventsTable(failure.result.history, leading(outcome))));
  }
  if (again !== null) lines.push(`  again: ${colors.cyan(again)}`);
  if (record !== null) lines.push(`  file:  ${record.replayFile}`);
  if (record !== null && record.page !== null) lines.push(`  page:  ${record.page}`);
  return `${lines.join("\n")}\n`;
}

/** The one command that makes the run again. */
export function commandOf(
  record: Pick<FailureRecord, "scenario" | "seed" | "replayFile">,
  settings: RunSettings,
  pinned: boolean,
): string {
  if (pinned || record.seed === null) return `npx baton replay ${record.replayFile}`;
  const run = ["--scenario", record.scenario, "--seed", String(record.seed)];
  return ["npx baton replay", ...run, ...settingsWords(settings)].join(" ");
}

function headline(failure: Failure): string {
  const from = failure.seed === null ? "recorded draws" : `seed ${failure.seed}`;
  const pinned = failure.pinned === null ? "" : `, pinned as ${failure.pinned}`;
  const names = brokenInvariants(failure.result.outcome).join(", ");
  return `FAILED ${failure.scenario.name}, ${from}${pinned}: ${names}`;
}

/** What the seed alone does not say to a person: over which store, and which kinds of faults were on. */
function conditions({ result }: Failure): string {
  const { profile, kinds } = result.stats;
  return `  store ${profile}; faults on: ${kinds.join(", ") || "none"}`;
}

/** What is broken, in words, and what shows it. */
function tellOutcome(outcome: Outcome, scenario: Scenario): string[] {
  const lines: string[] = [];
  for (const name of brokenInvariants(outcome)) {
    const statement = scenario.invariants?.get(name) ?? HARNESS_STATEMENTS.get(name);
    if (statement !== undefined) lines.push(`  ${name}: ${statement}`);
  }
  lines.push(`  ${plainMessage(outcome)}`);
  if (outcome.kind === "divergence") {
    lines.push(`    recorded: ${outcome.recorded}`, `    now:      ${outcome.now}`);
  }
  if (outcome.kind === "crash") {
    for (const frame of outcome.stack.split("\n").slice(0, 6)) lines.push(`    ${sourcePlace(frame.trim())}`);
  }
  for (const violation of violationsOf(outcome).slice(outcome.kind === "violation" ? 1 : 0, 5)) {
    lines.push(`  also ${violation.invariant}: ${clip(violation.message, 200)}`);
  }
  return lines;
}

export function plainMessage(outcome: Outcome): string {
  if (outcome.kind === "escape") return describeOutcome({ ...outcome, where: sourcePlace(outcome.where) });
  if (outcome.kind === "divergence") return `the run differs from the recorded one at step ${outcome.step}`;
  return describeOutcome(outcome);
}

function violationsOf(outcome: Outcome): readonly Violation[] {
  return outcome.kind === "violation" || outcome.kind === "no-progress" ? outcome.violations : [];
}

/** What the table of events is about. */
function leading(outcome: Outcome): Violation | null {
  const found = violationsOf(outcome);
  if (outcome.kind === "crash") {
    return { invariant: "crash", message: outcome.error, key: outcome.process, atMs: null };
  }
  return found.find((violation) => violation.key !== null) ?? found[0] ?? null;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
