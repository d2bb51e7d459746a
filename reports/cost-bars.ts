/**
 * Stacked bars: how many requests of one kind a unit takes, by cause, one bar for each row.
 *
 *   B1  all bars of a chart have one scale, and a cause has one colour on the whole page.
 *   B2  each part says its figure when it is pointed at; the table beside the charts says all of them.
 */
import { CAUSES, type CountKind, type CountsByCause, figure } from "../ledger/index.ts";
import { escapeHtml } from "./escape.ts";

export interface BarRow {
  readonly name: string;
  readonly counts: CountsByCause;
  readonly units: number;
}

const NAME_WIDTH = 130;
const BAR_WIDTH = 320;
const VALUE_WIDTH = 50;
const ROW_HEIGHT = 26;
const BAR_HEIGHT = 16;

/** One chart: its title and a bar for each row. */
export function barsSvg(title: string, kind: CountKind, rows: readonly BarRow[]): string {
  const most = Math.max(1, ...rows.map((row) => sumOf(row, kind)));
  const width = NAME_WIDTH + BAR_WIDTH + VALUE_WIDTH;
  const height = rows.length * ROW_HEIGHT + 4;
  const bars = rows.map((row, at) => bar(row, kind, at * ROW_HEIGHT, BAR_WIDTH / most)).join("");
  const svg = `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeHtml(title)}">${bars}</svg>`;
  return `<figure class="chart"><figcaption>${escapeHtml(title)}</figcaption>${svg}</figure>`;
}

function bar(row: BarRow, kind: CountKind, y: number, scale: number): string {
  let x = NAME_WIDTH;
  const middle = y + ROW_HEIGHT / 2 + 4;
  const parts = CAUSES.map((cause) => {
    const value = (row.counts[cause]?.[kind] ?? 0) / row.units;
    if (value === 0) return "";
    const part = `<rect class="cause-${cause}" x="${round(x)}" y="${y + 5}" width="${round(value * scale)}" height="${BAR_HEIGHT}"><title>${escapeHtml(`${row.name}: ${cause} ${figure(value)}`)}</title></rect>`;
    x += value * scale;
    return part;
  });
  const name = `<text x="${NAME_WIDTH - 8}" y="${middle}" text-anchor="end">${escapeHtml(row.name)}</text>`;
  const value = `<text class="value" x="${round(x + 6)}" y="${middle}">${figure(sumOf(row, kind))}</text>`;
  return name + parts.join("") + value;
}

function sumOf({ counts, units }: BarRow, kind: CountKind): number {
  return CAUSES.reduce((sum, cause) => sum + (counts[cause]?.[kind] ?? 0), 0) / units;
}

/** Which colour is which cause; those that no row has are left out. */
export function legendHtml(rows: readonly BarRow[]): string {
  const shown = CAUSES.filter((cause) => rows.some(({ counts }) => counts[cause] !== undefined));
  const items = shown.map((cause) => `<span><i class="cause-${cause}"></i>${cause}</span>`);
  return `<p class="legend-row">${items.join("")}</p>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
