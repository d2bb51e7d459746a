/**
 * A campaign as the data of its page: the result's figures, where faults struck, links to the runs that failed, and what
 * was searched beside it.
 *
 * Does not own what the page shows of it (`reports/campaign.ts`) nor the figures themselves. A campaign that was merged
 * from its shards is shown in the same way.
 *
 *   K1  Links are from the page's own folder, so that the folder can be moved as a whole; what is not there is no link.
 *   K2  A statement comes from the first scenario that knows the invariant; all that do say the same.
 */
import { existsSync } from "node:fs";
import { dirname, posix, relative, resolve } from "node:path";
import { CAMPAIGN_FORMAT, type CampaignData, faultPointsData } from "../../../reports/index.ts";
import { HARNESS_STATEMENTS, type Scenario } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { writeCampaignPage } from "../pages/pages.ts";
import type { CampaignResult } from "./campaign-result.ts";
import type { FailureRecord } from "./failure-report.ts";
import { settingsWords } from "./run-settings.ts";
import type { Searches } from "./with-files.ts";

/** Writes the page; answers its path from the user's folder, or null when it could not be written. */
export function reportCampaign(
  io: Io,
  path: string,
  result: CampaignResult,
  catalog: readonly Scenario[],
  searches: Searches,
): string | null {
  const folder = dirname(resolve(io.folder, path));
  const link = (file: string | null): string | null => {
    if (file === null || !existsSync(resolve(io.folder, file))) return null;
    return relative(folder, resolve(io.folder, file)).replaceAll("\\", posix.sep);
  };
  return writeCampaignPage(io, path, { ...campaignData(result, catalog, link), ...searches });
}

function campaignData(
  result: CampaignResult,
  catalog: readonly Scenario[],
  link: (file: string | null) => string | null,
): Omit<CampaignData, keyof Searches> {
  const { runs, pinned, storeOps, events, virtualMs, wallMs, ended, fingerprint, points } = result;
  const scenarios = result.scenarios.map((name) => ({
    name,
    claim: catalog.find((scenario) => scenario.name === name)?.claim ?? "",
    leftOut: result.leftOut.includes(name),
  }));
  return {
    format: CAMPAIGN_FORMAT,
    again: againOf(result, catalog),
    ended,
    firstSeed: result.seed,
    fingerprint,
    planted: result.planted ?? null,
    runs,
    pinned,
    storeOps,
    events,
    virtualMs,
    wallMs,
    scenarios,
    profiles: countsOf(result.profiles),
    faults: countsOf(result.faults),
    checks: countsOf(result.checks).map((one) => ({ ...one, statement: statementOf(one.name, catalog) })),
    points: points === null ? null : faultPointsData(points, Object.keys(result.faults)),
    failures: result.failures.map((failure) => failureData(failure, link)),
  };
}

/** The command that makes the same runs again; of a campaign that was stopped, the runs that it came to. */
function againOf(result: CampaignResult, catalog: readonly Scenario[]): string {
  const { scenarios, seed, asked, runs, shard, twice, ended } = result;
  const isWhole = catalog.length === scenarios.length;
  const of = Number(shard?.split("/")[1] ?? 1);
  const seeds = asked !== null && ended === "done" ? asked : runs * of;
  const words = [
    ...(isWhole ? [] : scenarios),
    ...["--seed", String(seed), "--seeds", String(seeds)],
    ...(shard === null ? [] : ["--shard", shard]),
    ...(twice ? ["--check-determinism"] : []),
    ...settingsWords({
      nodes: result.nodes ?? undefined,
      profile: result.profile ?? undefined,
      strategy: result.strategy,
      planted: result.planted ?? null,
    }),
  ];
  return ["npx baton sim", ...words].join(" ");
}

function countsOf(counts: CampaignResult["faults"]) {
  return Object.entries(counts).map(([name, count]) => ({ name, count }));
}

function statementOf(name: string, catalog: readonly Scenario[]): string | null {
  const known = catalog.map((scenario) => scenario.invariants?.get(name)).find((text) => text !== undefined);
  return known ?? HARNESS_STATEMENTS.get(name) ?? null;
}

function failureData(failure: FailureRecord, link: (file: string | null) => string | null) {
  const { scenario, seed, invariant, message, replayFile, page } = failure;
  return { scenario, seed, invariant, message, replayFile: link(replayFile), page: link(page) };
}
