/**
 * `baton mutants`: each planted bug against each way of searching, and how long each takes to see it.
 *
 * Owns what is asked and which earlier hunts are taken over. The hunts are `bug-hunts.ts`, the figures
 * `mutants-matrix.ts`, and what is told while they go on `mutants-session.ts`.
 *
 *   N8  `--resume` takes over the hunts that are kept: their seeds, bounds and rows. What was not asked for now stays
 *       in the matrix as it is, so that a matrix can be made in parts. Version and code have to be those that the hunts
 *       were made with. The edit of a bug is no part of that: when it was mended, its hunts alone are left out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlantedBug } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import type { Shelf } from "../shelf.ts";
import { checkLastSeed, pick, pickOne, UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { table } from "../terminal/table.ts";
import { checkReports, readReasonOf } from "../terminal/write-file.ts";
import { awaitSignal, type HuntOrder, SEEDS_APART } from "./bug-hunts.ts";
import { FAST_CHECK, HUNTER_NAMES, hunterOf } from "./hunters.ts";
import { editOf, type KeptMatrix, MUTANTS_PATH, parseMutants } from "./mutants-file.ts";
import { MutantsSession } from "./mutants-session.ts";

export interface MutantsOptions {
  readonly list?: boolean;
  readonly seedsPerBug?: number;
  readonly seed?: number;
  readonly for?: number;
  readonly runs?: number;
  readonly huntFor?: number;
  readonly jobs?: number;
  readonly strategy?: readonly string[];
  readonly resume?: boolean;
  readonly json?: boolean;
}

export const DEFAULT_SEEDS_PER_BUG = 10;
export const DEFAULT_HUNT_RUNS = 5_000;
const DEFAULT_HUNT_MS = 60_000;

/** Checks what was asked for, then hunts; answers the exit code. */
export async function mutantsCommand(
  io: Io,
  shelf: Shelf,
  names: readonly string[],
  options: MutantsOptions,
): Promise<number> {
  const bugs = pick("planted bug", shelf.bugs, names);
  if (options.list === true) return list(io, bugs, options);
  const kept = options.resume === true ? readKept(io, shelf) : null;
  const asked = await huntersOf(io, shelf.bugs, options.strategy ?? kept?.order.hunters ?? HUNTER_NAMES);
  const hunters = [...new Set([...(kept?.order.hunters ?? []), ...asked])];
  const bounds = orderOf(io, options, kept);
  checkReports(io);
  const code = await codeOf(io, shelf);
  if (code === null) return EXIT.interrupted;
  return new MutantsSession(io, shelf, {
    order: { ...bounds, code, hunters: asked },
    hunters,
    kept: kept === null ? null : ofThisCode(io, shelf, kept, code),
    jobs: options.jobs ?? 1,
    forMs: options.for ?? null,
    json: options.json === true,
  }).run(bugs);
}

/** One bug a line: its name, what it is drawn from, what has to see it, and what is wrong with it. */
function list(io: Io, bugs: readonly PlantedBug[], { list: _, ...others }: MutantsOptions): number {
  if (Object.values(others).some((value) => value !== undefined)) {
    throw new UsageError("--list hunts nothing: give it alone, or with the names of bugs");
  }
  const rows = bugs.map((bug) => [bug.name, bug.catalogue, bug.caughtBy.join(" or "), bug.about]);
  io.out(`${table(rows, "")}\n`);
  return EXIT.pass;
}

/** The names of those asked for; what is not installed is told and left out. */
async function huntersOf(
  io: Io,
  bugs: readonly PlantedBug[],
  names: readonly string[],
): Promise<readonly string[]> {
  const known = HUNTER_NAMES.map((name) => ({ name }));
  const split = names.flatMap((list) => list.split(","));
  const bug = split.find((name) => bugs.some((one) => one.name === name));
  if (bug !== undefined) {
    throw new UsageError(
      `--strategy takes all names behind it: give ${bug} before it, or part strategies by commas`,
    );
  }
  const asked = [...new Set(split.map((name) => pickOne("strategy", known, name).name))];
  if (!asked.includes(FAST_CHECK) || (await hunterOf(FAST_CHECK, () => io.turn())) !== null) return asked;
  io.err(`${FAST_CHECK} is not installed, so its column is left out: npm install --save-dev ${FAST_CHECK}\n`);
  return asked.filter((name) => name !== FAST_CHECK);
}

/** N8: what the kept matrix was made with holds, and nothing else may be asked for. */
function orderOf(
  io: Io,
  options: MutantsOptions,
  kept: KeptMatrix | null,
): Omit<HuntOrder, "hunters" | "code"> {
  const before = kept?.order;
  const { seed, runs, huntFor } = options;
  const changed = [
    ["--seed", seed, before?.firstSeed],
    ["--runs", runs, before?.mostRuns],
    ["--hunt-for", huntFor, before?.huntMs],
  ].find(([, now, then]) => now !== undefined && then !== undefined && now !== then);
  if (changed !== undefined) {
    const [option, , then] = changed;
    throw new UsageError(`${option} differs from the kept matrix, which has ${then}: leave out one of both`);
  }
  const hunts = options.seedsPerBug ?? before?.hunts ?? DEFAULT_SEEDS_PER_BUG;
  const firstSeed = before?.firstSeed ?? seed ?? io.freshSeed();
  const mostRuns = before?.mostRuns ?? runs ?? DEFAULT_HUNT_RUNS;
  checkLastSeed(firstSeed, (hunts - 1) * SEEDS_APART + mostRuns);
  return { firstSeed, hunts, mostRuns, huntMs: before?.huntMs ?? huntFor ?? DEFAULT_HUNT_MS };
}

/** What hunts load now; null: a Ctrl-C ended what finds out. */
async function codeOf(io: Io, shelf: Shelf): Promise<string | null> {
  try {
    return await shelf.codeHash();
  } catch (error) {
    await awaitSignal(io);
    if (io.interrupted()) return null;
    throw error;
  }
}

/** N8. */
function ofThisCode(io: Io, shelf: Shelf, kept: KeptMatrix, code: string): KeptMatrix {
  if (kept.order.code !== code) {
    throw new UsageError(
      `${MUTANTS_PATH} was made with other code (${kept.order.code}, this is ${code}): run without --resume`,
    );
  }
  const edits = new Map(shelf.bugs.map((bug) => [bug.name, editOf(bug)]));
  const mended = kept.rows.filter(({ bug, edit }) => edits.get(bug) !== edit).map(({ bug }) => bug);
  if (mended.length > 0)
    io.err(`left out of the matrix are hunts for bugs whose edit was another one: ${mended.join(", ")}\n`);
  return { ...kept, rows: kept.rows.filter(({ bug }) => !mended.includes(bug)) };
}

/** The matrix to go on with; a bug that there is no more is left out of it. */
function readKept(io: Io, shelf: Shelf): KeptMatrix {
  const kept = parseMutants(textOf(io));
  if (kept === null)
    throw new UsageError(`${MUTANTS_PATH} holds no matrix of this version: nothing to resume`);
  if (kept.version !== shelf.version) {
    throw new UsageError(`${MUTANTS_PATH} was made by version ${kept.version}, this is ${shelf.version}`);
  }
  const known = kept.rows.filter(({ bug }) => shelf.bugs.some(({ name }) => name === bug));
  return { ...kept, rows: known };
}

function textOf(io: Io): string {
  try {
    return readFileSync(join(io.folder, MUTANTS_PATH), "utf8");
  } catch (error) {
    throw new UsageError(`nothing to resume: ${MUTANTS_PATH} cannot be read: ${readReasonOf(error)}`);
  }
}
