/**
 * The page of a campaign: how much was tried, what struck where, what was checked, and what failed.
 *
 * A page without a script. Owns the order: failures first, then what was never tried, then the figures. Counts
 * nothing itself but sums of what it shows; sections without data are left out.
 *
 *   Z1  The same data gives the same bytes.
 *   Z2  What never happened is said in words above its table, so that nobody has to look for a zero.
 *   Z3  A kind of fault that was off is not said to be missing, nor is a point where it cannot strike.
 *   Z4  Cells are HTML already: each foreign text is escaped where its row is made.
 */
import type { CampaignData, CountData, FailureData } from "./campaign-data.ts";
import { matrixHtml, ordersHtml } from "./campaign-searches.ts";
import { escapeHtml } from "./escape.ts";
import { type PageAssets, pageHtml } from "./page-shell.ts";
import { type Cell, number, section, tableHtml } from "./table-html.ts";
import { counted, faultWords, grouped, spell } from "./words.ts";

export function renderCampaign(data: CampaignData, assets: PageAssets): string {
  const title = `${data.failures.length === 0 ? "no failure" : counted(data.failures.length, "failure")} in ${counted(data.runs, "run")}`;
  const sections = [
    headHtml(data, title),
    failuresHtml(data.failures),
    faultsHtml(data),
    pointsHtml(data),
    matrixHtml(data.matrix),
    ordersHtml(data.orders),
    checksHtml(data),
    scenariosHtml(data),
  ];
  const body = `<main class="sheet">${sections.join("\n")}</main>`;
  return pageHtml(title, "campaign", assets.style, body, null);
}

function headHtml(data: CampaignData, title: string): string {
  const seconds = Math.max(data.wallMs, 1) / 1_000;
  const bad = data.failures.length > 0;
  const ended = { done: "", time: " Ended by its time.", interrupted: " Stopped by the user." }[data.ended];
  const planted = data.planted === null ? "" : ` Planted bug: ${escapeHtml(data.planted)}.`;
  const figures: readonly (readonly [string, string])[] = [
    ["runs", grouped(data.runs)],
    ["store operations", grouped(data.storeOps)],
    ["faults", grouped(data.faults.reduce((sum, { count }) => sum + count, 0))],
    ["facts checked", grouped(data.checks.reduce((sum, { count }) => sum + count, 0))],
    ["virtual time", spell(data.virtualMs)],
    ["real time", spell(data.wallMs)],
    ["runs a second", grouped(data.runs / seconds)],
    ["pinned runs", grouped(data.pinned)],
  ];
  const tiles = figures.map(([name, value]) => `<div><b>${value}</b><span>${name}</span></div>`).join("");
  return `<h1>Campaign</h1>
<div class="verdict ${bad ? "" : "pass"}"><p class="shown">${title}.${ended}${planted}</p></div>
<div class="tiles">${tiles}</div>
<p class="origin">seeds from ${data.firstSeed} · fingerprint ${escapeHtml(data.fingerprint)} · again: <code>${escapeHtml(data.again)}</code></p>`;
}

/** The invariant links to the run's page, which says more than a row can. */
function failuresHtml(failures: readonly FailureData[]): string {
  if (failures.length === 0) return "";
  const rows = failures.map((one): readonly Cell[] => [
    one.page === null
      ? escapeHtml(one.invariant)
      : `<a href="${escapeHtml(one.page)}">${escapeHtml(one.invariant)}</a>`,
    escapeHtml(one.scenario),
    one.seed === null ? "recorded" : String(one.seed),
    escapeHtml(one.message),
    one.replayFile === null ? "" : `<a href="${escapeHtml(one.replayFile)}">replay file</a>`,
  ]);
  return section("Failures", "", tableHtml(["invariant", "scenario", "seed", "what is wrong", ""], rows));
}

/** Z2, Z3. */
function faultsHtml({ faults, profiles }: CampaignData): string {
  const never = faults.filter(({ count }) => count === 0).map(({ name }) => name);
  const said =
    never.length === 0 ? "Every kind that was on has struck." : `On and never struck: ${never.join(", ")}.`;
  const most = Math.max(1, ...faults.map(({ count }) => count));
  const bars = faults.map(({ name, count }): readonly Cell[] => [
    escapeHtml(name),
    escapeHtml(faultWords(name)),
    number(count),
    `<i class="bar" style="width:${Math.round((160 * count) / most)}px"></i>`,
  ]);
  const stores = profiles.length === 0 ? "" : `<p>Runs by store profile: ${escapeHtml(list(profiles))}.</p>`;
  return section("Faults by kind", said, tableHtml(["kind", "what it does", "struck", ""], bars) + stores);
}

/** Kinds of requests down, kinds of faults across. */
function pointsHtml({ points }: CampaignData): string {
  if (points === null) return "";
  let [possible, never] = [0, 0];
  const rows = points.rows.map(({ request, seen, counts }): readonly Cell[] => {
    possible += counts.filter((count) => count !== null).length;
    never += counts.filter((count) => count === 0).length;
    return [escapeHtml(request), number(seen), ...counts.map(pointCell)];
  });
  const said = `A fault point is a kind of fault at a kind of request. ${grouped(possible - never)} of ${grouped(possible)} have fired${never === 0 ? "." : `; the ${grouped(never)} marked 0 never did.`}`;
  const heads = points.kinds.map((kind) => kind.replace(/^([A-Z]\d+)-/, "$1 ").replaceAll("-", " "));
  return section(
    "Fault points",
    said,
    tableHtml(["request", "seen", ...heads.map(escapeHtml)], rows, "points"),
  );
}

function pointCell(count: number | null): Cell {
  if (count === null) return { html: "", classes: "none" };
  return { html: grouped(count), classes: count === 0 ? "number never" : "number" };
}

/** A check that examined nothing has proved nothing, so it is named above the table. */
function checksHtml({ checks }: CampaignData): string {
  const idle = checks.filter(({ count }) => count === 0).map(({ name }) => name);
  const said = idle.length === 0 ? "" : `Nothing to check was met by ${idle.join(", ")}.`;
  const rows = checks.map(({ name, statement, count }): readonly Cell[] => [
    escapeHtml(name),
    escapeHtml(statement ?? ""),
    number(count),
  ]);
  return section("Facts checked", said, tableHtml(["invariant", "it says", "facts"], rows));
}

function scenariosHtml({ scenarios }: CampaignData): string {
  const rows = scenarios.map(({ name, claim, leftOut }): readonly Cell[] => [
    escapeHtml(name),
    escapeHtml(claim),
    leftOut ? { html: "left out after its failures", classes: "never" } : "",
  ]);
  return section("Scenarios", "", tableHtml(["scenario", "it claims", ""], rows));
}

function list(counts: readonly CountData[]): string {
  return counts.map(({ name, count }) => `${name} ${grouped(count)}`).join(", ");
}
