/**
 * The hunts for one planted bug, here or in a thread: what is asked, what is told of them, and how they are made.
 *
 *   N1  a cell is several hunts from seeds far apart, each of at most so many runs and so much real time.
 *   N2  a cell whose first `HOPELESS` hunts find nothing has no more of them: a strategy that cannot make what a bug
 *       needs would only take its time.
 *   N6  which runs a hunt makes depends on its seed alone. Only its seconds depend on what else the machine does, and
 *       so whether its bound of time ended it.
 *   N10 what ends a hunt may be the death of the bundler by a Ctrl-C that this process has not been told of yet: one turn
 *       of the event loop may end before it looks for signals. So an error is told a little later.
 *   N11 a bug is only loaded into the code that the matrix began with. When the sources have changed since, the matrix ends
 *       there and says so: its rows are of one code.
 *   N7  hunts that are known already are not made again; the bug is loaded only when there is one to make.
 */
import type { PlantedBug, Scenario } from "../../../sim/index.ts";
import { present } from "../../std/assert.ts";
import type { Shelf } from "../shelf.ts";
import { UsageError } from "../terminal/arguments.ts";
import { type Hunter, hunterOf } from "./hunters.ts";
import { type Cell, hopeless, type Trial } from "./mutants-matrix.ts";

/** How all hunts of a matrix are made: plain data, so that a thread can have it. */
export interface HuntOrder {
  /** `Shelf.codeHash` when the matrix was begun. */
  readonly code: string;
  /** Names of hunters that are installed. */
  readonly hunters: readonly string[];
  readonly firstSeed: number;
  /** Hunts for each bug and hunter. */
  readonly hunts: number;
  readonly mostRuns: number;
  readonly huntMs: number;
}

/** One bug, and the hunts for it that are known already. */
export interface HuntTask {
  readonly bug: string;
  readonly known: readonly Cell[];
}

/** What is told while a bug is hunted. */
export type HuntNews =
  /** Every few milliseconds. */
  | { readonly kind: "going"; readonly bug: string; readonly hunter: string; readonly hunt: number }
  | { readonly kind: "trial"; readonly bug: string; readonly hunter: string; readonly trial: Trial }
  | { readonly kind: "done"; readonly bug: string }
  /** `usage`: the bug does not apply; else a defect of the harness. */
  | { readonly kind: "broken"; readonly bug: string; readonly error: string; readonly usage: boolean };

/** The outside of a hunter. */
export interface HuntClock {
  nowMs(): number;
  turn(): Promise<void>;
}

/** Between the first seeds of two hunts for one bug. */
export const SEEDS_APART = 1_000_003;
/** How long nothing is told, nor the event loop let turn. */
const TELL_EVERY_MS = 50;
/** N10. */
const SIGNAL_WITHIN_MS = 100;

/** N10. */
export async function awaitSignal(clock: HuntClock): Promise<void> {
  const untilMs = clock.nowMs() + SIGNAL_WITHIN_MS;
  while (clock.nowMs() < untilMs) await clock.turn();
}

/** Makes the hunts of one task after another. `tell` answers whether to go on. */
export class BugHunts {
  readonly #shelf: Shelf;
  readonly #order: HuntOrder;
  readonly #clock: HuntClock;
  readonly #tell: (news: HuntNews) => boolean;
  #hunters: readonly Hunter[] | null = null;
  #toldMs: number;
  #goesOn = true;

  constructor(shelf: Shelf, order: HuntOrder, clock: HuntClock, tell: (news: HuntNews) => boolean) {
    this.#shelf = shelf;
    this.#order = order;
    this.#clock = clock;
    this.#tell = tell;
    this.#toldMs = clock.nowMs();
  }

  async hunt(task: HuntTask): Promise<void> {
    try {
      await this.#huntAll(task);
    } catch (error) {
      await awaitSignal(this.#clock);
      const usage = error instanceof UsageError;
      const stack = error instanceof Error && !usage ? error.stack : undefined;
      const text = stack ?? (error instanceof Error ? error.message : String(error));
      this.#say({ kind: "broken", bug: task.bug, error: text, usage });
    }
  }

  async #huntAll({ bug: name, known }: HuntTask): Promise<void> {
    const bug = present(
      this.#shelf.bugs.find((one) => one.name === name),
      "the planted bug",
    );
    let scenarios: readonly Scenario[] | null = null;
    for (const hunter of await this.#huntersOf()) {
      const trials = [...(known.find((cell) => cell.hunter === hunter.name)?.trials ?? [])];
      for (let n = 0; n < this.#order.hunts && !hopeless(trials) && this.#goesOn; n++) {
        const seed = this.#order.firstSeed + n * SEEDS_APART;
        if (trials.some((trial) => trial.seed === seed)) continue;
        scenarios ??= await this.#load(bug);
        const trial = await this.#trial(bug, hunter, scenarios, seed, n);
        // A hunt that was cut short says nothing of how long it would have taken.
        if (trial.caught === null && !this.#goesOn) break;
        trials.push(trial);
        this.#say({ kind: "trial", bug: name, hunter: hunter.name, trial });
      }
      if (!this.#goesOn) return;
    }
    this.#say({ kind: "done", bug: name });
  }

  async #huntersOf(): Promise<readonly Hunter[]> {
    if (this.#hunters === null) {
      const made = this.#order.hunters.map((name) => hunterOf(name, () => this.#clock.turn()));
      this.#hunters = (await Promise.all(made)).filter((hunter) => hunter !== null);
    }
    return this.#hunters;
  }

  /** N11. */
  async #load(bug: PlantedBug): Promise<readonly Scenario[]> {
    if ((await this.#shelf.codeHash()) !== this.#order.code) {
      throw new UsageError(
        "the sources have changed since the matrix was begun: undo that and go on with --resume, or begin again without it",
      );
    }
    return this.#shelf.loadPlanted(bug);
  }

  /** One hunt, timed. */
  async #trial(
    { name: bug }: PlantedBug,
    hunter: Hunter,
    scenarios: readonly Scenario[],
    seed: number,
    hunt: number,
  ): Promise<Trial> {
    const { mostRuns, huntMs } = this.#order;
    const startMs = this.#clock.nowMs();
    const goOn = async (): Promise<boolean> => {
      const nowMs = this.#clock.nowMs();
      if (nowMs - this.#toldMs >= TELL_EVERY_MS) {
        this.#toldMs = nowMs;
        await this.#clock.turn();
        this.#say({ kind: "going", bug, hunter: hunter.name, hunt });
      }
      return this.#goesOn && nowMs - startMs < huntMs;
    };
    const { runs, caught } = await hunter.hunt({ scenarios, firstSeed: seed, mostRuns, goOn });
    return { seed, runs, ms: Math.round(this.#clock.nowMs() - startMs), caught };
  }

  #say(news: HuntNews): void {
    if (!this.#tell(news)) this.#goesOn = false;
  }
}
