/**
 * A campaign as the data of its page: the summary's figures, where faults struck, links to the runs that failed.
 *
 * Does not own what the page shows of it (`reports/campaign.ts`) nor the figures themselves.
 *
 *   K1  Links are from the page's own folder, so that the folder can be moved as a whole.
 *   K2  A statement comes from the first scenario that knows the invariant; all that do say the same.
 */
import { dirname, posix, relative, resolve } from "node:path";
import { CAMPAIGN_FORMAT, type CampaignData, type FaultPoints } from "../../reports/index.ts";
import { HARNESS_STATEMENTS, type Scenario } from "../../sim/index.ts";
import type { CampaignSummary } from "./campaign-result.ts";
import type { FailureRecord } from "./failure-report.ts";
import type { Io } from "./io.ts";
import { writeCampaignPage } from "./pages.ts";

/** Writes the page; answers its path from the user's folder, or null when it could not be written. */
export function reportCampaign(
  io: Io,
  path: string,
  summary: CampaignSummary,
  points: FaultPoints,
  again: string,
): string | null {
  const folder = dirname(resolve(io.folder, path));
  const link = (file: string): string =>
    relative(folder, resolve(io.folder, file)).replaceAll("\\", posix.sep);
  return writeCampaignPage(io, path, campaignData(summary, points, again, link));
}

function campaignData(
  summary: CampaignSummary,
  points: FaultPoints,
  again: string,
  link: (file: string) => string,
): CampaignData {
  const { report, scenarios, firstSeed, settings, wallMs, ended } = summary;
  const { tally } = report;
  return {
    format: CAMPAIGN_FORMAT,
    again,
    ended,
    firstSeed,
    fingerprint: tally.fingerprint,
    planted: settings.planted,
    runs: tally.runs,
    pinned: report.pinned,
    storeOps: tally.storeOps,
    events: tally.events,
    virtualMs: tally.virtualMs,
    wallMs,
    scenarios: scenarios.map(({ name, claim }) => ({ name, claim, leftOut: report.leftOut.includes(name) })),
    profiles: countsOf(tally.profiles),
    faults: countsOf(tally.faults),
    checks: countsOf(tally.checks).map((one) => ({ ...one, statement: statementOf(one.name, scenarios) })),
    points: points.data([...tally.faults.keys()]),
    failures: summary.failures.map((failure) => failureData(failure, link)),
    orders: [],
    matrix: null,
  };
}

function countsOf(counts: ReadonlyMap<string, number>) {
  return [...counts].map(([name, count]) => ({ name, count }));
}

function statementOf(name: string, scenarios: readonly Scenario[]): string | null {
  const known = scenarios
    .map((scenario) => scenario.invariants?.get(name))
    .find((text) => text !== undefined);
  return known ?? HARNESS_STATEMENTS.get(name) ?? null;
}

function failureData(failure: FailureRecord, link: (file: string) => string) {
  const { scenario, seed, invariant, message, replayFile, page } = failure;
  return {
    scenario,
    seed,
    invariant,
    message,
    replayFile: link(replayFile),
    page: page === null ? null : link(page),
  };
}
