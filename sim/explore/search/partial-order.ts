/**
 * The order that the steps of one run really have: what happens before what, and which pairs raced.
 *
 * Runs whose steps have the same order of dependent steps are one class (a Mazurkiewicz trace): all of them lead to
 * the same state. `races` says which other classes there must be, after the source sets of Abdulla, Aronsson,
 * Jonsson and Sagonas (POPL 2014).
 *
 *   O1  a step happens before a later one when it sent it, when the two depend on each other, or by way of a third;
 *   O2  two dependent steps race when nothing stands between them and the later one did not need the earlier one to
 *       be sent: then the later one could have come first;
 *   O3  to reverse a race means to take, at the place of the earlier step, one of those steps that can come first
 *       among the later one and all between that do not need the earlier one.
 */
import { present } from "../../../src/std/assert.ts";
import { Bits } from "./bits.ts";
import { dependent, type Step } from "./footprint.ts";

/** A race to be reversed. */
export interface Race {
  /** The number of the earlier step. */
  readonly at: number;
  /** The steps that may be taken there instead; one of them must be (O3). Never empty. */
  readonly initials: readonly string[];
}

export class PartialOrder {
  readonly #steps: Step[] = [];
  /** For each step all that happen before it. */
  readonly #before: Bits[] = [];

  get length(): number {
    return this.#steps.length;
  }

  /** Forgets the steps from this number on. */
  cut(length: number): void {
    this.#steps.length = Math.min(length, this.#steps.length);
    this.#before.length = this.#steps.length;
  }

  /** Adds the next step, whose footprint is complete. */
  add(step: Step): void {
    const before = new Bits(this.#steps.length);
    for (let i = this.#steps.length - 1; i >= 0; i--) {
      if (before.has(i)) continue;
      const earlier = present(this.#steps[i], "an earlier step");
      if (i !== step.sentIn && !dependent(earlier, step)) continue;
      before.add(i);
      before.addAll(present(this.#before[i], "what is before it"));
    }
    this.#steps.push(step);
    this.#before.push(before);
  }

  /** Everything before the step. */
  before(step: number): Bits {
    return present(this.#before[step], "a step of the order");
  }

  /** The races of one step with earlier ones (O2). */
  races(step: number): Race[] {
    const later = present(this.#steps[step], "a step of the order");
    if (later.touch === null) return [];
    const before = this.before(step);
    const covered = new Bits(step);
    const races: Race[] = [];
    for (let at = step - 1; at >= 0; at--) {
      if (!before.has(at) || covered.has(at)) continue;
      covered.addAll(this.before(at));
      // A step that time brought about was sent in it, so time itself is never the earlier side of a race.
      if (at !== later.sentIn) races.push({ at, initials: this.#initials(at, step) });
    }
    return races;
  }

  /** O3, in the order in which they came. */
  #initials(at: number, step: number): string[] {
    const initials: string[] = [];
    const moved: number[] = [];
    for (let i = at + 1; i <= step; i++) {
      const before = this.before(i);
      if (i !== step && before.has(at)) continue;
      if (!moved.some((earlier) => before.has(earlier))) {
        initials.push(present(this.#steps[i], "a step between").id);
      }
      moved.push(i);
    }
    return initials;
  }
}
