/**
 * A recorded run as a source of choices: answers each draw as it was, and stops where the code asks otherwise.
 *
 *   R1  a draw is answered only when label and number of alternatives are those recorded at that index;
 *   R2  otherwise, or when the record has run out, it throws a `ReplayDivergence` that shows both sides, and
 *       answers nothing from then on.
 *
 * Not covered: a run that ends before all draws were used; the runner asks `remaining`.
 */
import type { ChoiceSource, Draw } from "./choice.ts";

/** What the code asked for, without an answer. */
export interface AskedDraw {
  readonly label: string;
  readonly n: number;
}

/** The code under replay asked for another draw than the one on record. */
export class ReplayDivergence extends Error {
  override readonly name = "ReplayDivergence";
  /** Which draw of the run, from 0. */
  readonly index: number;
  /** The draw on record; null: the record ends here. */
  readonly recorded: Draw | null;
  readonly asked: AskedDraw;

  constructor(index: number, recorded: Draw | null, asked: AskedDraw) {
    const was =
      recorded === null
        ? "the record ends"
        : `recorded is choose(${recorded.n}, "${recorded.label}") = ${recorded.value}`;
    super(`replay diverges at draw ${index}: ${was}; asked is choose(${asked.n}, "${asked.label}")`);
    this.index = index;
    this.recorded = recorded;
    this.asked = asked;
  }
}

export class ReplaySource implements ChoiceSource {
  readonly #draws: readonly Draw[];
  #index = 0;

  constructor(draws: readonly Draw[]) {
    this.#draws = draws;
  }

  /** Draws on record that were not asked for yet. */
  get remaining(): number {
    return this.#draws.length - this.#index;
  }

  choose(n: number, label: string): number {
    const recorded = this.#draws[this.#index];
    if (recorded === undefined || recorded.label !== label || recorded.n !== n) {
      throw new ReplayDivergence(this.#index, recorded ?? null, { label, n });
    }
    this.#index++;
    return recorded.value;
  }
}
