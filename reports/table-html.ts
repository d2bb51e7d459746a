/**
 * Tables, and the sections that they stand in, as HTML text. Cells are HTML already: whoever fills one has escaped what
 * is foreign in it.
 */
import { escapeHtml } from "./escape.ts";
import { grouped } from "./words.ts";

export type Cell = string | { readonly html: string; readonly classes: string };

export function tableHtml(
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
  classes = "",
): string {
  const head = heads.map((name) => `<th>${name}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map(cellHtml).join("")}</tr>`).join("\n");
  return `<div class="wide"><table class="${classes}"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function cellHtml(cell: Cell): string {
  return typeof cell === "string" ? `<td>${cell}</td>` : `<td class="${cell.classes}">${cell.html}</td>`;
}

/** A part of a page: its title, a sentence, which is escaped here, and HTML. */
export function section(title: string, said: string, inner: string): string {
  return `<section><h2>${title}</h2>${said === "" ? "" : `<p>${escapeHtml(said)}</p>`}${inner}</section>`;
}

/** A zero stands out. */
export function number(count: number): Cell {
  return { html: grouped(count), classes: count === 0 ? "number never" : "number" };
}
