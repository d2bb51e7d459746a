/**
 * A seed as a source of choices: one integer expands to as many draws as a run asks for.
 *
 * The generator is `alea` of seedrandom: multiplications and subtractions of doubles, which IEEE 754 defines to
 * the last bit, so the draws are the same on every machine and Node version. A test pins some of them.
 *
 * Not covered: independence of neighbouring seeds beyond what alea's own seeding gives.
 */
import seedrandom from "seedrandom";
import { assert } from "../../src/std/assert.ts";
import type { ChoiceSource } from "./choice.ts";

/** One more than the largest seed: seeds are integers of 48 bits. */
export const SEED_LIMIT = 2 ** 48;

export function isSeed(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < SEED_LIMIT;
}

export class SeedSource implements ChoiceSource {
  /** The next fraction in [0, 1), a multiple of 2^-32. */
  readonly #next: () => number;

  constructor(seed: number) {
    assert(isSeed(seed), "a seed is an integer from 0 to 2^48-1");
    this.#next = seedrandom.alea(String(seed)).quick;
  }

  choose(n: number, _label: string): number {
    // With n at most 2^32 the product stays below n after rounding.
    return Math.floor(this.#next() * n);
  }
}
