/**
 * `baton merge`: the results of a campaign's shards, added up to the result of the whole.
 *
 *   X1  Only parts of one campaign are added: the same version, seed, number of runs, scenarios, strategy, nodes,
 *       profile and planted bug, each shard exactly once. Anything else is a usage error, so that a part that is missing is seen.
 *   X2  The fingerprint is that of one campaign with the same runs: the fingerprints of the parts add up (T1).
 *       What the parts leave out (their own order of runs) is not needed for it.
 *   X3  Real time is that of the slowest part, which is how long the whole took side by side.
 *   X4  Where faults struck is told only when every part tells it.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { addFingerprints, FAULT_KINDS, type Scenario, type ScenarioTally } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import { UsageError } from "../terminal/arguments.ts";
import { EXIT, exitCodeOf } from "../terminal/exit-codes.ts";
import { checkOutputs, readReasonOf } from "../terminal/write-file.ts";
import { type CampaignResult, kindsOf, parseResult, withNeverFired } from "./campaign-result.ts";
import { publish } from "./publish.ts";
import { textSummary } from "./summary.ts";
import { readSearches } from "./with-files.ts";

export interface MergeOptions {
  readonly json?: boolean;
  readonly junit?: string;
  readonly report?: string;
  readonly with?: readonly string[];
}

interface Part {
  readonly path: string;
  readonly result: CampaignResult;
}

/** Adds the results up; answers the exit code that one campaign would have had. */
export function mergeCommand(
  io: Io,
  catalog: readonly Scenario[],
  paths: readonly string[],
  options: MergeOptions,
): number {
  const { junit, report } = options;
  const parts = paths.map((path) => ({ path, result: readResult(io, path) }));
  checkParts(parts);
  const whole = parts.map(({ result }) => result).reduce(added);
  const searches = readSearches(io, options.with, report);
  checkOutputs(io, { "--report": report, "--junit": junit });
  const result = withNeverFired({ ...whole, shard: null });
  io.out(options.json === true ? `${JSON.stringify(result)}\n` : textSummary(io, result));
  const told = publish(io, result, { junit, report, catalog, searches });
  if (result.ended === "interrupted") return EXIT.interrupted;
  return exitCodeOf(kindsOf(result)) || (told ? EXIT.pass : EXIT.internal);
}

function readResult(io: Io, path: string): CampaignResult {
  let text: string;
  try {
    text = readFileSync(resolve(io.folder, path), "utf8");
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read: ${readReasonOf(error)}; give files that \`baton sim --json\` printed`,
    );
  }
  const result = parseResult(text);
  if (result === null) {
    throw new UsageError(`${path} holds no result of this version: give what \`baton sim --json\` printed`);
  }
  return result;
}

/** X1. */
function checkParts(parts: readonly Part[]): void {
  const [first, ...others] = parts;
  if (first === undefined) throw new UsageError("nothing to merge: give the result of each shard");
  for (const { path, result } of others) {
    if (sameness(result) !== sameness(first.result)) {
      throw new UsageError(
        `${path} is no part of the same campaign as ${first.path}: version, seed, runs, scenarios, strategy, nodes, profile and planted bug must be equal`,
      );
    }
  }
  const of = Number(/\d+$/.exec(first.result.shard ?? "1/1")?.[0]);
  const seen = new Map<string, string>();
  for (const { path, result } of parts) {
    const shard = result.shard ?? "1/1";
    const before = seen.get(shard);
    if (before !== undefined)
      throw new UsageError(`shard ${shard} is there twice: in ${before} and in ${path}`);
    seen.set(shard, path);
  }
  for (let i = 1; i <= of; i++) {
    if (!seen.has(`${i}/${of}`))
      throw new UsageError(`shard ${i}/${of} is missing: give the result of each shard`);
  }
}

/** What has to be equal in all parts, as one text. */
function sameness(result: CampaignResult): string {
  const { version, seed, asked, scenarios, strategy, nodes, profile, twice, planted, shard } = result;
  return JSON.stringify([
    version,
    seed,
    asked,
    scenarios,
    strategy,
    nodes,
    profile,
    twice,
    planted ?? null,
    /\d+$/.exec(shard ?? "1/1")?.[0],
  ]);
}

function added(a: CampaignResult, b: CampaignResult): CampaignResult {
  return {
    ...a,
    runs: a.runs + b.runs,
    storeOps: a.storeOps + b.storeOps,
    events: a.events + b.events,
    virtualMs: a.virtualMs + b.virtualMs,
    wallMs: Math.max(a.wallMs, b.wallMs),
    profiles: sorted(addedCounts(a.profiles, b.profiles)),
    faults: inOrder(addedCounts(a.faults, b.faults)),
    checks: sorted(addedCounts(a.checks, b.checks)),
    points: a.points === null || b.points === null ? null : sorted(addedCounts(a.points, b.points)),
    byScenario: addedScenarios(a.byScenario, b.byScenario),
    failures: [...a.failures, ...b.failures],
    fingerprint: addFingerprints(a.fingerprint, b.fingerprint),
    pinned: a.pinned + b.pinned,
    leftOut: [...new Set([...a.leftOut, ...b.leftOut])],
    ended: worse(a.ended, b.ended),
  };
}

/** How the whole ended: stopped when any part was. */
function worse(a: CampaignResult["ended"], b: CampaignResult["ended"]): CampaignResult["ended"] {
  if (a === "interrupted" || b === "interrupted") return "interrupted";
  return a === "time" ? a : b;
}

function addedCounts(a: CampaignResult["faults"], b: CampaignResult["faults"]): CampaignResult["faults"] {
  const sum = { ...a };
  for (const [name, n] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + n;
  return sum;
}

/** Faults have the order of the catalogue. */
function inOrder(counts: CampaignResult["faults"]): CampaignResult["faults"] {
  const kinds: readonly string[] = FAULT_KINDS;
  const place = ([name]: readonly [string, number]) => kinds.indexOf(name);
  return Object.fromEntries(Object.entries(counts).sort((a, b) => place(a) - place(b)));
}

/** Names of checks, profiles and points ascend. */
function sorted(counts: CampaignResult["faults"]): CampaignResult["faults"] {
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function addedScenarios(a: CampaignResult["byScenario"], b: CampaignResult["byScenario"]) {
  const sum: { [name: string]: ScenarioTally } = { ...a };
  for (const [name, { runs, failures }] of Object.entries(b)) {
    const before = sum[name] ?? { runs: 0, failures: 0 };
    sum[name] = { runs: before.runs + runs, failures: before.failures + failures };
  }
  return sum;
}
