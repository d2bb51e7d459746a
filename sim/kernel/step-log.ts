/**
 * The log of a run's steps, kept only when asked for, and the comparison of two of them.
 *
 * Two runs that should be equal are compared step by step; the first step at which they differ is shown with
 * both sides in words. The hash of each step covers all steps before it, so equal hashes end the search.
 */

/** One step: a draw, an event that fired, or a noted fact. */
export type Step =
  | { readonly kind: "draw"; readonly label: string; readonly n: number; readonly value: number }
  | { readonly kind: "event"; readonly label: string; readonly owner: string | null; readonly atMs: number }
  | { readonly kind: "fact"; readonly label: string; readonly value: number };

export class StepLog {
  readonly #steps: Step[] = [];
  readonly #hashes: string[] = [];

  add(step: Step, hash: string): void {
    this.#steps.push(step);
    this.#hashes.push(hash);
  }

  get length(): number {
    return this.#steps.length;
  }

  step(index: number): Step | null {
    return this.#steps[index] ?? null;
  }

  /** The fingerprint after each step. */
  get hashes(): readonly string[] {
    return this.#hashes;
  }

  /** Virtual time of the last event at or before the step. */
  timeAtMs(index: number): number {
    for (let i = Math.min(index, this.#steps.length - 1); i >= 0; i--) {
      const step = this.#steps[i];
      if (step?.kind === "event") return step.atMs;
    }
    return 0;
  }

  /** The step in words, or that the run had ended. */
  describe(index: number): string {
    const step = this.step(index);
    if (step === null) return `no step: the run ended after ${this.length} steps`;
    const at = `at ${this.timeAtMs(index)} ms`;
    if (step.kind === "draw") return `draw "${step.label}" = ${step.value} of ${step.n}, ${at}`;
    if (step.kind === "fact") return `fact "${step.label}" = ${step.value}, ${at}`;
    return `event "${step.label}" of ${step.owner ?? "the harness"}, ${at}`;
  }
}

/** The first step at which two runs differ, with both sides in words. */
export interface Divergence {
  /** From 0. */
  readonly step: number;
  readonly left: string;
  readonly right: string;
}

export function firstDivergence(left: StepLog, right: StepLog): Divergence | null {
  const length = Math.max(left.length, right.length);
  for (let step = 0; step < length; step++) {
    if (left.hashes[step] === right.hashes[step]) continue;
    return { step, left: left.describe(step), right: right.describe(step) };
  }
  return null;
}
