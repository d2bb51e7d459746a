/**
 * What a campaign's page shows besides its runs: files that `baton mutants` and `baton explore --json` wrote.
 *
 * Owns which files `--with` takes and how they become the page's panels. Each says its own format.
 *
 *   W4  A file that is none of these is an error of usage, told before anything runs.
 *   W5  Nothing is added up: one matrix at most, and of each scene what its file says.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { MatrixData, OrdersData } from "../../../reports/index.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../std/json.ts";
import type { Io } from "../io.ts";
import { BASELINES } from "../mutants/hunters.ts";
import { MUTANTS_FORMAT, parseMutants } from "../mutants/mutants-file.ts";
import { type Cell, figuresOf, hunterFigures, isFound, seenBy } from "../mutants/mutants-matrix.ts";
import { EXPLORE_FORMAT } from "../runs/explore-command.ts";
import { UsageError } from "../terminal/arguments.ts";
import { readReasonOf } from "../terminal/write-file.ts";

/** The panels. */
export interface Searches {
  readonly orders: readonly OrdersData[];
  readonly matrix: MatrixData | null;
}

/** Reads the files (W4, W5). `page`: where they are to be shown. */
export function readSearches(
  io: Io,
  paths: readonly string[] | undefined,
  page: string | undefined,
): Searches {
  if (paths !== undefined && page === undefined) {
    throw new UsageError("--with adds to the page of --report: give --report FILE, too");
  }
  const orders: OrdersData[] = [];
  let matrix: MatrixData | null = null;
  for (const path of paths ?? []) {
    const text = readText(io, path);
    const found = matrixIn(text);
    const searched = ordersIn(parseJson(text));
    if (found !== null && matrix !== null) throw new UsageError(`${path} is a second matrix: give one`);
    if (found !== null) matrix = found;
    else if (searched !== null) orders.push(searched);
    else {
      throw new UsageError(
        `${path} is nothing to show: give what \`baton mutants\` or \`baton explore --json\` wrote (${MUTANTS_FORMAT}, ${EXPLORE_FORMAT})`,
      );
    }
  }
  return { orders, matrix };
}

function readText(io: Io, path: string): string {
  try {
    return readFileSync(resolve(io.folder, path), "utf8");
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${readReasonOf(error)}`);
  }
}

/** The matrix in the text, and what it lacks; null: there is none. */
function matrixIn(text: string): MatrixData | null {
  const kept = parseMutants(text);
  if (kept === null) return null;
  const { rows, order, asked, ended } = kept;
  const { hunters } = order;
  const why = { done: "", time: ": the time was over", interrupted: ": stopped by the user", running: "" }[
    ended
  ];
  return {
    partial:
      ended === "done" ? null : `Not the whole matrix${why}. ${rows.length} of ${asked} bugs were begun.`,
    strategies: hunters.map((name) => {
      const { tried, found, medianRuns, p90Runs, ratios, ...of } = hunterFigures(rows, name, BASELINES);
      const [medianSeconds, p90Seconds] = [seconds(of.medianMs), seconds(of.p90Ms)];
      return { name, tried, found, medianRuns, p90Runs, medianSeconds, p90Seconds, ratios };
    }),
    rows: rows.map((row) => ({
      bug: row.bug,
      invariant: isFound(row) ? (seenBy(row)[0] ?? null) : null,
      cells: hunters.map((name) => cellData(row.cells.find(({ hunter }) => hunter === name))),
    })),
  };
}

/** Null: not tried. */
function cellData(cell: Cell | undefined) {
  if (cell === undefined || cell.trials.length === 0) return null;
  const { trials: tried, medianMs, p90Ms, ...figures } = figuresOf(cell);
  return { ...figures, tried, medianSeconds: seconds(medianMs), p90Seconds: seconds(p90Ms) };
}

function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}

/** The scene in the text; null: there is none. */
function ordersIn(value: ReturnType<typeof parseJson>): OrdersData | null {
  if (!isJsonObject(value) || value.format !== EXPLORE_FORMAT) return null;
  const { scene, statement, orders, complete, failure } = value;
  if (typeof scene !== "string" || typeof statement !== "string") return null;
  if (typeof orders !== "string" || !/^\d+$/.test(orders) || failure === undefined) return null;
  const [classes, storeOps, wallMs] = ["classes", "storeOps", "wallMs"].map((name) => countIn(value, name));
  if (classes === undefined || storeOps === undefined || wallMs === undefined) return null;
  return {
    scene,
    statement,
    sound: complete === true && failure === null,
    orders,
    classes,
    storeOps,
    wallMs,
  };
}

function countIn(value: JsonObject, name: string): number | undefined {
  const n = value[name];
  return typeof n === "number" && n >= 0 && Number.isSafeInteger(n) ? n : undefined;
}
