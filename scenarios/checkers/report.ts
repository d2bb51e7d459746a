/**
 * Collects what a checker finds.
 */
import type { Finding, Version, Violation } from "../../sim/index.ts";

export class Report {
  readonly #invariant: string;
  readonly #violations: Violation[] = [];
  #examined = 0;
  #undecided = 0;

  constructor(invariant: string) {
    this.#invariant = invariant;
  }

  /** Counts one fact that was held against the invariant. */
  examine(count = 1): void {
    this.#examined += count;
  }

  /** Counts a fact that could not be decided within a bound: neither for nor against. */
  undecided(): void {
    this.#undecided++;
  }

  /** A violation that one version shows. */
  at(version: Version, message: string): void {
    this.add(message, version.key, version.atMs);
  }

  add(message: string, key: string | null, atMs: number | null): void {
    this.#violations.push({ invariant: this.#invariant, message, key, atMs });
  }

  finding(): Finding {
    const found = { examined: this.#examined, violations: this.#violations };
    return this.#undecided === 0 ? found : { ...found, undecided: this.#undecided };
  }
}
