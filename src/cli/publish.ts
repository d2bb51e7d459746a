/**
 * Where a campaign's result goes besides standard output: a JUnit file, and GitHub Actions when it runs there.
 *
 *   U1  Nothing here changes the exit code. A file that cannot be written is said so on standard error.
 */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CampaignResult } from "./campaign-result.ts";
import { annotations, artifactOutput, jobSummary } from "./github.ts";
import type { Io } from "./io.ts";
import { junitXml } from "./junit.ts";

/** `junit` is the path that the user gave. */
export function publish(io: Io, result: CampaignResult, junit: string | undefined): void {
  if (junit !== undefined) write(io, junit, junitXml(result));
  if (io.github === null) return;
  io.err(annotations(result.failures));
  const { summaryFile, outputFile } = io.github;
  if (summaryFile !== null) append(io, summaryFile, jobSummary(result));
  if (outputFile !== null) append(io, outputFile, artifactOutput(artifactsOf(result, junit)));
}

/** Every file that the campaign wrote. */
function artifactsOf({ failures }: CampaignResult, junit: string | undefined): readonly string[] {
  const files = failures.flatMap(({ replayFile, page, shrunk }) => [
    replayFile,
    ...(page === null ? [] : [page]),
    ...(shrunk === null ? [] : [shrunk.replayFile]),
  ]);
  return junit === undefined ? files : [...files, junit];
}

function write(io: Io, path: string, text: string): void {
  const absolute = resolve(io.folder, path);
  attempt(io, path, () => {
    mkdirSync(dirname(absolute), { recursive: true });
    writeFileSync(absolute, text);
  });
}

function append(io: Io, path: string, text: string): void {
  attempt(io, path, () => appendFileSync(path, text));
}

function attempt(io: Io, path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    io.err(`note: ${path} cannot be written: ${String(error)}\n`);
  }
}
