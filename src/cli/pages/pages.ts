/**
 * Pages on disk: a run, or a run beside its shrunken form, and a campaign, written for people to open.
 *
 * Owns what a page is told about a run: the verdict in words, and how to make the run again. Does not own how a page
 * looks; that is `reports`.
 *
 *   G1  A page appears under its name only when it is complete.
 *   G2  A page that cannot be written costs nothing else: the failure is told all the same, with the reason.
 */
import { relative, resolve } from "node:path";
import {
  type CampaignData,
  type FindingData,
  REPORT_FORMAT,
  recordRun,
  renderCampaign,
  renderSpaceTime,
  type VerdictData,
} from "../../../reports/index.ts";
import {
  brokenInvariants,
  describeOutcome,
  HARNESS_STATEMENTS,
  type Outcome,
  type RunResult,
  type Scenario,
} from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { reasonOf, writeWhole } from "../terminal/write-file.ts";
import { pageAssets } from "./page-assets.ts";

/** A run to show. */
export interface ShownRun {
  /** What tells it from others on its page: `original`, `shrunken`. */
  readonly name: string;
  readonly scenario: Scenario;
  readonly seed: number | null;
  readonly planted: string | null;
  readonly result: RunResult;
  /** The command that makes it again. */
  readonly again: string;
}

/** Writes the runs' page; answers its path from the user's folder, or null when it could not be written (G2). */
export function writeRunPage(io: Io, path: string, runs: readonly ShownRun[]): string | null {
  return writePage(io, path, () =>
    renderSpaceTime({ format: REPORT_FORMAT, runs: runs.map(runData) }, pageAssets()),
  );
}

/** Writes the campaign's page; answers as above. */
export function writeCampaignPage(io: Io, path: string, data: CampaignData): string | null {
  return writePage(io, path, () => renderCampaign(data, pageAssets()));
}

/** Writes what is rendered (G1, G2). */
export function writePage(io: Io, path: string, render: () => string): string | null {
  const absolute = resolve(io.folder, path);
  const shown = relative(io.folder, absolute) || path;
  try {
    writeWhole(absolute, render());
    return shown;
  } catch (error) {
    io.err(`note: the page ${shown} could not be written: ${reasonOf(error)}\n`);
    return null;
  }
}

function runData({ name, scenario, seed, planted, result, again }: ShownRun) {
  const origin = {
    scenario: scenario.name,
    claim: scenario.claim,
    seed,
    planted,
    fingerprint: result.fingerprint,
    draws: result.draws().length,
    facts: factsOf(result),
    again,
  };
  return recordRun(name, origin, verdictOf(result, scenario), result.history);
}

function factsOf({ stats }: RunResult): readonly (readonly [string, string])[] {
  return [
    ["store profile", stats.profile],
    ["faults that were on", stats.kinds.map((kind) => kind.replace(/-.*/, "")).join(" ") || "none"],
  ];
}

function verdictOf(result: RunResult, scenario: Scenario): VerdictData {
  const { outcome, history } = result;
  const statementOf = (invariant: string): string | null =>
    scenario.invariants?.get(invariant) ?? HARNESS_STATEMENTS.get(invariant) ?? null;
  const findings = [
    ...harnessFindings(outcome, history.endedAtMs),
    ...violationsOf(outcome).map(({ invariant, message, key, atMs }) => ({ invariant, message, key, atMs })),
  ].map((finding): FindingData => ({ ...finding, statement: statementOf(finding.invariant) }));
  return { kind: outcome.kind, message: describeOutcome(outcome), findings };
}

/** What the harness itself found, at the time when the run ended by it. */
function harnessFindings(outcome: Outcome, endedAtMs: number): readonly Omit<FindingData, "statement">[] {
  if (outcome.kind === "pass" || outcome.kind === "violation") return [];
  const [invariant] = brokenInvariants(outcome);
  if (invariant === undefined) return [];
  const key = outcome.kind === "crash" ? outcome.process : null;
  return [{ invariant, message: describeOutcome(outcome), key, atMs: endedAtMs }];
}

function violationsOf(outcome: Outcome) {
  return outcome.kind === "violation" || outcome.kind === "no-progress" ? outcome.violations : [];
}
