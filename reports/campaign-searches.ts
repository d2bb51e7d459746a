/**
 * The parts of a campaign's page about what was searched beside its runs: the matrix of planted bugs, and the scenes
 * that were run in all their orders.
 *
 *   Z5  What is not whole says so above its table: a matrix that was stopped, a scene whose orders were not all run.
 *   Z6  A figure that there is not, because too few hunts found the bug, is a dash, never a zero.
 */
import type { MatrixCellData, MatrixData, OrdersData, StrategyData } from "./campaign-data.ts";
import { escapeHtml } from "./escape.ts";
import { type Cell, number, section, tableHtml } from "./table-html.ts";
import { counted, grouped, spell } from "./words.ts";

/** Strategies over all bugs, then bugs down and strategies across. */
export function matrixHtml(matrix: MatrixData | null): string {
  if (matrix === null) return "";
  const said = "Runs and seconds until a bug is found: median, and 90th percentile in brackets.";
  const partial = matrix.partial === null ? "" : `<p class="never">${escapeHtml(matrix.partial)}</p>`;
  const rows = matrix.rows.map(({ bug, invariant, cells }): readonly Cell[] => [
    escapeHtml(bug),
    invariant === null ? { html: "nothing sees it", classes: "never" } : escapeHtml(invariant),
    ...cells.map(matrixCell),
  ]);
  const heads = ["bug", "seen by", ...matrix.strategies.map(({ name }) => escapeHtml(name))];
  const inner = `${partial}${strategiesHtml(matrix.strategies)}${tableHtml(heads, rows, "points")}`;
  return section("Planted bugs by strategy", said, inner);
}

function strategiesHtml(strategies: readonly StrategyData[]): string {
  const rows = strategies.map((one): readonly Cell[] => [
    escapeHtml(one.name),
    { html: `${one.found} of ${one.tried}`, classes: one.found < one.tried ? "number never" : "number" },
    figures(one),
    one.ratios
      .map(
        ({ against, times, bugs }) =>
          `${escapeHtml(against)} needs ${times.toFixed(2)} times the runs <small>over ${counted(bugs, "bug")}</small>`,
      )
      .join("<br>"),
  ]);
  return tableHtml(["strategy", "bugs found", "a bug takes", "in comparison"], rows);
}

function matrixCell(cell: MatrixCellData | null): Cell {
  if (cell === null) return { html: "", classes: "none" };
  if (cell.found === 0) return { html: "not found", classes: "number never" };
  const share = cell.found === cell.tried ? "" : `<small>${cell.found} of ${cell.tried}</small> `;
  return { html: `${share}${figuresText(cell)}`, classes: "number" };
}

function figures(of: StrategyData): Cell {
  return { html: figuresText(of), classes: "number" };
}

/** Z6. */
function figuresText(of: Pick<StrategyData, "medianRuns" | "p90Runs" | "medianSeconds" | "p90Seconds">) {
  const runs = (n: number | null): string => (n === null ? "–" : grouped(n));
  const seconds = (n: number | null): string => (n === null ? "–" : n.toFixed(1));
  return `${runs(of.medianRuns)} (${runs(of.p90Runs)}) runs<br>${seconds(of.medianSeconds)} (${seconds(of.p90Seconds)}) s`;
}

/** Z5. */
export function ordersHtml(orders: readonly OrdersData[]): string {
  if (orders.length === 0) return "";
  const open = orders.filter(({ sound }) => !sound).map(({ scene }) => scene);
  const said =
    open.length === 0
      ? "Every order of these scenes was run, or is equivalent to one that was."
      : `Not searched to the end, or broken: ${open.join(", ")}.`;
  const rows = orders.map((one): readonly Cell[] => [
    escapeHtml(one.scene),
    one.sound ? escapeHtml(one.statement) : { html: escapeHtml(one.statement), classes: "never" },
    { html: escapeHtml(one.orders.replaceAll(/\B(?=(\d{3})+$)/g, ",")), classes: "number" },
    number(one.classes),
    number(one.storeOps),
    { html: spell(one.wallMs), classes: "number" },
  ]);
  const heads = ["scene", "found out", "orders", "classes, each run", "store operations", "real time"];
  return section("Orders of small scenes", said, tableHtml(heads, rows));
}
