/**
 * The bar above the diagram and the heads of the lanes, as HTML text.
 *
 * Owns which choices there are. Each control says in its data what it does: `data-do` a command, `data-key`,
 * `data-process` and `data-kind` a choice that is taken in or out; nothing here listens. `page.ts` reads them.
 */
import { escapeHtml } from "../escape.ts";
import { GUTTER_PX } from "./diagram.ts";
import { KINDS } from "./items.ts";
import { compare, type Lane } from "./lanes.ts";
import type { Picture } from "./picture.ts";
import type { RunIndex } from "./run-index.ts";
import { ROW_HEIGHTS, type View } from "./view.ts";

/** Which runs are on the page: one by its number, or all side by side. */
export type Shown = number | "all";

export function barHtml(runs: readonly RunIndex[], shown: Shown, view: View): string {
  const groups = [
    runs.length < 2 ? "" : tabs(runs, shown),
    menu("Keys", "key", keyChoices(runs), view.keys),
    menu("Processes", "process", processChoices(runs), view.processes),
    `<span class="group">${KINDS.map((kind) => chip(kind, view.kinds.has(kind))).join("")}</span>`,
    `<span class="group">${button("zoom-out", "−", view.zoom === 0)}${button("zoom-in", "+", view.zoom === ROW_HEIGHTS.length - 1)}</span>`,
    `<span class="group end">${button(
      "broken",
      "Go to the break",
      runs.every((run) => run.data.verdict.findings.length === 0),
    )}${button("moments", "Moments")}${button("legend", "Legend")}</span>`,
  ];
  return groups.join("");
}

/** The heads of the lanes; a click on one shows only what it is about. */
export function headsHtml(picture: Picture): string {
  const heads = picture.lanes.all.map((lane) => headHtml(lane, picture));
  const width = picture.lanes.width;
  return `<div class="heads" style="width:${GUTTER_PX + width}px"><div class="head corner" style="left:0;width:${GUTTER_PX}px">time, s</div>${heads.join("")}</div>`;
}

/** Wide enough for a key's folders above its name; a process has what its clock shows below. */
function headHtml(lane: Lane, picture: Picture): string {
  const key = picture.run.objectKeys.find((one) => `key ${one}` === lane.id);
  const full = key === undefined ? "" : picture.run.names.of(key).full;
  const what =
    lane.kind === "process"
      ? `data-process="${escapeHtml(lane.full)}"`
      : lane.kind === "key"
        ? `data-key="${escapeHtml(full)}"`
        : "disabled";
  const style = `left:${GUTTER_PX + lane.left}px;width:${lane.width}px;padding-left:${Math.max(2, lane.x - lane.left - 14)}px`;
  return `<button class="head ${lane.kind}" ${what} style="${style}" title="${escapeHtml(lane.full)}"><small>${escapeHtml(lane.kind === "process" ? "" : lane.subtitle)}</small><b>${escapeHtml(lane.title)}</b><small class="clock">${escapeHtml(lane.kind === "process" ? lane.subtitle : "")}</small></button>`;
}

function tabs(runs: readonly RunIndex[], shown: Shown): string {
  const one = runs.map((run, i) => tab(String(i), run.data.name, shown === i));
  return `<span class="group tabs">${one.join("")}${tab("all", "side by side", shown === "all")}</span>`;
}

function tab(run: string, words: string, on: boolean): string {
  return `<button data-run-tab="${run}" aria-pressed="${on}">${escapeHtml(words)}</button>`;
}

interface Choice {
  readonly value: string;
  readonly words: string;
}

/** Every key of every run, under the name that it has in the heads. */
function keyChoices(runs: readonly RunIndex[]): readonly Choice[] {
  const words = new Map<string, string>();
  for (const run of runs)
    for (const key of run.objectKeys) {
      const { full, folder, name } = run.names.of(key);
      words.set(full, folder === "" ? name : `${folder}/${name}`);
    }
  return [...words]
    .map(([value, text]) => ({ value, words: text }))
    .sort((a, b) => compare(a.words, b.words));
}

/** Every process that did anything, or that something was done to. */
function processChoices(runs: readonly RunIndex[]): readonly Choice[] {
  const names = new Set<string>();
  for (const { data } of runs) {
    for (const { process } of data.incidents) if (process !== null) names.add(process);
    for (const { process } of data.operations) names.add(process);
    for (const { from, to } of data.calls) names.add(from).add(to);
  }
  return [...names].sort(compare).map((value) => ({ value, words: value }));
}

/** A menu of choices, of which any number can be taken; none taken means all. */
function menu(title: string, data: string, choices: readonly Choice[], chosen: ReadonlySet<string>): string {
  const many = chosen.size === 0 ? "all" : `${chosen.size} of ${choices.length}`;
  const options = choices.map(({ value, words }) => {
    const mark = chosen.has(value) ? "true" : "false";
    return `<button role="menuitemcheckbox" aria-checked="${mark}" data-${data}="${escapeHtml(value)}" title="${escapeHtml(value)}">${escapeHtml(words)}</button>`;
  });
  const clear = `<button class="clear" data-do="clear-${data}">show all</button>`;
  return `<details class="menu ${chosen.size === 0 ? "" : "chosen"}" data-menu="${data}"><summary>${title}: ${many}</summary><div class="options" role="menu">${clear}${options.join("")}</div></details>`;
}

function chip(kind: string, on: boolean): string {
  return `<button class="chip" data-kind="${kind}" aria-pressed="${on}">${kind}</button>`;
}

function button(command: string, words: string, disabled = false): string {
  return `<button data-do="${command}"${disabled ? " disabled" : ""}>${words}</button>`;
}
