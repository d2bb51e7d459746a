/**
 * What a campaign came to, as the one JSON object that `--json` prints: what the summary, JUnit, GitHub and `baton merge`
 * are made from.
 *
 *   K1  All of it is plain data, and all but `wallMs` and `ended` is a function of what was asked for and of the code.
 *   K2  A text that lacks anything that `baton merge` adds up is refused, not guessed at.
 */
import type { CampaignReport, OutcomeKind, Scenario, ScenarioTally, Shard } from "../../sim/index.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../std/json.ts";
import type { FailureRecord } from "./failure-report.ts";
import type { RunSettings } from "./run-settings.ts";

export const RESULT_FORMAT = "baton.campaign.v1";

type Counts = { readonly [name: string]: number };

export interface CampaignResult {
  readonly format: typeof RESULT_FORMAT;
  readonly version: string;
  readonly runs: number;
  readonly storeOps: number;
  readonly events: number;
  readonly virtualMs: number;
  readonly wallMs: number;
  /** Runs over each store profile. */
  readonly profiles: Counts;
  readonly faults: Counts;
  readonly checks: Counts;
  readonly byScenario: { readonly [name: string]: ScenarioTally };
  readonly failures: readonly FailureRecord[];
  readonly fingerprint: string;
  /** The seed of the first run of the whole campaign. */
  readonly seed: number;
  /** Runs of the whole campaign, all shards together; null: it was to end by time. */
  readonly asked: number | null;
  readonly scenarios: readonly string[];
  readonly strategy: string;
  /** The part that was made here, as `2/5`; null: all of it. */
  readonly shard: string | null;
  readonly pinned: number;
  readonly leftOut: readonly string[];
  readonly ended: "done" | "time" | "interrupted";
  /** Each run was made twice and compared. */
  readonly twice: boolean;
  readonly planted?: string;
}

/** What a campaign is told with. */
export interface CampaignSummary {
  readonly report: CampaignReport;
  readonly scenarios: readonly Scenario[];
  readonly settings: RunSettings;
  readonly firstSeed: number;
  readonly asked: number | null;
  readonly shard: Shard | null;
  readonly failures: readonly FailureRecord[];
  readonly wallMs: number;
  readonly ended: CampaignResult["ended"];
}

export function resultOf(summary: CampaignSummary): CampaignResult {
  const { report, settings, shard } = summary;
  const { tally } = report;
  return {
    format: RESULT_FORMAT,
    version: settings.version,
    runs: tally.runs,
    storeOps: tally.storeOps,
    events: tally.events,
    virtualMs: tally.virtualMs,
    wallMs: Math.round(summary.wallMs),
    profiles: Object.fromEntries(tally.profiles),
    faults: Object.fromEntries(tally.faults),
    checks: Object.fromEntries(tally.checks),
    byScenario: Object.fromEntries(tally.scenarios),
    failures: summary.failures,
    fingerprint: tally.fingerprint,
    seed: summary.firstSeed,
    asked: summary.asked,
    scenarios: summary.scenarios.map((scenario) => scenario.name),
    strategy: settings.strategy,
    shard: shard === null ? null : `${shard.index + 1}/${shard.of}`,
    pinned: report.pinned,
    leftOut: report.leftOut,
    ended: summary.ended,
    twice: settings.twice,
    ...(settings.planted === null ? {} : { planted: settings.planted }),
  };
}

/** How the runs ended that failed. */
export function kindsOf({ failures }: CampaignResult): readonly OutcomeKind[] {
  return failures.map(({ kind }) => kind);
}

/** The result in the text; null when it is none, or one of another version. */
export function parseResult(text: string): CampaignResult | null {
  const value = parseJson(text);
  if (!isJsonObject(value) || value.format !== RESULT_FORMAT) return null;
  const numbers = [value.runs, value.storeOps, value.events, value.virtualMs, value.wallMs, value.seed];
  if (!numbers.every((n) => typeof n === "number") || typeof value.pinned !== "number") return null;
  if (typeof value.version !== "string" || !/^[0-9a-f]{16}$/.test(String(value.fingerprint))) return null;
  if (![value.profiles, value.faults, value.checks].every(isCounts)) return null;
  if (!isJsonObject(value.byScenario) || !Object.values(value.byScenario).every(isScenarioTally)) return null;
  if (!Array.isArray(value.failures) || !value.failures.every(isFailure)) return null;
  if (!isTexts(value.scenarios) || !isTexts(value.leftOut) || typeof value.strategy !== "string") return null;
  if (value.shard !== null && !/^\d+\/\d+$/.test(String(value.shard))) return null;
  return isResult(value) ? value : null;
}

/** The fields were looked at one by one. */
function isResult(value: unknown): value is CampaignResult {
  return typeof value === "object";
}

function isCounts(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every((n) => typeof n === "number");
}

function isScenarioTally(value: Json | undefined): boolean {
  return isJsonObject(value) && typeof value.runs === "number" && typeof value.failures === "number";
}

function isFailure(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { scenario, seed, kind, invariant, message, replayFile } = value;
  const texts = [scenario, kind, invariant, message, replayFile];
  return (
    texts.every((text) => typeof text === "string") &&
    (seed === null || typeof seed === "number") &&
    hasParts(value)
  );
}

function hasParts(value: JsonObject): boolean {
  return isTexts(value.invariants) && (value.shrunk === null || isJsonObject(value.shrunk));
}

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
