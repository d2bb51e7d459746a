/**
 * The state of a shrinking: the smallest failing run so far, and the trial of a smaller one.
 *
 * Owns what counts as smaller, the bounds, and that no candidate is run twice. Does not own which candidates there
 * are (`passes.ts`).
 *
 *   N1  Every run that is kept was really made, and shows the target (`target.ts`): its draws are recorded anew, so
 *       values that nobody asks for any more are gone.
 *   N2  Smaller means, in this order: fewer draws that are not the plainest, fewer draws in all, such draws earlier
 *       among those of their label, lower values. Each kept run is smaller than the one before, so shrinking ends.
 *   N3  With the bound on runs alone the result is a function of the run and the code; the hook `goOn`, which may
 *       look at real time, can only end it earlier.
 */
import { RollingHash } from "../../src/std/hash.ts";
import { type ChoiceSource, type Draw, labelHash } from "../kernel/index.ts";
import { type Place, placesOf, type Streams, streamsOf } from "../replay/streams.ts";
import type { RunOptions, RunResult } from "../runner/index.ts";
import { type Sorting, StreamSource, sorted } from "./stream-source.ts";
import { shows } from "./target.ts";

export interface ShrinkPlan {
  /** What every smaller run has to show. */
  readonly target: string;
  readonly options: RunOptions;
  readonly run: (source: ChoiceSource, options: RunOptions) => Promise<RunResult>;
  /** Runs at most. */
  readonly mostRuns: number;
  /** Asked after each run; false ends the shrinking with what it has. */
  goOn(progress: ShrinkProgress): boolean | Promise<boolean>;
}

export interface ShrinkProgress {
  readonly runs: number;
  readonly mostRuns: number;
  /** Draws that are not the plainest: at first, and in the smallest run so far. */
  readonly before: number;
  readonly now: number;
  /** What is tried at the moment, in a few words. */
  readonly pass: string;
}

/** A failing run, ready to be made smaller. */
export interface FailingRun {
  readonly result: RunResult;
  readonly options: RunOptions;
  readonly draws: readonly Draw[];
  /** Who made each draw. */
  readonly makers: readonly (string | null)[];
  readonly streams: Streams;
  /** Its draws that are not the plainest, in the order of the run; labels are names of streams. */
  readonly places: readonly Place[];
}

export class Shrinker {
  best: FailingRun;
  pass = "";
  runs = 0;
  /** No more runs may be made. */
  over = false;
  readonly #plan: ShrinkPlan;
  readonly #before: number;
  readonly #tried = new Set<string>();
  #sorting: Sorting = "by-label";

  /** `source` guided the first run. */
  constructor(plan: ShrinkPlan, first: RunResult, source: StreamSource) {
    this.#plan = plan;
    this.best = failingRun(this.#sorting, first, plan.options, source.makers);
    this.#before = this.best.places.length;
  }

  /** Sorts the draws of the smallest run, and of those to come, in this way. */
  sort(sorting: Sorting): void {
    this.#sorting = sorting;
    const { result, options, makers } = this.best;
    this.best = failingRun(sorting, result, options, makers);
  }

  /** Makes the run that these streams guide; keeps it when it is smaller and shows the target. */
  async attempt(streams: Streams, options: RunOptions = this.best.options): Promise<boolean> {
    const name = `${this.#sorting} ${candidateName(streams, options)}`;
    if (this.over || this.#tried.has(name)) return false;
    this.#tried.add(name);
    const source = new StreamSource(streams, this.#sorting);
    const result = await this.#plan.run(source, options);
    this.runs++;
    const kept = shows(result.outcome, this.#plan.target) && this.#keep(result, options, source);
    const progress = {
      runs: this.runs,
      mostRuns: this.#plan.mostRuns,
      before: this.#before,
      now: this.best.places.length,
      pass: this.pass,
    };
    this.over = !(await this.#plan.goOn(progress)) || this.runs >= this.#plan.mostRuns;
    return kept;
  }

  #keep(result: RunResult, options: RunOptions, source: StreamSource): boolean {
    const candidate = failingRun(this.#sorting, result, options, source.makers);
    const smaller = isSmaller(candidate, this.best);
    if (smaller) this.best = candidate;
    return smaller;
  }
}

function failingRun(
  sorting: Sorting,
  result: RunResult,
  options: RunOptions,
  makers: readonly (string | null)[],
): FailingRun {
  const draws = result.draws();
  const named = sorted(sorting, draws, makers);
  return { result, options, draws, makers, streams: streamsOf(named), places: placesOf(named) };
}

/** N2. */
function isSmaller(a: FailingRun, b: FailingRun): boolean {
  const [left, right] = [sizesOf(a), sizesOf(b)];
  const at = left.findIndex((size, i) => size !== right[i]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

function sizesOf({ places, draws }: FailingRun): readonly number[] {
  let [indices, values] = [0, 0];
  for (const { index, value } of places) {
    indices += index;
    values += value;
  }
  return [places.length, draws.length, indices, values];
}

/** Zeroes at the end of a stream mean nothing, so they are not part of the name. */
function candidateName(streams: Streams, options: RunOptions): string {
  const hash = new RollingHash();
  for (const [label, values] of streams) {
    let length = values.length;
    while (length > 0 && values[length - 1] === 0) length--;
    if (length === 0) continue;
    hash.add(labelHash(label));
    for (let i = 0; i < length; i++) hash.add(values[i] ?? 0);
  }
  return `${options.nodes ?? ""} ${options.slackMs ?? ""} ${hash.digest()}`;
}
