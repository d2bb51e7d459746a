/**
 * What a campaign was, at its end: for a person in lines, for a program as one JSON object.
 */
import { createColors } from "picocolors";
import type { CampaignReport, Scenario } from "../../sim/index.ts";
import type { FailureRecord } from "./failure-report.ts";
import type { Io } from "./io.ts";
import { grouped, spell, table } from "./table.ts";

/** Everything that a summary tells. */
export interface CampaignSummary {
  readonly report: CampaignReport;
  readonly scenarios: readonly Scenario[];
  readonly firstSeed: number;
  readonly planted: string | null;
  readonly failures: readonly FailureRecord[];
  readonly wallMs: number;
  readonly ended: "done" | "time" | "interrupted";
  /** Whether each run was made twice and compared. */
  readonly twice: boolean;
}

/** One JSON object on one line. */
export function jsonSummary(summary: CampaignSummary): string {
  const { report, wallMs } = summary;
  const { tally } = report;
  const value = {
    runs: tally.runs,
    storeOps: tally.storeOps,
    events: tally.events,
    virtualMs: tally.virtualMs,
    wallMs: Math.round(wallMs),
    profiles: Object.fromEntries(tally.profiles),
    faults: Object.fromEntries(tally.faults),
    checks: Object.fromEntries(tally.checks),
    failures: summary.failures,
    fingerprint: tally.fingerprint,
    seed: summary.firstSeed,
    scenarios: summary.scenarios.map((scenario) => scenario.name),
    pinned: report.pinned,
    leftOut: report.leftOut,
    ended: summary.ended,
    ...(summary.planted === null ? {} : { planted: summary.planted }),
  };
  return `${JSON.stringify(value)}\n`;
}

/** The summary in lines. */
export function textSummary(io: Io, summary: CampaignSummary): string {
  const { report, wallMs } = summary;
  const { tally } = report;
  const seconds = Math.max(wallMs, 1) / 1_000;
  const sent = summary.twice ? 2 : 1;
  const rows = [
    ["runs", `${grouped(tally.runs)} of ${scenariosOf(summary)}, seeds from ${summary.firstSeed}`],
    ["pinned runs", grouped(report.pinned)],
    ["store operations", grouped(tally.storeOps)],
    ["events", grouped(tally.events)],
    ["virtual time", spell(tally.virtualMs)],
    ["real time", spell(wallMs)],
    [
      "speed",
      `${grouped((tally.runs * sent) / seconds)} runs/s, ${grouped((tally.storeOps * sent) / seconds)} store operations/s`,
    ],
    ["store profiles", [...tally.profiles].map(([name, n]) => `${name} ${grouped(n)}`).join(", ")],
    ["fingerprint", tally.fingerprint],
  ];
  if (summary.planted !== null) rows.push(["planted bug", summary.planted]);
  if (summary.twice) rows.push(["determinism", "each run was made twice and compared step by step"]);
  const parts = [
    table(rows, ""),
    `faults injected\n${table(counts(tally.faults))}`,
    `facts checked\n${table(counts(tally.checks))}`,
  ];
  return `${parts.join("\n")}\n${verdict(io, summary)}\n`;
}

function scenariosOf(summary: CampaignSummary): string {
  const [only] = summary.scenarios;
  return summary.scenarios.length === 1 && only ? only.name : `${summary.scenarios.length} scenarios`;
}

function counts(map: ReadonlyMap<string, number>): (readonly string[])[] {
  const width = Math.max(0, ...[...map.values()].map((n) => grouped(n).length));
  const rows = [...map].map(([name, n]) => [name, grouped(n).padStart(width)]);
  return rows.length === 0 ? [["none", ""]] : rows;
}

function verdict(io: Io, summary: CampaignSummary): string {
  const { failures, report } = summary;
  const lines: string[] = [];
  if (summary.ended === "interrupted") lines.push("stopped by Ctrl-C");
  for (const name of report.leftOut) lines.push(`${name} failed often enough and was left out after that`);
  const colors = createColors(io.colored);
  lines.push(failures.length === 0 ? colors.green("no failure") : colors.red(failureLine(failures)));
  return lines.join("\n");
}

function failureLine(failures: readonly FailureRecord[]): string {
  const names = [...new Set(failures.map((failure) => failure.invariant))].join(", ");
  return `${failures.length} ${failures.length === 1 ? "run" : "runs"} failed: ${names}`;
}
