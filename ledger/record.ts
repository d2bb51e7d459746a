/**
 * A record: what one measured run cost, as one line of JSON.
 *
 *   R1  counts are whole numbers of the whole run; `units` says of how many handoffs, or hours of one node. They are the
 *       same on every machine, and so are time and price, which follow from them and from the store's profile.
 *   R2  what was measured with a clock stands apart in `processor`, with the machine that it was measured on, or is null.
 *   R3  a line that this version cannot read is an error and never passed over.
 */
import type { MeasuredConfiguration, MeasuredUnit } from "../scenarios/catalog.ts";
import { parseJson } from "../src/std/json.ts";
import { err, ok, type Result } from "../src/std/result.ts";
import { CAUSES, type CountsByCause, KINDS } from "./cause.ts";

export const RECORD_FORMAT = "baton.ledger.v1";

/** A mean of samples, in microseconds, with the half width of its 95 % interval. */
export interface NoisyFigure {
  readonly mean_us: number;
  readonly margin_us: number;
  readonly samples: number;
  readonly warm_up: number;
}

/** R2. */
export interface ProcessorTime {
  readonly machine: string;
  /** One handoff of the engine over a store in memory. */
  readonly turn: NoisyFigure;
  /** One request of a simulated run, the simulator included. */
  readonly operation: NoisyFigure;
}

export interface LedgerRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly version: string;
  readonly commit: string;
  readonly scenario: string;
  readonly profile: string;
  readonly unit: MeasuredUnit;
  readonly units: number;
  readonly configuration: MeasuredConfiguration;
  /** R1. */
  readonly counts: CountsByCause;
  /** Virtual milliseconds that one handoff waited for the store; null where nothing is handed off, or callers race. */
  readonly serial_ms: { readonly p50: number; readonly p99: number } | null;
  /** Handoffs in a second of virtual time; null where nothing is handed off, or when it was not measured. */
  readonly per_second?: number | null;
  /** Of a million units, by the profile's prices. */
  readonly dollars_per_million: number;
  readonly processor: ProcessorTime | null;
  /** Why the baseline was changed to this; null: it was only measured. */
  readonly why: string | null;
}

export function recordLine(record: LedgerRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** All records of a file, in their order; or what is wrong, with the line (R3). */
export function parseRecords(text: string): Result<readonly LedgerRecord[], string> {
  const records: LedgerRecord[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const parsed: unknown = parseJson(line);
    if (!isRecord(parsed)) return err(`line ${at + 1} is no ${RECORD_FORMAT}`);
    records.push(parsed);
  }
  return ok(records);
}

function isRecord(value: unknown): value is LedgerRecord {
  if (!isObject(value) || value.format !== RECORD_FORMAT || !isObject(value.counts)) return false;
  const { counts, serial_ms, configuration } = value;
  const texts = [value.version, value.commit, value.scenario, value.profile, value.unit];
  return (
    texts.every((text) => typeof text === "string") &&
    isNumber(value.units) &&
    isNumber(value.dollars_per_million) &&
    isObject(configuration) &&
    (serial_ms === null || (isObject(serial_ms) && isNumber(serial_ms.p50) && isNumber(serial_ms.p99))) &&
    (value.why === null || typeof value.why === "string") &&
    Object.keys(counts).every((cause) => CAUSES.some((known) => known === cause)) &&
    Object.values(counts).every(
      (one) => isObject(one) && KINDS.every((kind) => Number.isSafeInteger(one[kind])),
    )
  );
}

function isNumber(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value);
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What tells one row of the ledger from the others. */
export function rowOf({ scenario, profile }: LedgerRecord): string {
  return `${scenario} on ${profile}`;
}
