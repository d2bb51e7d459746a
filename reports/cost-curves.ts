/**
 * Growth: what a handoff costs against one thing that grows, a small chart for each.
 *
 *   C1  a point is a record; between points there is a straight line and nothing is made up beyond them.
 *   C2  across, the scale doubles (the first point may be 0); upwards it begins at 0, so that flat looks flat.
 */
import { escapeHtml } from "./escape.ts";

export interface Line {
  readonly name: string;
  /** A class of the style sheet: its colour. */
  readonly classes: string;
  /** Across and up, ascending. */
  readonly points: readonly (readonly [at: number, value: number])[];
}

const WIDTH = 262;
/** Two places across whose figures would touch show the later one only. */
const MARK_WIDTH = 26;
const HEIGHT = 170;
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 62, 12, 26];

export function curveSvg(title: string, lines: readonly Line[], tell: (value: number) => string): string {
  const points = lines.flatMap((line) => line.points);
  const places = [...new Set(points.map(([at]) => at))].sort((a, b) => a - b);
  const widest = Math.max(1e-9, across(places.at(-1) ?? 1) - across(places[0] ?? 0));
  const most = ceilingOf(Math.max(...points.map(([, value]) => value)));
  const x = (at: number): number =>
    round(LEFT + ((across(at) - across(places[0] ?? 0)) / widest) * (WIDTH - LEFT - RIGHT));
  const y = (value: number): number => round(HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM));
  const rules = [0, most / 2, most].map(
    (value) =>
      `<line class="rule" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${tell(value)}</text>`,
  );
  const shown = places.filter((at, n) => {
    const next = places[n + 1];
    return next === undefined || x(next) - x(at) >= MARK_WIDTH;
  });
  const marks = shown.map((at) => `<text x="${x(at)}" y="${HEIGHT - 8}" text-anchor="middle">${at}</text>`);
  const drawn = lines.map((line) => lineSvg(title, line, x, y, tell));
  const labels = labelsOf(lines, y).map(
    ({ name, classes, at }) =>
      `<text class="name ${classes}" x="${WIDTH - RIGHT + 8}" y="${at + 4}">${escapeHtml(name)}</text>`,
  );
  const svg = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${[...rules, ...marks, ...drawn, ...labels].join("")}</svg>`;
  return `<figure class="chart"><figcaption>${escapeHtml(title)}</figcaption>${svg}</figure>`;
}

function lineSvg(
  title: string,
  { name, classes, points }: Line,
  x: (at: number) => number,
  y: (value: number) => number,
  tell: (value: number) => string,
): string {
  const path = points.map(([at, value], n) => `${n === 0 ? "M" : "L"}${x(at)} ${y(value)}`).join("");
  const dots = points.map(
    ([at, value]) =>
      `<circle class="${classes}" cx="${x(at)}" cy="${y(value)}" r="3.5"><title>${escapeHtml(`${title} ${at}: ${tell(value)} ${name}`)}</title></circle>`,
  );
  return `<path class="curve ${classes}" d="${path}"/>${dots.join("")}`;
}

/** Names at the ends of their lines, moved apart where they would lie on each other. */
function labelsOf(lines: readonly Line[], y: (value: number) => number) {
  const ends = lines.map(({ name, classes, points }) => ({ name, classes, at: y(points.at(-1)?.[1] ?? 0) }));
  const sorted = ends.sort((a, b) => a.at - b.at);
  let least = 0;
  return sorted.map((label) => {
    const at = Math.max(label.at, least);
    least = at + 14;
    return { ...label, at };
  });
}

/** C2. */
function across(at: number): number {
  return Math.log2(at + 1);
}

/** The least round number that is not below the value. */
function ceilingOf(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((n) => n * power).find((n) => n >= value) ?? value;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
