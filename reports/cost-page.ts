/**
 * The page of the ledger: what a handoff costs by cause, beside the documented protocol, and how that grows.
 *
 * A page without a script, drawn from the baseline's records alone; the last one of each row counts.
 *
 *   K1  the same records give the same bytes.
 *   K2  curves are made of the rows that differ from `sticky` in one number of their configuration and nothing else.
 *   K3  every figure in a chart stands in a table, too.
 *   K4  it shows one store profile; rows of others are left out, since their prices and times are not to be compared.
 *   K5  cells are escaped where their row is made: a reason and a commit are foreign text.
 *
 * Does not own how a chart is drawn (`cost-bars.ts`, `cost-curves.ts`), nor what a record is worth: the gate is the
 * ledger's. What this machine alone recorded is not on the page.
 */
import {
  baselineOf,
  CAUSES,
  DOCUMENTED,
  DOCUMENTED_TEXT,
  figure,
  type LedgerRecord,
  ledgerRows,
  totalOf,
  trendRows,
} from "../ledger/index.ts";
import { type BarRow, barsSvg, legendHtml } from "./cost-bars.ts";
import { curveSvg, type Line } from "./cost-curves.ts";
import { escapeHtml } from "./escape.ts";
import { type PageAssets, pageHtml } from "./page-shell.ts";
import { type Cell, section, tableHtml } from "./table-html.ts";

type Axis = "steps" | "identities" | "nodes" | "waiting" | "history";

const AXES: readonly (readonly [Axis, string])[] = [
  ["history", "turns in the history"],
  ["waiting", "messages that wait in the inbox"],
  ["identities", "identities"],
  ["nodes", "nodes"],
  ["steps", "steps of a turn"],
];
/** The first point of every curve. */
const FIRST = "sticky";
const HOUR_S = 3_600;

export function renderCost(records: readonly LedgerRecord[], profile: string, assets: PageAssets): string {
  const rows = [...baselineOf(records).values()].filter((record) => record.profile === profile);
  const sticky = rows.find(({ scenario }) => scenario === FIRST);
  const sections = [
    headHtml(sticky, rows),
    causesHtml(rows),
    besideHtml(sticky),
    growthHtml(sticky, rows),
    idleHtml(rows),
    tableSection(
      "Everything",
      "For one handoff, unless the row says otherwise; by cause: puts+gets.",
      ledgerRows(rows),
    ),
    tableSection("Trend", "Each record of the baseline, and why it was accepted.", trendRows(records)),
  ];
  const body = `<main class="sheet">${sections.join("\n")}</main>`;
  return pageHtml("What a handoff costs", "campaign", assets.style, body, null);
}

function headHtml(sticky: LedgerRecord | undefined, rows: readonly LedgerRecord[]): string {
  const said = `<p class="origin">store ${escapeHtml(rows[0]?.profile ?? "none")} · version ${escapeHtml(rows[0]?.version ?? "")} · counts are exact, from the simulator, in the steady state</p>`;
  if (sticky === undefined) return `<h1>What a handoff costs</h1>${said}`;
  const total = totalOf(sticky.counts);
  const figures: readonly (readonly [string, string])[] = [
    ["puts", figure(total.put / sticky.units)],
    ["gets", figure(total.get / sticky.units)],
    ["dollars per million turns", figure(sticky.dollars_per_million)],
    ...serialFigures(sticky),
  ];
  const tiles = figures.map(([name, value]) => `<div><b>${value}</b><span>${name}</span></div>`).join("");
  return `<h1>What a handoff costs</h1><p>One message admitted, claimed, one step saved, completed; by the same worker.</p><div class="tiles">${tiles}</div>${said}`;
}

/** None where the record has none: that is no time of nothing. */
function serialFigures({ serial_ms }: LedgerRecord): readonly (readonly [string, string])[] {
  if (serial_ms === null) return [];
  return [
    ["serial store time, p50", `${serial_ms.p50} ms`],
    ["serial store time, p99", `${serial_ms.p99} ms`],
  ];
}

/** The documented protocol first, then what is no point of a curve alone. */
function causesHtml(rows: readonly LedgerRecord[]): string {
  const plain = rows.filter(
    ({ scenario, unit }) => unit === "handoff" && !/-\d+$/.test(scenario.replace("at-once-64", "")),
  );
  const bars: readonly BarRow[] = [
    { name: "documented", counts: DOCUMENTED, units: 1 },
    ...plain.map(({ scenario, counts, units }) => ({ name: scenario, counts, units })),
  ];
  const charts = barsSvg("puts", "put", bars) + barsSvg("gets", "get", bars);
  return section(
    "By cause",
    "Requests that one handoff takes. Refused ones are billed and are among them.",
    `${legendHtml(bars)}<div class="charts">${charts}</div>`,
  );
}

function besideHtml(sticky: LedgerRecord | undefined): string {
  if (sticky === undefined) return "";
  const one = (count: number | undefined): string =>
    count === undefined ? "" : figure(count / sticky.units);
  const rows = CAUSES.filter((cause) => DOCUMENTED[cause] ?? sticky.counts[cause]).map(
    (cause): readonly Cell[] => {
      const [documented, ours] = [DOCUMENTED[cause], sticky.counts[cause]];
      const cells = [documented?.put ?? "", one(ours?.put), documented?.get ?? "", one(ours?.get)];
      return [cause, ...cells.map((html) => ({ html: String(html), classes: "number" }))];
    },
  );
  const heads = ["cause", "puts, documented", "puts, ours", "gets, documented", "gets, ours"];
  return section(
    "Beside the documented protocol",
    `It takes ${DOCUMENTED_TEXT} for a turn of one step.`,
    tableHtml(heads, rows),
  );
}

/** K2. */
function growthHtml(sticky: LedgerRecord | undefined, rows: readonly LedgerRecord[]): string {
  if (sticky === undefined) return "";
  const charts = AXES.map(([axis, title]) => {
    const along = [sticky, ...rows.filter((row) => differsIn(axis, sticky, row))].sort(
      (a, b) => a.configuration[axis] - b.configuration[axis],
    );
    if (along.length < 2) return "";
    const line = (name: string, classes: string, of: (row: LedgerRecord) => number): Line => ({
      name,
      classes,
      points: along.map((row) => [row.configuration[axis], of(row) / row.units]),
    });
    const requests = [
      line("puts", "line-put", ({ counts }) => totalOf(counts).put),
      line("gets", "line-get", ({ counts }) => totalOf(counts).get),
    ];
    const bytes = [
      line("kB up", "line-put", ({ counts }) => totalOf(counts).up / 1_000),
      line("kB down", "line-get", ({ counts }) => totalOf(counts).down / 1_000),
    ];
    return `<div class="pair">${curveSvg(title, requests, figure)}${curveSvg(`${title}: bytes`, bytes, figure)}</div>`;
  });
  return section(
    "Growth",
    "What one handoff takes against one thing that grows, all else as in the first bar. Flat is good.",
    `<div class="charts">${charts.join("")}</div>`,
  );
}

function differsIn(
  axis: Axis,
  sticky: LedgerRecord,
  { unit, scenario, configuration }: LedgerRecord,
): boolean {
  if (unit !== "handoff" || RACES.includes(scenario) || configuration[axis] === sticky.configuration[axis])
    return false;
  const others = AXES.map(([one]) => one).filter((one) => one !== axis);
  const same = others.every((one) => configuration[one] === sticky.configuration[one]);
  return same && configuration.history_keep_ms === sticky.configuration.history_keep_ms;
}

/** Rows whose callers race, or whose worker dies: another kind of work, not more of it. */
const RACES: readonly string[] = ["at-once-64", "contended", "crash-recovery", "long-step"];

function idleHtml(rows: readonly LedgerRecord[]): string {
  const idle = rows.find(({ unit }) => unit === "node-hour");
  if (idle === undefined) return "";
  const { identities, nodes, poll_ms, reconcile_ms } = idle.configuration;
  const total = totalOf(idle.counts);
  const second = (total.get + total.put + total.list) / idle.units / HOUR_S;
  const hourly = identities / HOUR_S;
  const said = `${nodes} nodes over ${identities} identities with nothing to do, workers waiting at each: ${figure(second)} requests per node and second. For its workers a node reads the index once in ${poll_ms} ms; a sweep lists all identities and reads the index, ${reconcile_ms} ms after the end of the last. Identities that have not changed are read again once an hour, which is not in the count: ${figure(hourly)} more.`;
  return section("An idle fleet", said, "");
}

function tableSection(
  title: string,
  said: string,
  [heads = [], ...rows]: readonly (readonly string[])[],
): string {
  const cells = rows.map((row) =>
    row.map((cell): Cell => {
      const classes = /^[\d,.+]*$/.test(cell) ? "number" : "";
      return { html: escapeHtml(cell), classes };
    }),
  );
  return section(title, said, tableHtml(heads.map(escapeHtml), cells));
}
