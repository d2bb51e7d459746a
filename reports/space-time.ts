/**
 * The page of a run: who did what to which key at which virtual time, and where an invariant broke.
 *
 * Owns the head of the page, which says without any script what run this is and what is wrong with it, and how the
 * page is put together. The diagram is drawn by the page's script (`browser/`) from the data that stands in it.
 *
 *   Z1  The same data and assets give the same bytes.
 *   Z2  The page needs no network and no other file.
 *   Z3  Foreign text is escaped on its way in, whatever it holds.
 */
import { present } from "../src/std/assert.ts";
import { escapeHtml } from "./escape.ts";
import { type PageAssets, pageHtml } from "./page-shell.ts";
import type { FindingData, ReportData, RunData } from "./report-data.ts";
import { clockText, counted, grouped, spell } from "./words.ts";

/** The page as one text. */
export function renderSpaceTime(report: ReportData, assets: PageAssets): string {
  const run = present(report.runs[0], "a run to report");
  const title = `${run.verdict.kind === "pass" ? "passed" : firstBroken(run)}: ${runTitle(run)}`;
  const body = [
    headHtml(run),
    '<nav id="bar" aria-label="what is shown"></nav>',
    '<main id="work"><div id="panes"><p class="hint">The diagram needs scripts.</p></div><aside id="side"></aside></main>',
    originHtml(run),
  ].join("\n");
  return pageHtml(title, "run", assets.style, body, { data: report, script: assets.script });
}

function runTitle(run: RunData): string {
  return `${run.scenario}, ${run.seed === null ? "recorded choices" : `seed ${run.seed}`}`;
}

function firstBroken(run: RunData): string {
  return run.verdict.findings[0]?.invariant ?? run.verdict.kind;
}

function headHtml(run: RunData): string {
  const planted = run.planted === null ? "" : `, with planted bug ${run.planted}`;
  const name = `<h1>${escapeHtml(run.scenario)} <small>${escapeHtml(run.seed === null ? "recorded choices" : `seed ${run.seed}`)}${escapeHtml(planted)}</small></h1>`;
  const claim = `<p class="claim">It claims: ${escapeHtml(run.claim)}.</p>`;
  const verdict = run.verdict.kind === "pass" ? passHtml(run) : brokenHtml(run);
  return `<header class="top">${name}${claim}${verdict}</header>`;
}

function passHtml(run: RunData): string {
  const faults = struck(run);
  return `<div class="verdict pass"><p>Every invariant holds. ${faults === 0 ? "No fault struck" : `${counted(faults, "fault")} struck`} in ${spell(run.endedAtMs)} of virtual time.</p></div>`;
}

function brokenHtml(run: RunData): string {
  const { findings, message } = run.verdict;
  const [first, ...others] = findings;
  if (first === undefined)
    return `<div class="verdict"><p class="name">${escapeHtml(run.verdict.kind)}</p><p class="shown">${escapeHtml(message)}</p></div>`;
  const more =
    others.length === 0
      ? ""
      : `<details><summary>and ${counted(others.length, "more finding")}</summary><ul>${others.map((one) => `<li><b>${escapeHtml(one.invariant)}</b> ${escapeHtml(one.message)}${placeHtml(one)}</li>`).join("")}</ul></details>`;
  const says = first.statement === null ? "" : ` <span class="says">${escapeHtml(first.statement)}</span>`;
  return `<div class="verdict"><p><span class="name">Broken: ${escapeHtml(first.invariant)}.</span>${says}</p><p class="shown">${escapeHtml(first.message)}${placeHtml(first)}</p>${more}</div>`;
}

function placeHtml(finding: FindingData): string {
  const at = finding.atMs === null ? "" : ` at ${clockText(finding.atMs)} s`;
  const key = finding.key === null ? "" : ` on ${escapeHtml(lastPart(finding.key))}`;
  return at + key === "" ? "" : ` <span class="says">(${`${at}${key}`.trim()})</span>`;
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf("/") + 1);
}

function originHtml(run: RunData): string {
  const parts = [
    `${grouped(run.operations.length)} store operations`,
    `${grouped(run.calls.length)} calls`,
    `${counted(struck(run), "fault")} struck`,
    `${spell(run.endedAtMs)} of virtual time`,
    `${grouped(run.draws)} choices`,
    `fingerprint ${run.fingerprint}`,
    ...run.facts.map(([name, value]) => `${name} ${value}`),
  ];
  return `<footer class="origin">${escapeHtml(parts.join(" · "))} · again: <code>${escapeHtml(run.again)}</code></footer>`;
}

/** How many times something struck an operation or a call. */
function struck(run: RunData): number {
  const strikes = [...run.operations, ...run.calls].map(({ faults }) => faults.length);
  return strikes.reduce((sum, n) => sum + n, 0);
}
