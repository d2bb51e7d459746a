/**
 * What a campaign was, at its end, for a person: in lines.
 *
 * Owns the words and the order of the lines. Everything in them is in the result that `--json` prints; a campaign that
 * was merged from its shards is told in the same way.
 */
import { createColors } from "picocolors";
import type { Io } from "../io.ts";
import { grouped, spell, table } from "../terminal/table.ts";
import type { CampaignResult } from "./campaign-result.ts";
import type { FailureRecord } from "./failure-report.ts";

/** The summary in lines. */
export function textSummary(io: Io, result: CampaignResult): string {
  const seconds = Math.max(result.wallMs, 1) / 1_000;
  const sent = result.twice ? 2 : 1;
  const part = result.shard === null ? "" : `, shard ${result.shard} of them`;
  const rows = [
    ["runs", `${grouped(result.runs)} of ${scenariosOf(result)}, seeds from ${result.seed}${part}`],
    ["pinned runs", grouped(result.pinned)],
    ["store operations", grouped(result.storeOps)],
    ["events", grouped(result.events)],
    ["virtual time", spell(result.virtualMs)],
    ["real time", spell(result.wallMs)],
    [
      "speed",
      `${grouped((result.runs * sent) / seconds)} runs/s, ${grouped((result.storeOps * sent) / seconds)} store operations/s`,
    ],
    ["strategy", result.strategy],
    [
      "store profiles",
      Object.entries(result.profiles)
        .map(([name, n]) => `${name} ${grouped(n)}`)
        .join(", "),
    ],
    ["fingerprint", result.fingerprint],
  ];
  if (result.planted !== undefined) rows.push(["planted bug", result.planted]);
  if (result.twice) rows.push(["determinism", "each run was made twice and compared step by step"]);
  const parts = [
    table(rows, ""),
    `faults injected\n${table(counts(result.faults))}`,
    `facts checked\n${table(counts(result.checks))}`,
  ];
  return `${parts.join("\n")}\n${verdict(io, result)}\n`;
}

function scenariosOf({ scenarios }: CampaignResult): string {
  const [only] = scenarios;
  return scenarios.length === 1 && only ? only : `${scenarios.length} scenarios`;
}

function counts(of: CampaignResult["faults"]): (readonly string[])[] {
  const width = Math.max(0, ...Object.values(of).map((n) => grouped(n).length));
  const rows = Object.entries(of).map(([name, n]) => [name, grouped(n).padStart(width)]);
  return rows.length === 0 ? [["none", ""]] : rows;
}

function verdict(io: Io, result: CampaignResult): string {
  const { failures, leftOut } = result;
  const lines: string[] = [];
  if (result.ended === "interrupted") lines.push("stopped by Ctrl-C");
  for (const name of leftOut) lines.push(`${name} failed often enough and was left out after that`);
  const colors = createColors(io.colored);
  lines.push(failures.length === 0 ? colors.green("no failure") : colors.red(failureLine(failures)));
  return lines.join("\n");
}

function failureLine(failures: readonly FailureRecord[]): string {
  const names = [...new Set(failures.map((failure) => failure.invariant))].join(", ");
  return `${failures.length} ${failures.length === 1 ? "run" : "runs"} failed: ${names}`;
}
