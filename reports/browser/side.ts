/**
 * The panel beside the diagram, as HTML text: the moments of a run, or what its marks mean.
 */
import { escapeHtml } from "../escape.ts";
import { clockText, counted } from "../words.ts";
import { legendHtml } from "./legend.ts";
import type { RunIndex } from "./run-index.ts";
import { type Moment, story } from "./story.ts";

export function momentsHtml(run: RunIndex, named: boolean): string {
  const moments = story(run);
  const title = named ? `Moments of the ${run.data.name} run` : "Moments";
  const hint =
    moments.length === 0
      ? "Nothing struck this run: no fault, no refusal, no crash."
      : `${counted(moments.length, "moment")} that made this run what it is. Click one to see it, or any mark in the diagram; the arrow keys walk from event to event.`;
  return `<h2>${escapeHtml(title)}</h2><p class="hint">${hint}</p><ol class="moments">${moments.map(momentHtml).join("")}</ol>`;
}

export function legendPanelHtml(): string {
  return `<h2>Legend</h2><p class="hint">Time goes down. Callers stand at the left, the processes that use the store in the middle, keys at the right. A row is one event; where nothing happens for a while there is a gap that says how long.</p>${legendHtml()}`;
}

function momentHtml({ atMs, words, item, tone }: Moment): string {
  const inner = `<time>${clockText(atMs)}</time><span>${escapeHtml(words)}</span>`;
  const show = item === null ? "" : ` data-show="${item}"`;
  return `<li class="${tone}"><button${show}>${inner}</button></li>`;
}
