/**
 * A run's diagram as SVG text: lanes behind, one group for each event, and the places where an invariant broke.
 *
 *   G1  Each event is one group with its item's id in `data-item`, so that a click anywhere on it finds the item.
 *   G3  What happened is drawn over what lies behind it, and where an invariant broke over both.
 *   G2  The text depends on the picture alone: same data, same view, same bytes.
 */
import { escapeHtml } from "../escape.ts";
import { clockText, spell } from "../words.ts";
import { type BrokenPlace, brokenPlaces } from "./broken-places.ts";
import { drawCall } from "./draw-call.ts";
import { drawIncident } from "./draw-incident.ts";
import { drawLanes } from "./draw-lanes.ts";
import { drawOperation } from "./draw-operation.ts";
import type { Item } from "./items.ts";
import type { Picture } from "./picture.ts";
import { sentence } from "./sentences.ts";
import { line, n, rect, text } from "./svg.ts";

export const GUTTER_PX = 74;
const CHIP_PX = 6.8;

/** The events. */
export function drawDiagram(picture: Picture): string {
  const { lanes, axis } = picture;
  const gaps = axis.gaps.map(({ y }) => rect(0, y - 7, lanes.width, 14, "gap")).join("");
  const items = picture.items.map((item) => drawItem(item, picture)).join("");
  const places = brokenPlaces(picture);
  const across = places.map(({ y }) => line(0, y, lanes.width, y, "broken-line")).join("");
  const broken = places.map((place) => drawBroken(place, picture)).join("");
  return svg(lanes.width, axis.height, "diagram", gaps + drawLanes(picture) + across + items + broken);
}

/** The times, to stand at the left of the events. */
export function drawGutter(picture: Picture): string {
  const { axis } = picture;
  const parts: string[] = [];
  let freeFrom = 0;
  let shownMs = -1;
  for (const { y, atMs } of axis.rows) {
    if (atMs === shownMs || y < freeFrom) continue;
    parts.push(text(GUTTER_PX - 10, y, clockText(atMs), "time end"));
    [shownMs, freeFrom] = [atMs, y + 12];
  }
  for (const { y, ms } of axis.gaps)
    parts.push(text(GUTTER_PX - 10, y, `+ ${spell(ms)}`, "time gap-time end"));
  return svg(GUTTER_PX, axis.height, "gutter", parts.join(""));
}

/** A narrow overview of the whole run, as high as the window: where refusals, faults and breaks are. */
export function drawOverview(picture: Picture): string {
  const { axis } = picture;
  const ticks = picture.items
    .filter(({ tone, type }) => tone === "fault" || tone === "refused" || type === "incident")
    .map((item) => {
      const y = (1000 * picture.extent(item).top) / axis.height;
      return rect(
        item.tone === "incident" ? 1 : 4,
        y,
        item.tone === "incident" ? 3 : 8,
        2,
        `tick ${item.tone}`,
      );
    });
  const broken = brokenPlaces(picture).map(({ y }) =>
    rect(0, (1000 * y) / axis.height - 3, 14, 6, "tick broken"),
  );
  return `<svg class="overview" viewBox="0 0 14 1000" preserveAspectRatio="none">${ticks.join("")}${broken.join("")}</svg>`;
}

function drawItem(item: Item, picture: Picture): string {
  const title = `<title>${escapeHtml(sentence(item, picture.run))}</title>`;
  return `<g class="item ${item.tone}" data-item="${item.id}">${title}${drawn(item, picture)}</g>`;
}

function drawn(item: Item, picture: Picture): string {
  switch (item.type) {
    case "operation":
      return drawOperation(item, picture);
    case "call":
      return drawCall(item, picture);
    case "incident":
      return drawIncident(item, picture);
  }
}

/** A ring around the mark, and a flag beside it; at the left when the lane is not shown. */
function drawBroken({ y, x, words }: BrokenPlace, picture: Picture): string {
  const width = words.length * CHIP_PX + 16;
  const beside = x === null ? 6 : x + 14;
  const left = Math.max(4, Math.min(beside, picture.lanes.width - width - 4));
  const ring = x === null ? "" : `<circle class="broken-ring" cx="${n(x)}" cy="${n(y)}" r="9"/>`;
  const flag = `<rect class="broken-flag" x="${n(left)}" y="${n(y + 8)}" width="${n(width)}" height="17" rx="3"/>`;
  return `<g class="broken">${ring}${flag}${text(left + 8, y + 16.5, words, "broken-word")}</g>`;
}

function svg(width: number, height: number, classes: string, inner: string): string {
  const [w, h] = [n(width), n(height)];
  return `<svg class="${classes}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${inner}</svg>`;
}
