/**
 * The last events around a violation, as a table that a person can follow.
 *
 * Owns the choice of rows: operations on the key (of a process: those it sent), the incidents between them, in the
 * order of virtual time. Does not show bodies.
 */
import type { Incident, RunHistory, StoreOperation, Violation } from "../../../sim/index.ts";
import { clip, table } from "../terminal/table.ts";

const MOST_ROWS = 14;

interface Row {
  readonly atMs: number;
  readonly cells: readonly string[];
}

/** The table and a line above it that says what it shows. */
export function eventsTable(history: RunHistory, about: Violation | null): string {
  const key = about?.key ?? null;
  const { title, operations } = select(history.operations, key);
  const until = about?.atMs ?? null;
  // What came after the violation explains little; a few rows of it show what it led to.
  const last =
    until === null ? operations.length : operations.filter((op) => op.sentAtMs <= until).length + 3;
  const shown = operations.slice(0, last).slice(-MOST_ROWS);
  const [first, end] = [shown[0]?.sentAtMs ?? 0, shown.at(-1)?.sentAtMs ?? 0];
  const between = history.incidents.filter(({ atMs }) => atMs >= first && atMs <= end);
  const rows = [...between.map(incidentRow), ...shown.map(operationRow)];
  rows.sort((a, b) => a.atMs - b.atMs);
  const head = ["sent ms", "landed", "process", "operation", "condition", "verdict", "told", "faults"];
  return `${title}:\n${table([head, ...rows.slice(-MOST_ROWS).map((row) => row.cells)])}`;
}

function select(
  all: readonly StoreOperation[],
  key: string | null,
): { readonly title: string; readonly operations: readonly StoreOperation[] } {
  if (key !== null) {
    const onKey = all.filter((op) => op.key === key && op.kind !== "list");
    if (onKey.length > 0) return { title: `last events on ${key}`, operations: onKey };
    const sent = all.filter((op) => op.process === key);
    if (sent.length > 0) return { title: `last events of ${key}`, operations: sent };
    const below = all.filter((op) => op.key.includes(key) && op.kind !== "list");
    if (below.length > 0) return { title: `last events on keys with ${key}`, operations: below };
  }
  return { title: "last events", operations: all };
}

function operationRow(op: StoreOperation): Row {
  const version = op.version === null ? "" : ` v${op.version}`;
  const cells = [
    String(op.sentAtMs),
    op.appliedAtMs === null ? "-" : String(op.appliedAtMs),
    op.incarnation === 1 ? op.process : `${op.process}#${op.incarnation}`,
    op.kind,
    op.condition === null || op.condition.kind === "none" ? "-" : condition(op.condition),
    `${op.verdict ?? "never reached"}${version}`,
    op.outcome === null ? "nothing" : op.outcome.kind,
    op.faults.join(" "),
  ];
  return { atMs: op.sentAtMs, cells };
}

function condition(c: NonNullable<StoreOperation["condition"]>): string {
  return c.kind === "if-match" ? `if-match ${clip(c.etag, 10)}` : c.kind;
}

function incidentRow(incident: Incident): Row {
  const what = incident.detail === "" ? incident.kind : `${incident.kind}: ${clip(incident.detail, 40)}`;
  return { atMs: incident.atMs, cells: [String(incident.atMs), "", incident.process ?? "-", `* ${what}`] };
}
