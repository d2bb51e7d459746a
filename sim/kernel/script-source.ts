/**
 * A plain list of numbers as a source of choices: for shrinkers, property-based tests and hand-written runs.
 *
 * Every list is a valid run: a number too large for its draw becomes the last alternative, anything that is
 * not a positive number becomes 0, and a list that has run out answers 0 (K2).
 */
import type { ChoiceSource } from "./choice.ts";

export class ScriptSource implements ChoiceSource {
  readonly #values: readonly number[];
  #index = 0;

  constructor(values: readonly number[]) {
    this.#values = values;
  }

  choose(n: number, _label: string): number {
    const value = this.#values[this.#index];
    if (value === undefined) return 0;
    this.#index++;
    if (!(value >= 1)) return 0;
    return value < n ? Math.trunc(value) : n - 1;
  }
}
