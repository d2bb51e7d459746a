/**
 * The matrix as a file, `reports/mutants.json`: every hunt, so that other figures can be made of it later, and so that a
 * matrix that was stopped goes on where it was.
 *
 *   F1  The file is written whole or not at all, after each bug and at the end: a matrix that is killed loses only the
 *       hunts of the bugs under way. `ended` is `running` until the end.
 *   F2  What is read back is looked at field by field; the figures in the file are for people and are made again.
 *   F3  It says which code the hunts loaded, and of each bug which edit it was: a bug whose edit was mended is another
 *       one under the same name. A file from before that has no code, and no edits.
 */
import { join } from "node:path";
import type { PlantedBug } from "../../../sim/index.ts";
import { sha256 } from "../../std/hash.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../std/json.ts";
import type { HuntOrder } from "./bug-hunts.ts";
import { BASELINES } from "./hunters.ts";
import { type Cell, figuresOf, hunterFigures, type Row, seenBy, type Trial } from "./mutants-matrix.ts";

/** From the folder of the user. */
export const MUTANTS_PATH = join("reports", "mutants.json");
export const MUTANTS_FORMAT = "baton.mutants.v2";

/** F3. The code of a file that does not say it. */
const NO_CODE = "unknown";

/** F3. Which edit the bug is. */
export function editOf({ file, find, replace }: PlantedBug): string {
  return sha256(JSON.stringify([file, find, replace])).slice(0, 16);
}

/** How a matrix ended; `running`: it did not yet, or was killed. */
export type MatrixEnd = "done" | "time" | "interrupted" | "running";

export interface KeptMatrix {
  readonly version: string;
  readonly order: HuntOrder;
  readonly ended: MatrixEnd;
  /** Bugs that were asked for. */
  readonly asked: number;
  readonly wallMs: number;
  readonly rows: readonly Row[];
}

/** The matrix as data. */
export function matrixJson({ version, order, ended, asked, wallMs, rows }: KeptMatrix) {
  const { code, hunters, firstSeed, hunts, mostRuns, huntMs } = order;
  return {
    format: MUTANTS_FORMAT,
    version,
    code,
    seed: firstSeed,
    ended,
    asked,
    hunts,
    mostRuns,
    huntMs,
    hunters,
    wallMs: Math.round(wallMs),
    strategies: hunters.map((name) => ({ name, ...hunterFigures(rows, name, BASELINES) })),
    bugs: rows.map((row) => ({
      ...row,
      seenBy: seenBy(row),
      cells: row.cells.map((cell) => ({ ...cell, ...figuresOf(cell), trials: cell.trials })),
    })),
  };
}

/** The matrix in the text; null when it is none of this version. */
export function parseMutants(text: string): KeptMatrix | null {
  const value = parseJson(text);
  if (!isJsonObject(value) || value.format !== MUTANTS_FORMAT) return null;
  const [firstSeed, hunts, mostRuns, huntMs, asked, wallMs] = [
    "seed",
    "hunts",
    "mostRuns",
    "huntMs",
    "asked",
    "wallMs",
  ].map((name) => countIn(value, name));
  const { version, ended, code = NO_CODE } = value;
  const hunters = textsIn(value.hunters);
  const rows = Array.isArray(value.bugs) ? value.bugs.map(rowIn) : null;
  if (firstSeed === undefined || hunts === undefined || mostRuns === undefined) return null;
  if (huntMs === undefined || asked === undefined || wallMs === undefined) return null;
  if (typeof version !== "string" || typeof code !== "string" || hunters === null || rows === null)
    return null;
  const known = rows.filter((row) => row !== null);
  if (known.length < rows.length || !isEnd(ended)) return null;
  const order = { code, hunters, firstSeed, hunts, mostRuns, huntMs };
  return { version, order, ended, asked, wallMs, rows: known };
}

function isEnd(value: Json | undefined): value is MatrixEnd {
  return ["done", "time", "interrupted", "running"].includes(String(value));
}

function rowIn(value: Json): Row | null {
  if (!isJsonObject(value) || !Array.isArray(value.cells)) return null;
  const { bug, catalogue, edit = "" } = value;
  const cells = value.cells.map(cellIn).filter((cell) => cell !== null);
  if (typeof bug !== "string" || typeof catalogue !== "string" || typeof edit !== "string") return null;
  return cells.length < value.cells.length ? null : { bug, catalogue, edit, cells };
}

function cellIn(value: Json): Cell | null {
  if (!isJsonObject(value) || typeof value.hunter !== "string" || !Array.isArray(value.trials)) return null;
  const trials = value.trials.map(trialIn).filter((trial) => trial !== null);
  return trials.length < value.trials.length ? null : { hunter: value.hunter, trials };
}

function trialIn(value: Json): Trial | null {
  if (!isJsonObject(value)) return null;
  const [seed, runs, ms] = ["seed", "runs", "ms"].map((name) => countIn(value, name));
  if (seed === undefined || runs === undefined || ms === undefined) return null;
  if (value.caught === null) return { seed, runs, ms, caught: null };
  if (!isJsonObject(value.caught)) return null;
  const { scenario } = value.caught;
  const invariants = textsIn(value.caught.invariants);
  const at = countIn(value.caught, "seed");
  if (typeof scenario !== "string" || invariants === null || at === undefined) return null;
  return { seed, runs, ms, caught: { scenario, seed: at, invariants } };
}

function countIn(value: JsonObject, name: string): number | undefined {
  const n = value[name];
  return typeof n === "number" && n >= 0 && Number.isSafeInteger(n) ? n : undefined;
}

function textsIn(value: Json | undefined): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((text) => typeof text === "string");
  return texts.length < value.length ? null : texts;
}
