/**
 * The few SVG elements that a run's page is drawn with, as text.
 *
 * Owns that numbers are short and that no foreign text gets in unescaped: `text` takes it as it was recorded, all
 * other arguments come from this page's own code. Colours come from the classes, so that they follow light and dark.
 */
import { escapeHtml } from "../escape.ts";

export function line(x1: number, y1: number, x2: number, y2: number, classes: string): string {
  return path(`M${n(x1)} ${n(y1)}L${n(x2)} ${n(y2)}`, classes);
}

export function path(d: string, classes: string): string {
  return `<path class="${classes}" d="${d}"/>`;
}

export function rect(x: number, y: number, width: number, height: number, classes: string): string {
  return `<rect class="${classes}" x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"/>`;
}

export function dot(x: number, y: number, radius: number, classes: string): string {
  return `<circle class="${classes}" cx="${n(x)}" cy="${n(y)}" r="${n(radius)}"/>`;
}

export function cross(x: number, y: number, size: number, classes: string): string {
  const [a, b] = [n(x - size), n(x + size)];
  const [c, d] = [n(y - size), n(y + size)];
  return path(`M${a} ${c}L${b} ${d}M${a} ${d}L${b} ${c}`, classes);
}

/** Words beside a mark; `classes` may hold `end` for words that end there. */
export function text(x: number, y: number, words: string, classes: string): string {
  return words === ""
    ? ""
    : `<text class="${classes}" x="${n(x)}" y="${n(y + 3.5)}">${escapeHtml(words)}</text>`;
}

/** A curve from one place of a lane to a lower one, `bulge` pixels to the side. */
export function arc(x: number, y1: number, y2: number, bulge: number, classes: string): string {
  const side = n(x + bulge);
  return path(`M${n(x)} ${n(y1)}C${side} ${n(y1)} ${side} ${n(y2)} ${n(x)} ${n(y2)}`, classes);
}

/** With at most one digit behind the point. */
export function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
