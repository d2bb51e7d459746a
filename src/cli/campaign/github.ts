/**
 * What a campaign tells GitHub Actions: an annotation for each failure, a summary page of the job, and the paths to
 * keep as artifacts.
 *
 * Owns the texts and their escaping. Does not own where they go: annotations go to standard error, which the runner
 * reads as it reads standard output; the rest goes to the files that the runner names.
 *
 *   H1  Nothing that a message holds can end an annotation or begin another one, nor break the summary's table.
 */

import { clip, grouped, spell } from "../terminal/table.ts";
import type { CampaignResult } from "./campaign-result.ts";
import type { FailureRecord } from "./failure-report.ts";

/** Longer tables help nobody. */
const MOST_ROWS = 50;

/** One line for each failure. */
export function annotations(failures: readonly FailureRecord[]): string {
  return failures
    .map(({ scenario, seed, invariant, message, replayFile }) => {
      const run = seed === null ? replayFile : `seed ${seed}`;
      const title = property(`${scenario}, ${run}: ${invariant}`);
      return `::error title=${title}::${data(`${message}\nagain: npx baton replay ${replayFile}`)}\n`;
    })
    .join("");
}

/** The summary page, in Markdown. */
export function jobSummary(result: CampaignResult): string {
  const { failures } = result;
  const verdict = failures.length === 0 ? "✅ no failure" : `❌ ${failures.length} failed`;
  const part = result.shard === null ? "" : `, shard ${result.shard}`;
  const figures = [
    `${grouped(result.runs)} runs`,
    `${grouped(result.storeOps)} store operations`,
    spell(result.wallMs),
    `seeds from ${result.seed}`,
    `fingerprint \`${result.fingerprint}\``,
  ];
  const head = `### baton sim${part}: ${verdict}\n\n${figures.join(" · ")}\n`;
  if (failures.length === 0) return `${head}\n`;
  const rows = failures.slice(0, MOST_ROWS).map(row);
  const more = failures.length - rows.length;
  const rest = more > 0 ? `\n… and ${more} more\n` : "";
  const titles = "| scenario | seed | broken | message | replay file |\n| --- | --- | --- | --- | --- |\n";
  return `${head}\n${titles}${rows.join("")}${rest}\n`;
}

/** The paths, under a name that later steps of the job can use. */
export function artifactOutput(paths: readonly string[]): string {
  return `artifacts<<END_OF_ARTIFACTS\n${paths.map((path) => path.replaceAll(/[\r\n]/g, " ")).join("\n")}\nEND_OF_ARTIFACTS\n`;
}

function row({ scenario, seed, invariant, message, replayFile, shrunk }: FailureRecord): string {
  const files = shrunk === null ? `\`${replayFile}\`` : `\`${replayFile}\`, \`${shrunk.replayFile}\``;
  const cells = [scenario, String(seed ?? ""), invariant, cell(clip(message, 300)), files];
  return `| ${cells.join(" | ")} |\n`;
}

function cell(text: string): string {
  return text.replaceAll(/[\\|`*_<>[\]]/g, "\\$&");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
