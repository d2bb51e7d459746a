/**
 * A matrix of planted bugs from its first hunt to its summary.
 *
 *   N3  a bug that nothing finds is a hole in the checkers or the workloads: it is told, and the exit code is 1. A bug
 *       whose hunts were not all made is none yet.
 *   N4  the lines come one by one, each when all hunts for its bug are over: a long matrix can be read while it grows.
 *   N5  the matrix is kept in `reports/mutants.json` after each bug and at the end, also when it was ended early, and
 *       then says so.
 *   N9  with several threads a bug is hunted by one of them. The matrix has the bugs in their own order all the same.
 */
import { join } from "node:path";
import type { PlantedBug } from "../../../sim/index.ts";
import type { Io } from "../io.ts";
import type { Shelf } from "../shelf.ts";
import { UsageError } from "../terminal/arguments.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Progress } from "../terminal/progress.ts";
import { spell } from "../terminal/table.ts";
import { writeWhole } from "../terminal/write-file.ts";
import { BugHunts, type HuntNews, type HuntOrder, type HuntTask } from "./bug-hunts.ts";
import { HuntPool } from "./hunt-pool.ts";
import { editOf, type KeptMatrix, type MatrixEnd, MUTANTS_PATH, matrixJson } from "./mutants-file.ts";
import { cellText, isFound, type Row, seenBy, type Trial } from "./mutants-matrix.ts";
import { strategiesTable } from "./mutants-summary.ts";

/** What is to be hunted, and how it is told. */
export interface MutantsPlan {
  readonly order: HuntOrder;
  /** The columns: those hunted with now, and those that are kept from before. */
  readonly hunters: readonly string[];
  readonly kept: KeptMatrix | null;
  readonly jobs: number;
  readonly forMs: number | null;
  readonly json: boolean;
}

const CELL_CHARS = 25;

export class MutantsSession {
  readonly #io: Io;
  readonly #shelf: Shelf;
  readonly #plan: MutantsPlan;
  readonly #progress: Progress;
  readonly #startMs: number;
  /** By bug, then by hunter. */
  readonly #trials = new Map<string, Map<string, Trial[]>>();
  readonly #done = new Set<string>();
  #asked: readonly PlantedBug[] = [];
  #nameChars = 0;
  #ended: MatrixEnd = "running";

  constructor(io: Io, shelf: Shelf, plan: MutantsPlan) {
    this.#io = io;
    this.#shelf = shelf;
    this.#plan = plan;
    this.#progress = new Progress(io);
    this.#startMs = io.nowMs();
    for (const { bug, cells } of plan.kept?.rows ?? [])
      this.#trials.set(bug, new Map(cells.map(({ hunter, trials }) => [hunter, [...trials]])));
  }

  /** Answers the exit code. */
  async run(bugs: readonly PlantedBug[]): Promise<number> {
    this.#asked = bugs;
    this.#nameChars = Math.max(...bugs.map(({ name }) => name.length));
    const head = this.#plan.hunters.map((name) => name.padEnd(CELL_CHARS)).join(" ");
    this.#say(`${"".padEnd(this.#nameChars)} ${head} seen by\n`);
    const tasks = bugs.map(({ name }): HuntTask => ({ bug: name, known: this.#rowOf(name)?.cells ?? [] }));
    if (this.#plan.jobs === 1) await this.#huntHere(tasks);
    else await this.#huntInThreads(tasks);
    if (this.#ended === "running") this.#ended = "done";
    return this.#end();
  }

  async #huntHere(tasks: readonly HuntTask[]): Promise<void> {
    const hunts = new BugHunts(this.#shelf, this.#plan.order, this.#io, (news) => this.#hear(news));
    for (const task of tasks) if (this.#goesOn()) await hunts.hunt(task);
  }

  async #huntInThreads(tasks: readonly HuntTask[]): Promise<void> {
    const { jobs, order } = this.#plan;
    const threads = Array.from({ length: Math.min(jobs, tasks.length) }, () => this.#io.startHunts(order));
    const pool = new HuntPool(threads, (news) => this.#hear(news));
    await pool.hunt(tasks).finally(() => pool.end());
  }

  /** Takes in what a hunt tells, from here or from a thread; answers whether to go on. */
  #hear(news: HuntNews): boolean {
    if (news.kind === "broken") {
      // A Ctrl-C also ends what loads a bug.
      if (!this.#goesOn()) return false;
      throw news.usage ? new UsageError(news.error) : new Error(`${news.bug}: ${news.error}`);
    }
    if (news.kind === "trial") this.#add(news.bug, news.hunter, news.trial);
    else if (news.kind === "done") this.#tellRow(news.bug);
    else this.#progress.line(this.#going(news.bug, news.hunter, news.hunt), this.#io.nowMs());
    return this.#goesOn();
  }

  #goesOn(): boolean {
    const { forMs } = this.#plan;
    if (this.#io.interrupted()) this.#ended = "interrupted";
    else if (forMs !== null && this.#io.nowMs() - this.#startMs >= forMs) this.#ended = "time";
    return this.#ended === "running";
  }

  #add(bug: string, hunter: string, trial: Trial): void {
    const cells = this.#trials.get(bug) ?? new Map<string, Trial[]>();
    const trials = cells.get(hunter) ?? [];
    trials.push(trial);
    cells.set(hunter, trials);
    this.#trials.set(bug, cells);
  }

  /** N4, N5. */
  #tellRow(bug: string): void {
    this.#done.add(bug);
    this.#progress.clear();
    this.#say(this.#line(bug));
    this.#keep();
  }

  #line(bug: string): string {
    const row = this.#rowOf(bug);
    const cells = this.#plan.hunters.map((name) =>
      cellText(row?.cells.find(({ hunter }) => hunter === name)).padEnd(CELL_CHARS),
    );
    const seen = row !== null && isFound(row) ? seenBy(row).slice(0, 2).join(", ") : "NOTHING: a hole";
    const part = this.#done.has(bug) ? seen : "(stopped)";
    return `${bug.padEnd(this.#nameChars)} ${cells.join(" ")} ${part}\n`;
  }

  /** For the line that moves: how far the matrix is, and where. */
  #going(bug: string, hunter: string, hunt: number): string {
    const { hunts } = this.#plan.order;
    const passed = spell(this.#io.nowMs() - this.#startMs);
    return `${this.#done.size} of ${this.#asked.length} bugs, ${passed}; ${bug}: ${hunter}, hunt ${hunt + 1} of ${hunts}`;
  }

  /** What is known of the bug; null: no hunt for it has ended. */
  #rowOf(bug: string): Row | null {
    const cells = this.#trials.get(bug);
    const known = this.#shelf.bugs.find(({ name }) => name === bug);
    if (cells === undefined || known === undefined) return null;
    const { hunters } = this.#plan;
    const made = hunters.map((hunter) => ({ hunter, trials: cells.get(hunter) ?? [] }));
    const { catalogue } = known;
    return { bug, catalogue, edit: editOf(known), cells: made.filter(({ trials }) => trials.length > 0) };
  }

  /** In the order of the list. */
  #rows(): readonly Row[] {
    return this.#shelf.bugs.map(({ name }) => this.#rowOf(name)).filter((row) => row !== null);
  }

  /** As it is kept and printed: what is from before and what is from now. */
  #matrix() {
    const { order, hunters, kept } = this.#plan;
    const bugs = new Set([...this.#asked.map(({ name }) => name), ...this.#trials.keys()]);
    return matrixJson({
      version: this.#shelf.version,
      order: { ...order, hunters },
      ended: this.#ended,
      asked: bugs.size,
      wallMs: (kept?.wallMs ?? 0) + this.#io.nowMs() - this.#startMs,
      rows: this.#rows(),
    });
  }

  /** N5. */
  #keep(): void {
    writeWhole(join(this.#io.folder, MUTANTS_PATH), `${JSON.stringify(this.#matrix(), null, 1)}\n`);
  }

  /** N3. */
  #end(): number {
    this.#progress.clear();
    for (const { name } of this.#asked)
      if (this.#trials.has(name) && !this.#done.has(name)) this.#say(this.#line(name));
    this.#keep();
    if (this.#plan.json) this.#io.out(`${JSON.stringify(this.#matrix())}\n`);
    const holes = this.#rows().filter((row) => this.#done.has(row.bug) && !isFound(row));
    this.#say(this.#summary(holes));
    if (this.#ended === "interrupted") return EXIT.interrupted;
    return holes.length === 0 ? EXIT.pass : EXIT.violation;
  }

  /** What the whole matrix says, and what it lacks. */
  #summary(holes: readonly Row[]): string {
    const { hunts, firstSeed } = this.#plan.order;
    const passed = spell(this.#io.nowMs() - this.#startMs);
    const why = { done: "", time: "the time was over", interrupted: "stopped by Ctrl-C", running: "" };
    const told = [
      "",
      strategiesTable(this.#rows(), this.#plan.hunters),
      `${this.#done.size} of ${this.#asked.length} bugs, ${hunts} hunts each, seed ${firstSeed}, ${passed}; kept in ${MUTANTS_PATH}`,
    ];
    if (this.#ended !== "done") told.push(`partial: ${why[this.#ended]}; go on with --resume`);
    if (holes.length > 0) told.push(`found by nothing: ${holes.map(({ bug }) => bug).join(", ")}`);
    return `${told.join("\n")}\n`;
  }

  /** With `--json` standard output holds the JSON alone. */
  #say(text: string): void {
    if (this.#plan.json) this.#io.err(text);
    else this.#io.out(text);
  }
}
