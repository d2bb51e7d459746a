/**
 * What a campaign came to, as the one JSON object that `--json` prints: what the summary, JUnit, GitHub and `baton merge`
 * are made from.
 *
 *   K1  All of it is plain data, and all but `wallMs` and `ended` is a function of what was asked for and of the code.
 *   K2  A text that lacks anything that `baton merge` adds up is refused, not guessed at.
 *   K3  `points` are counts that add up; `neverFired` is made from them and from `faults`, again after each merge.
 */
import { faultPointsData, pointsCovered } from "../../../reports/index.ts";
import {
  type CampaignReport,
  HARNESS_INVARIANTS,
  type OutcomeKind,
  type Scenario,
  type ScenarioTally,
  type Shard,
} from "../../../sim/index.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../std/json.ts";
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
  /** Requests by their sort, and how often each kind of fault met them; null: not counted. */
  readonly points: Counts | null;
  /** Fault points that were passed while their kind was on, and never fired. */
  readonly neverFired: readonly string[];
  readonly byScenario: { readonly [name: string]: ScenarioTally };
  readonly failures: readonly FailureRecord[];
  readonly fingerprint: string;
  /** The seed of the first run of the whole campaign. */
  readonly seed: number;
  /** Runs of the whole campaign, all shards together; null: it was to end by time. */
  readonly asked: number | null;
  readonly scenarios: readonly string[];
  readonly strategy: string;
  /** What the user asked for; null: the scenario's own, and drawn. */
  readonly nodes: number | null;
  readonly profile: string | null;
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
  return withNeverFired({
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
    points: settings.points === true ? Object.fromEntries(tally.points) : null,
    neverFired: [],
    byScenario: Object.fromEntries(tally.scenarios),
    failures: summary.failures,
    fingerprint: tally.fingerprint,
    seed: summary.firstSeed,
    asked: summary.asked,
    scenarios: summary.scenarios.map((scenario) => scenario.name),
    strategy: settings.strategy,
    nodes: settings.nodes ?? null,
    profile: settings.profile ?? null,
    shard: shard === null ? null : `${shard.index + 1}/${shard.of}`,
    pinned: report.pinned,
    leftOut: report.leftOut,
    ended: summary.ended,
    twice: settings.twice,
    ...(settings.planted === null ? {} : { planted: settings.planted }),
  });
}

/** K3. */
export function withNeverFired(result: CampaignResult): CampaignResult {
  if (result.points === null) return { ...result, neverFired: [] };
  const { never } = pointsCovered(faultPointsData(result.points, Object.keys(result.faults)));
  return { ...result, neverFired: never };
}

/** How the runs ended that failed. */
export function kindsOf({ failures }: CampaignResult): readonly OutcomeKind[] {
  return failures.map(({ kind }) => kind);
}

/** The result in the text; null when it is none, or one of another version. */
export function parseResult(text: string): CampaignResult | null {
  const value = parseJson(text);
  if (!isJsonObject(value) || value.format !== RESULT_FORMAT) return null;
  const { asked, ended, fingerprint, nodes, planted, points, profile, shard, twice, version } = value;
  const counts = [value.runs, value.storeOps, value.events, value.wallMs, value.seed, value.pinned];
  const rules = [
    counts.every(isCount),
    typeof value.virtualMs === "number" && value.virtualMs >= 0,
    typeof version === "string" && /^[0-9a-f]{16}$/.test(String(fingerprint)),
    [value.profiles, value.faults, value.checks].every(isCounts),
    points === null || isCounts(points),
    isJsonObject(value.byScenario) && Object.values(value.byScenario).every(isScenarioTally),
    Array.isArray(value.failures) && value.failures.every(isFailure),
    isTexts(value.scenarios) && isTexts(value.leftOut) && typeof value.strategy === "string",
    shard === null || isShard(String(shard)),
    asked === null || isCount(asked),
    nodes === null || isCount(nodes),
    profile === null || typeof profile === "string",
    planted === undefined || typeof planted === "string",
    typeof twice === "boolean" && ["done", "time", "interrupted"].includes(String(ended)),
  ];
  return rules.every(Boolean) && isResult(value) ? value : null;
}

/** The fields were looked at one by one. */
function isResult(value: unknown): value is CampaignResult {
  return typeof value === "object";
}

function isCount(value: Json | undefined): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isCounts(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.values(value).every(isCount);
}

function isShard(text: string): boolean {
  const [nth = 0, of = 0] = /^\d{1,4}\/\d{1,4}$/.test(text) ? text.split("/").map(Number) : [];
  return nth >= 1 && nth <= of;
}

function isScenarioTally(value: Json | undefined): boolean {
  return isJsonObject(value) && isCount(value.runs) && isCount(value.failures);
}

const FAILED: readonly string[] = ["violation", ...Object.keys(HARNESS_INVARIANTS)];

function isFailure(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { scenario, seed, kind, invariant, message, page, profile, replayFile, fingerprint } = value;
  const texts = [scenario, kind, invariant, message, profile, replayFile, fingerprint];
  return (
    texts.every((text) => typeof text === "string") &&
    FAILED.includes(String(kind)) &&
    (seed === null || isCount(seed)) &&
    (page === null || typeof page === "string") &&
    hasParts(value)
  );
}

function hasParts({ faults, invariants, shrunk }: JsonObject): boolean {
  if (!isTexts(faults) || !isTexts(invariants)) return false;
  return shrunk === null || (isJsonObject(shrunk) && typeof shrunk.replayFile === "string");
}

function isTexts(value: Json | undefined): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
