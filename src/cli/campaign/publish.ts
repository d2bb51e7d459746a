/**
 * Where a campaign's result goes besides standard output: its page, a JUnit file, and GitHub Actions when it runs there.
 *
 *   U1  What the user named was looked at before the runs. What cannot be written all the same is said on standard
 *       error and answered, for it is missing where somebody will look for it. What GitHub cannot be told is only said.
 */
import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Scenario } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { reasonOf, writeWhole } from "../terminal/write-file.ts";
import { reportCampaign } from "./campaign-report.ts";
import type { CampaignResult } from "./campaign-result.ts";
import { annotations, artifactOutput, jobSummary } from "./github.ts";
import { junitXml } from "./junit.ts";
import type { Searches } from "./with-files.ts";

/** What the user asked for, as paths, and what the page needs. */
export interface Publication {
  readonly junit: string | undefined;
  readonly report: string | undefined;
  readonly catalog: readonly Scenario[];
  readonly searches: Searches;
}

/** Whether everything that the user named could be written (U1). */
export function publish(io: Io, result: CampaignResult, asked: Publication): boolean {
  const { junit, report, catalog, searches } = asked;
  const page = report === undefined ? null : reportCampaign(io, report, result, catalog, searches);
  if (page !== null) io.err(`page: ${page}\n`);
  const wrote =
    junit === undefined || attempt(io, junit, () => writeWhole(resolve(io.folder, junit), junitXml(result)));
  if (io.github !== null) tellGithub(io, result, junit, page);
  return wrote && (report === undefined || page !== null);
}

function tellGithub(io: Io, result: CampaignResult, junit: string | undefined, page: string | null): void {
  io.err(annotations(result.failures));
  const { summaryFile, outputFile } = io.github ?? { summaryFile: null, outputFile: null };
  const append = (path: string, text: string) => attempt(io, path, () => appendFileSync(path, text));
  if (summaryFile !== null) append(summaryFile, jobSummary(result));
  if (outputFile !== null) append(outputFile, artifactOutput(artifactsOf(result, junit, page)));
}

/** Every file that the campaign wrote. */
function artifactsOf({ failures }: CampaignResult, junit: string | undefined, page: string | null) {
  const files = failures.flatMap(({ replayFile, page, shrunk }) => [
    replayFile,
    ...(page === null ? [] : [page]),
    ...(shrunk === null ? [] : [shrunk.replayFile, ...(shrunk.page === null ? [] : [shrunk.page])]),
  ]);
  return [...files, ...(junit === undefined ? [] : [junit]), ...(page === null ? [] : [page])];
}

function attempt(io: Io, path: string, act: () => void): boolean {
  try {
    act();
    return true;
  } catch (error) {
    io.err(`error: ${path} cannot be written: ${reasonOf(error)}\n`);
    return false;
  }
}
