/**
 * Holds what was measured against the baseline: exactly, count by count.
 *
 *   C1  of each row the last record in the baseline counts; earlier ones are how it came to that.
 *   C2  numbers are compared for one unit and without rounding: a/b with c/d as a*d with c*b.
 *   C3  a row that is measured and not in the baseline, or the other way round, or measured in another configuration, is
 *       a difference too: nothing holds it.
 *   C4  within a row requests come before bytes and what changed most comes first: another timing moves a sweep here and
 *       there, and what caused it should not be looked for below that.
 *   C5  the serial time is compared as well: the same requests cost more when one has to wait for another (but see what
 *       `serial.ts` does not cover). A row that has one on one side alone is a difference that nothing holds, as in C3.
 */
import { canonicalJson } from "../src/std/canonical-json.ts";
import { CAUSES, type Cause, type CountKind, KINDS } from "./cause.ts";
import { type LedgerRecord, rowOf } from "./record.ts";

export type Difference =
  | {
      readonly kind: "rose" | "fell";
      readonly row: string;
      readonly cause: Cause;
      readonly count: CountKind;
      /** For one unit. */
      readonly before: number;
      readonly now: number;
    }
  | {
      readonly kind: "rose" | "fell";
      readonly row: string;
      /** Serial store time of a handoff, milliseconds. */
      readonly share: "p50" | "p99";
      readonly before: number;
      readonly now: number;
    }
  | {
      readonly kind: "new" | "missing" | "reconfigured" | "serial-new" | "serial-missing";
      readonly row: string;
    };

/** C1. */
export function baselineOf(records: readonly LedgerRecord[]): ReadonlyMap<string, LedgerRecord> {
  return new Map(records.map((record) => [rowOf(record), record]));
}

export function differences(
  baseline: ReadonlyMap<string, LedgerRecord>,
  measured: readonly LedgerRecord[],
): readonly Difference[] {
  const rows = new Set(measured.map(rowOf));
  const missing = [...baseline.keys()].filter((row) => !rows.has(row));
  return [
    ...measured.flatMap((now) => differencesOf(baseline.get(rowOf(now)), now)),
    ...missing.map((row): Difference => ({ kind: "missing", row })),
  ];
}

function differencesOf(before: LedgerRecord | undefined, now: LedgerRecord): readonly Difference[] {
  const row = rowOf(now);
  if (before === undefined) return [{ kind: "new", row }];
  if (isReconfigured(before, now)) return [{ kind: "reconfigured", row }];
  const found: Difference[] = [];
  for (const cause of CAUSES) {
    for (const count of KINDS) {
      const [was, is] = [before.counts[cause]?.[count] ?? 0, now.counts[cause]?.[count] ?? 0];
      // C2.
      const change = is * before.units - was * now.units;
      if (change === 0) continue;
      const kind = change > 0 ? "rose" : "fell";
      found.push({ kind, row, cause, count, before: was / before.units, now: is / now.units });
    }
  }
  found.sort((a, b) => weightOf(b) - weightOf(a));
  return [...found, ...serialDifferences(row, before, now)];
}

/** C5. */
function serialDifferences(row: string, before: LedgerRecord, now: LedgerRecord): readonly Difference[] {
  const [was, is] = [before.serial_ms, now.serial_ms];
  if (was === null) return is === null ? [] : [{ kind: "serial-new", row }];
  if (is === null) return [{ kind: "serial-missing", row }];
  return (["p50", "p99"] as const).flatMap((share): readonly Difference[] => {
    if (was[share] === is[share]) return [];
    const kind = is[share] > was[share] ? "rose" : "fell";
    return [{ kind, row, share, before: was[share], now: is[share] }];
  });
}

/** C4. */
function weightOf(difference: Difference): number {
  if (!("count" in difference)) return 0;
  const change = Math.abs(difference.now - difference.before);
  return difference.count === "up" || difference.count === "down" ? -1 / (1 + change) : change;
}

function isReconfigured(before: LedgerRecord, now: LedgerRecord): boolean {
  return (
    before.unit !== now.unit ||
    canonicalJson({ ...before.configuration }) !== canonicalJson({ ...now.configuration })
  );
}

/** Whether the change may not go in as it is. */
export function isFailure({ kind }: Difference): boolean {
  return kind !== "fell";
}

/** In a line. */
export function tellDifference(difference: Difference): string {
  const { kind, row } = difference;
  switch (kind) {
    case "new":
      return `${row}: not in the baseline`;
    case "missing":
      return `${row}: in the baseline and not measured any more`;
    case "reconfigured":
      return `${row}: measured in another configuration than the baseline`;
    case "serial-new":
      return `${row}: no serial time in the baseline`;
    case "serial-missing":
      return `${row}: its serial time is in the baseline and not measured any more`;
    default: {
      const { before, now } = difference;
      const what =
        "share" in difference
          ? `serial ms ${difference.share}`
          : `${difference.cause} ${NAMES[difference.count]}`;
      const by = `${now > before ? "+" : "−"}${figure(Math.abs(now - before))}`;
      return `${row}: ${what} ${kind}, ${figure(before)} to ${figure(now)} (${by})`;
    }
  }
}

export const NAMES: { readonly [kind in CountKind]: string } = {
  get: "gets",
  put: "puts",
  list: "lists",
  delete: "deletes",
  refused: "refused",
  up: "bytes up",
  down: "bytes down",
};

/** A figure for one unit: whole when it is, else with as many digits as it takes to see it. */
export function figure(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  if (value >= 1_000) return grouped(Math.round(value));
  return value.toFixed(value < 1 ? 3 : 2);
}

function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
