/**
 * Measures one scenario on one store profile: makes its run and the record of it.
 *
 *   M1  the seed is fixed: the record is a function of the code, the scenario and the profile.
 *   M2  a run that does not pass is no record: what it cost means nothing.
 */
import type { MeasuredScenario } from "../scenarios/catalog.ts";
import { describeOutcome, profileNamed, runScenario, SeedSource, type StoreProfile } from "../sim/index.ts";
import { present } from "../src/std/assert.ts";
import { err, ok, type Result } from "../src/std/result.ts";
import { type CountsByCause, totalOf } from "./cause.ts";
import { countRun, type RunCounts } from "./count.ts";
import { percentilesOf } from "./latency-sums.ts";
import { type LedgerRecord, RECORD_FORMAT } from "./record.ts";

/** M1. */
const SEED = 1;
const HOUR_MS = 3_600_000;

export interface MeasuredCode {
  readonly version: string;
  readonly commit: string;
}

/** The exact part of a record; or why the run is none (M2). */
export async function measure(
  { scenario, unit, configuration, serial, profile: own }: MeasuredScenario,
  asked: string,
  code: MeasuredCode,
): Promise<Result<LedgerRecord, string>> {
  const profile = own ?? asked;
  const { outcome, history } = await runScenario(scenario, new SeedSource(SEED), { profile });
  if (outcome.kind !== "pass") return err(`${scenario.name} on ${profile}: ${describeOutcome(outcome)}`);
  const counted = countRun(history);
  const store = present(profileNamed(profile), "the store profile");
  const units = unit === "handoff" ? counted.handoffs : (counted.windowMs * configuration.nodes) / HOUR_MS;
  if (units === 0) return err(`${scenario.name} on ${profile}: nothing was handed off`);
  return ok({
    format: RECORD_FORMAT,
    ...code,
    scenario: scenario.name,
    profile,
    unit,
    units,
    configuration,
    counts: counted.counts,
    per_second: unit === "handoff" ? Math.round((100_000 * units) / counted.windowMs) / 100 : null,
    serial_ms: serial ? serialOf(counted, store) : null,
    dollars_per_million: dollarsOf(counted.counts, units, store),
    processor: null,
    why: null,
  });
}

function serialOf({ chains }: RunCounts, { latency }: StoreProfile) {
  const [p50, p99] = percentilesOf(chains, latency, [0.5, 0.99]);
  return { p50: present(p50, "the median"), p99: present(p99, "the 99th percentile") };
}

/** To the cent: prices are for a million requests. */
function dollarsOf(counts: CountsByCause, units: number, { price }: StoreProfile): number {
  const total = totalOf(counts);
  const dollars =
    total.put * price.putUsd +
    total.get * price.getUsd +
    total.list * price.listUsd +
    total.delete * price.deleteUsd;
  return Math.round((100 * dollars) / units) / 100;
}
