/**
 * The recorder between a source and the run: the one `ChoiceSource` that a simulation shows.
 *
 *   R1  every draw is checked against K1, recorded and mixed into the fingerprint, in the order made;
 *   R2  a source that throws (a replay that diverges) is remembered in `broken`, so that code under test which
 *       swallows the error cannot hide it.
 *   R3  with each draw goes a mark of the fingerprint before it, so of every step until then: where two runs part is
 *       found between two draws.
 *
 * The record is parallel arrays; `draws` makes objects of them when a replay file is written.
 */
import { assert } from "../../src/std/assert.ts";
import { type ChoiceSource, type Draw, MAX_ALTERNATIVES } from "./choice.ts";
import type { Fingerprint } from "./fingerprint.ts";

export class ChoiceRecorder implements ChoiceSource {
  readonly #source: ChoiceSource;
  readonly #fingerprint: Fingerprint;
  readonly #labels: string[] = [];
  readonly #ns: number[] = [];
  readonly #values: number[] = [];
  readonly #marks: number[] = [];
  #broken: unknown = null;

  constructor(source: ChoiceSource, fingerprint: Fingerprint) {
    this.#source = source;
    this.#fingerprint = fingerprint;
  }

  /** What the source threw, or null. */
  get broken(): unknown {
    return this.#broken;
  }

  /** Draws made so far. */
  get length(): number {
    return this.#values.length;
  }

  choose(n: number, label: string): number {
    assert(n >= 1 && n <= MAX_ALTERNATIVES && Number.isInteger(n), "a draw has 1 to 2^32 alternatives");
    const value = this.#ask(n, label);
    assert(value >= 0 && value < n && Number.isInteger(value), "a source answers an integer in [0, n)");
    this.#labels.push(label);
    this.#ns.push(n);
    this.#values.push(value);
    this.#marks.push(this.#fingerprint.mark());
    this.#fingerprint.draw(label, n, value);
    return value;
  }

  /** All draws so far, in order: what a replay file holds. */
  draws(): Draw[] {
    return this.#values.map((value, i) => ({ label: this.#labels[i] ?? "", n: this.#ns[i] ?? 1, value }));
  }

  /** The mark before each draw, 16 bits. */
  get marks(): readonly number[] {
    return this.#marks;
  }

  #ask(n: number, label: string): number {
    try {
      return this.#source.choose(n, label);
    } catch (error) {
      this.#broken ??= error;
      throw error;
    }
  }
}
