/**
 * The ledger as rows of text: what each scenario costs, and how that came about. Who prints them makes columns of them.
 *
 *   T1  every figure is for one unit: a handoff, or an hour of one node, and then the row says so.
 *   T2  a cause that no record has makes no column; a cause that one row lacks leaves its cell empty, which is not a zero.
 *       So does a row without a serial time.
 *   T3  the trend has a row for each record, the baseline's before those of this machine.
 *   T4  beside each handoff stands what the documented protocol takes for a turn of as many steps, puts+gets; gets at least.
 */
import { CAUSES, type Cause, totalOf } from "./cause.ts";
import { baselineOf, figure } from "./compare.ts";
import { documentedRequests } from "./documented.ts";
import { type LedgerRecord, rowOf } from "./record.ts";

type Rows = readonly (readonly string[])[];

const HEAD = [
  "scenario",
  "documented",
  "puts",
  "gets",
  "lists",
  "deletes",
  "refused",
  "kB up",
  "kB down",
  "p50 ms",
  "p99 ms",
  "per s",
  "$/M",
];

/** One row for each record, for one unit; then puts and gets by cause. */
export function ledgerRows(records: readonly LedgerRecord[]): Rows {
  const causes = CAUSES.filter((cause) => records.some(({ counts }) => counts[cause] !== undefined));
  return [
    [...HEAD, ...causes.map((cause) => `${cause} p+g`)],
    ...records.map((record) => [...costs(record), ...causes.map((cause) => byCause(record, cause))]),
  ];
}

function costs(record: LedgerRecord): readonly string[] {
  const { scenario, unit, units, counts, serial_ms, per_second, dollars_per_million } = record;
  const total = totalOf(counts);
  const one = (count: number): string => figure(count / units);
  return [
    unit === "handoff" ? scenario : `${scenario} (${unit})`,
    unit === "handoff" ? documented(record) : "",
    one(total.put),
    one(total.get),
    one(total.list),
    one(total.delete),
    one(total.refused),
    figure(total.up / units / 1_000),
    figure(total.down / units / 1_000),
    serial_ms === null ? "" : String(serial_ms.p50),
    serial_ms === null ? "" : String(serial_ms.p99),
    per_second == null ? "" : figure(per_second),
    figure(dollars_per_million),
  ];
}

/** T4. */
function documented({ configuration }: LedgerRecord): string {
  const { put, get } = documentedRequests(configuration.steps);
  return `${put}+${get}`;
}

function byCause({ counts, units }: LedgerRecord, cause: Cause): string {
  const one = counts[cause];
  if (one === undefined) return "";
  return `${figure(one.put / units)}+${figure(one.get / units)}`;
}

/** Each change of the baseline, oldest first, with what it changed and why. */
export function trendRows(records: readonly LedgerRecord[]): Rows {
  const rows: (readonly string[])[] = [["scenario", "commit", "puts", "gets", "p50 ms", "$/M", "why"]];
  for (const row of baselineOf(records).keys()) {
    for (const record of records.filter((one) => rowOf(one) === row)) {
      const { scenario, commit, counts, units, serial_ms, dollars_per_million, why } = record;
      const { put, get } = totalOf(counts);
      const costs = [figure(put / units), figure(get / units), String(serial_ms?.p50 ?? "")];
      rows.push([scenario, commit, ...costs, figure(dollars_per_million), why ?? "measured"]);
    }
  }
  return rows;
}
