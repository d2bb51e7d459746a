/**
 * A table as HTML text. Cells are HTML already: whoever fills one has escaped what is foreign in it.
 */

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
