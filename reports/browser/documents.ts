/**
 * Documents on the page: pretty JSON, and two of them as one text with the difference marked.
 *
 *   P1  A body that is no JSON is shown as it is.
 *   P2  Of a long run of equal lines only the ends are shown; the page says how many are left out.
 */
import { parseJson } from "../../src/std/json.ts";
import { escapeHtml } from "../escape.ts";
import { counted } from "../words.ts";
import { type DiffLine, lineDiff } from "./line-diff.ts";

/** Equal lines that are kept beside a difference. */
const AROUND = 4;

export function pretty(body: string): string {
  const value = parseJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}

/** One document. */
export function documentHtml(title: string, body: string): string {
  return `<figure class="document"><figcaption>${escapeHtml(title)}</figcaption><pre>${escapeHtml(pretty(body))}</pre></figure>`;
}

/** A document as it was and as it became; null: it was not there. */
export function changeHtml(title: string, before: string | null, after: string | null): string {
  const lines = lineDiff(before === null ? "" : pretty(before), after === null ? "" : pretty(after));
  const [gone, added] = [count(lines, "gone"), count(lines, "new")];
  const figures =
    gone + added === 0 ? "no difference" : `<b class="gone">−${gone}</b> <b class="new">+${added}</b> lines`;
  return `<figure class="document"><figcaption>${escapeHtml(title)} <span>${figures}</span></figcaption><pre>${folded(lines)}</pre></figure>`;
}

function count(lines: readonly DiffLine[], mark: DiffLine["mark"]): number {
  return lines.filter((line) => line.mark === mark).length;
}

/** P2. */
function folded(lines: readonly DiffLine[]): string {
  const near = new Set<number>();
  for (const [i, { mark }] of lines.entries()) {
    if (mark !== "same") for (let j = i - AROUND; j <= i + AROUND; j++) near.add(j);
  }
  const parts: string[] = [];
  let hidden: string[] = [];
  const flush = (): void => {
    if (hidden.length > 2) parts.push(fold(hidden));
    else parts.push(...hidden);
    hidden = [];
  };
  for (const [i, line] of lines.entries()) {
    if (near.size > 0 && !near.has(i)) hidden.push(lineHtml(line));
    else {
      flush();
      parts.push(lineHtml(line));
    }
  }
  flush();
  return parts.join("");
}

function fold(lines: readonly string[]): string {
  return `<details class="fold"><summary>${counted(lines.length, "equal line")}</summary>${lines.join("")}</details>`;
}

const SIGNS = { same: " ", gone: "−", new: "+" } as const;

function lineHtml({ mark, text }: DiffLine): string {
  return `<span class="line ${mark}">${SIGNS[mark]} ${escapeHtml(text)}\n</span>`;
}
