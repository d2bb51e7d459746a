/**
 * Which requests to the store are struck, and how: drawn from the seed of the process's life.
 *
 *   K1  rates are chances out of 1,000 for each request; nothing strikes from `untilMs` on.
 *   K2  a write may land late, a read may not: a late answer to a read is a slow one.
 *   K3  deaths happen at a write: before it is sent, while it is under way, or when its answer is there and nobody has
 *       been told.
 */
import { type ChoiceSource, SeedSource } from "../../sim/index.ts";
import { fnv1a } from "../../src/std/hash.ts";

export type Strike =
  | { readonly kind: "slow"; readonly ms: number }
  | { readonly kind: "lost-request"; readonly ms: number }
  | { readonly kind: "lost-answer"; readonly ms: number }
  | { readonly kind: "late-write"; readonly ms: number }
  | { readonly kind: "throttled"; readonly applied: boolean }
  | { readonly kind: "conflict" }
  | { readonly kind: "death"; readonly before: boolean; readonly after: boolean };

export interface StoreStrikes {
  /** What strikes this request, or null. `conditional`: a 409 is an answer to it. */
  next(op: "get" | "put" | "delete" | "list", conditional: boolean): Strike | null;
}

/** Chances out of 1,000. */
export interface StrikeRates {
  readonly slow: number;
  readonly lostRequest: number;
  readonly lostAnswer: number;
  readonly lateWrite: number;
  readonly throttled: number;
  readonly conflict: number;
  /** Of writes only. */
  readonly death: number;
}

export const NO_STRIKES: StoreStrikes = { next: () => null };

export const USUAL_RATES: StrikeRates = {
  slow: 20,
  lostRequest: 10,
  lostAnswer: 15,
  lateWrite: 5,
  throttled: 5,
  conflict: 5,
  death: 2,
};

/** Longest waits, milliseconds. */
const SLOW_MS = 400;
const SILENT_MS = 300;
export const LATE_MS = 3_000;
/** Draws are out of so many, so that a rate may be a fraction of one in 1,000. */
const PARTS = 1_000_000;

/** The seed of one life of a process: the same run gives each of them the same draws. */
export function seedOf(seed: number, process: string, incarnation: number): number {
  return fnv1a(`${seed} ${process} ${incarnation}`);
}

export class SeededStrikes implements StoreStrikes {
  readonly #choices: ChoiceSource;
  readonly #rates: StrikeRates;
  readonly #on: () => boolean;

  /** `on`: whether faults may strike now. */
  constructor(seed: number, rates: StrikeRates, on: () => boolean) {
    this.#choices = new SeedSource(seed);
    this.#rates = rates;
    this.#on = on;
  }

  next(op: "get" | "put" | "delete" | "list", conditional: boolean): Strike | null {
    if (!this.#on()) return null;
    let drawn = this.#choices.choose(PARTS, "chaos-strike") / (PARTS / 1_000);
    const within = (rate: number): boolean => {
      drawn -= rate;
      return drawn < 0;
    };
    const { slow, lostRequest, lostAnswer, lateWrite, throttled, conflict, death } = this.#rates;
    const ms = (most: number): number => 1 + this.#choices.choose(most, "chaos-strike-ms");
    const isWrite = op === "put" || op === "delete";
    if (within(slow)) return { kind: "slow", ms: ms(SLOW_MS) };
    if (within(lostRequest)) return { kind: "lost-request", ms: ms(SILENT_MS) };
    if (within(lostAnswer)) return { kind: "lost-answer", ms: ms(SILENT_MS) };
    // K2.
    if (within(lateWrite)) return isWrite ? { kind: "late-write", ms: ms(LATE_MS) } : null;
    if (within(throttled)) return { kind: "throttled", applied: isWrite && ms(2) === 2 };
    if (within(conflict)) return conditional ? { kind: "conflict" } : null;
    if (isWrite && within(death)) {
      const place = ms(3);
      return { kind: "death", before: place === 1, after: place === 3 };
    }
    return null;
  }
}
