/**
 * `baton mutants`: each planted bug against each way of searching, and how long each takes to see it.
 *
 *   N1  a cell is several hunts from seeds far apart, each of at most `MOST_RUNS` runs and `HUNT_MS` of real time.
 *   N2  a cell whose first `HOPELESS` hunts find nothing has no more of them: a strategy that cannot make what a bug
 *       needs would only take its time.
 *   N3  a bug that nothing finds is a hole in the checkers or the workloads: it is told, and the exit code is 1.
 *   N4  the lines come one by one, each when all hunts for its bug are over: a long matrix can be read while it grows.
 *   N5  the matrix is kept in `reports/mutants.json`, also when it was ended early.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PlantedBug, Scenario } from "../../sim/index.ts";
import { pick, pickOne } from "./arguments.ts";
import { EXIT } from "./exit-codes.ts";
import { FAST_CHECK, HUNTER_NAMES, type Hunter, hunterOf } from "./hunters.ts";
import type { Io } from "./io.ts";
import {
  type Cell,
  cellText,
  figuresOf,
  isFound,
  type Row,
  ratio,
  seenBy,
  type Trial,
} from "./mutants-matrix.ts";
import type { Shelf } from "./shelf.ts";
import { spell, table } from "./table.ts";

export interface MutantsOptions {
  readonly list?: boolean;
  readonly seedsPerBug?: number;
  readonly seed?: number;
  readonly for?: number;
  readonly strategy?: readonly string[];
  readonly json?: boolean;
}

export const DEFAULT_SEEDS_PER_BUG = 10;
const MOST_RUNS = 5_000;
const HUNT_MS = 60_000;
const HOPELESS = 2;
/** Between the first seeds of two hunts for one bug. */
const SEEDS_APART = 1_000_003;
const CELL_CHARS = 25;

export async function mutantsCommand(
  io: Io,
  shelf: Shelf,
  names: readonly string[],
  options: MutantsOptions,
): Promise<number> {
  const bugs = pick("planted bug", shelf.bugs, names);
  if (options.list === true) return list(io, bugs);
  const hunters = await huntersOf(io, options.strategy ?? HUNTER_NAMES);
  return new Matrix(io, shelf, hunters, options).run(bugs);
}

/** One bug a line: its name, what it is drawn from, what has to see it, and what is wrong with it. */
function list(io: Io, bugs: readonly PlantedBug[]): number {
  const rows = bugs.map((bug) => [bug.name, bug.catalogue, bug.caughtBy.join(" or "), bug.about]);
  io.out(`${table(rows, "")}\n`);
  return EXIT.pass;
}

/** Those asked for, in that order; what is not installed is told and left out. */
async function huntersOf(io: Io, names: readonly string[]): Promise<readonly Hunter[]> {
  const known = HUNTER_NAMES.map((name) => ({ name }));
  const hunters: Hunter[] = [];
  for (const name of new Set(names.flatMap((list) => list.split(",")))) {
    const hunter = await hunterOf(pickOne("strategy", known, name).name, () => io.turn());
    if (hunter !== null) hunters.push(hunter);
    else
      io.err(
        `${FAST_CHECK} is not installed, so its column is left out: npm install --save-dev ${FAST_CHECK}\n`,
      );
  }
  return hunters;
}

/** One matrix under way: what was asked for, and the rows that are done. */
class Matrix {
  readonly #io: Io;
  readonly #shelf: Shelf;
  readonly #hunters: readonly Hunter[];
  readonly #options: MutantsOptions;
  readonly #firstSeed: number;
  readonly #startMs: number;
  readonly #rows: Row[] = [];
  #ended: "done" | "time" | "interrupted" = "done";

  constructor(io: Io, shelf: Shelf, hunters: readonly Hunter[], options: MutantsOptions) {
    this.#io = io;
    this.#shelf = shelf;
    this.#hunters = hunters;
    this.#options = options;
    this.#firstSeed = options.seed ?? io.freshSeed();
    this.#startMs = io.nowMs();
  }

  async run(bugs: readonly PlantedBug[]): Promise<number> {
    const nameChars = Math.max(...bugs.map(({ name }) => name.length));
    const head = this.#hunters.map(({ name }) => name.padEnd(CELL_CHARS)).join(" ");
    this.#say(`${"".padEnd(nameChars)} ${head} seen by\n`);
    for (const bug of bugs) {
      if (this.#ended !== "done") break;
      const row = await this.#row(bug);
      if (row.cells.length === 0) break;
      this.#rows.push(row);
      const cells = this.#hunters.map(({ name }) =>
        cellText(row.cells.find(({ hunter }) => hunter === name)).padEnd(CELL_CHARS),
      );
      const seen = isFound(row) ? seenBy(row).slice(0, 2).join(", ") : "NOTHING: a hole";
      this.#say(`${bug.name.padEnd(nameChars)} ${cells.join(" ")} ${seen}\n`);
    }
    return this.#end(bugs.length);
  }

  /** All hunts for one bug; the code with the bug is loaded once. */
  async #row(bug: PlantedBug): Promise<Row> {
    const scenarios = await this.#shelf.loadPlanted(bug);
    const cells: Cell[] = [];
    for (const hunter of this.#hunters) {
      const trials: Trial[] = [];
      const wanted = this.#options.seedsPerBug ?? DEFAULT_SEEDS_PER_BUG;
      for (let n = 0; n < wanted && this.#ended === "done"; n++) {
        const trial = await this.#trial(hunter, scenarios, this.#firstSeed + n * SEEDS_APART);
        // A hunt that was cut short says nothing of how long it would have taken.
        if (trial.caught !== null || this.#ended === "done") trials.push(trial);
        if (trials.length === HOPELESS && trials.every(({ caught }) => caught === null)) break;
      }
      if (trials.length > 0) cells.push({ hunter: hunter.name, trials });
    }
    return { bug: bug.name, catalogue: bug.catalogue, cells };
  }

  /** One hunt, timed. */
  async #trial(hunter: Hunter, scenarios: readonly Scenario[], seed: number): Promise<Trial> {
    const startMs = this.#io.nowMs();
    const goOn = () => this.#goOn(startMs);
    const { runs, caught } = await hunter.hunt({ scenarios, firstSeed: seed, mostRuns: MOST_RUNS, goOn });
    return { seed, runs, ms: this.#io.nowMs() - startMs, caught };
  }

  /** Whether a hunt that began then goes on. */
  async #goOn(startMs: number): Promise<boolean> {
    await this.#io.turn();
    const nowMs = this.#io.nowMs();
    if (this.#io.interrupted()) this.#ended = "interrupted";
    else if (this.#options.for !== undefined && nowMs - this.#startMs >= this.#options.for)
      this.#ended = "time";
    return this.#ended === "done" && nowMs - startMs < HUNT_MS;
  }

  /** N3, N5. */
  #end(asked: number): number {
    const holes = this.#rows.filter((row) => !isFound(row));
    const result = this.#result(asked);
    const folder = join(this.#io.folder, "reports");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "mutants.json"), `${JSON.stringify(result, null, 1)}\n`);
    if (this.#options.json === true) this.#io.out(`${JSON.stringify(result)}\n`);
    this.#say(`${this.#summary(holes, asked)}\n`);
    if (this.#ended === "interrupted") return EXIT.interrupted;
    return holes.length === 0 ? EXIT.pass : EXIT.violation;
  }

  /** What the whole matrix says of each way of searching. */
  #summary(holes: readonly Row[], asked: number): string {
    const lines = this.#hunters.map(({ name }) => {
      const cells = this.#rows.flatMap(({ cells }) => cells.filter(({ hunter }) => hunter === name));
      const figures = cells.map(figuresOf);
      const always = figures.filter(({ found, trials }) => found === trials).length;
      const quick = figures.filter(({ p90Ms }) => p90Ms !== null && p90Ms <= 10_000).length;
      return [
        name,
        `found ${figures.filter(({ found }) => found > 0).length} of ${cells.length}`,
        `in every hunt ${always}`,
        `9 of 10 hunts within 10 s: ${quick}`,
        ...this.#ratios(name),
      ];
    });
    const told = `${this.#rows.length} of ${asked} bugs, seed ${this.#firstSeed}, ${spell(this.#io.nowMs() - this.#startMs)}`;
    const hole = holes.length === 0 ? "" : `\nfound by nothing: ${holes.map(({ bug }) => bug).join(", ")}`;
    return `\n${table(lines, "")}\n${told}; kept in reports/mutants.json${hole}`;
  }

  /** How many more runs the alternatives need than this one. */
  #ratios(name: string): readonly string[] {
    const others = ["random", FAST_CHECK].filter(
      (other) => other !== name && this.#hunters.some((hunter) => hunter.name === other),
    );
    return others.map((other) => {
      const times = ratio(this.#rows, other, name);
      return times === null ? "" : `${other} needs ${times.toFixed(2)} times the runs`;
    });
  }

  /** The matrix as data, with every hunt, so that other figures can be made of it later. */
  #result(asked: number) {
    return {
      format: "baton.mutants.v1",
      version: this.#shelf.version,
      seed: this.#firstSeed,
      ended: this.#ended,
      asked,
      hunters: this.#hunters.map(({ name }) => name),
      wallMs: Math.round(this.#io.nowMs() - this.#startMs),
      bugs: this.#rows.map((row) => ({
        ...row,
        seenBy: seenBy(row),
        cells: row.cells.map((cell) => ({ ...cell, ...figuresOf(cell) })),
      })),
    };
  }

  /** With `--json` standard output holds the JSON alone. */
  #say(text: string): void {
    if (this.#options.json === true) this.#io.err(text);
    else this.#io.out(text);
  }
}
