/**
 * Shrinking: from a failing run to the smallest one that fails in the same way.
 *
 * Owns the order of the passes: coarse ones again and again, fine ones when those find nothing more, and all of them
 * first with the draws sorted by process, then by label alone (`stream-source.ts`). Works on the recorded draws: a
 * smaller run is the scenario again under a guide whose values are partly replaced by 0 (`passes.ts`), and is kept
 * only when it was made and failed again.
 */
import { streamsOf } from "../replay/streams.ts";
import type { RunResult } from "../runner/index.ts";
import * as passes from "./passes.ts";
import { type FailingRun, Shrinker, type ShrinkPlan } from "./shrinker.ts";
import { type Sorting, StreamSource } from "./stream-source.ts";

const FIRST: readonly (readonly [string, passes.Pass])[] = [
  ["the plainest run", passes.plainest],
  ["fewer nodes", passes.fewerNodes],
];
const REPEATED: readonly (readonly [string, passes.Pass])[] = [
  ["strictly by time", passes.byTime],
  ["without what came later", passes.endings],
  ["without draws of one label", passes.wholeLabels],
  ["without draws that strike nothing", passes.lowValues],
  ["without all latencies and picks", passes.slide],
  ["without blocks of draws", passes.blocks],
];
const LAST: readonly (readonly [string, passes.Pass])[] = [
  ["with draws moved up", passes.moveUp],
  ["with lower values", passes.lowerValues],
  ["without pairs of draws", passes.pairs],
];

const SORTINGS: readonly Sorting[] = ["by-process", "by-label"];

export interface Shrunk {
  /** The run that shrinking began with. */
  readonly before: FailingRun;
  readonly after: FailingRun;
  readonly runs: number;
  /** Whether it ended by itself: nothing that was tried makes it smaller. */
  readonly complete: boolean;
}

/** `first` is a run that shows the plan's target. It is made once more, to learn which process made each draw. */
export async function shrink(plan: ShrinkPlan, first: RunResult): Promise<Shrunk> {
  const source = new StreamSource(streamsOf(first.draws()), "by-label");
  const again = await plan.run(source, plan.options);
  const shrinker = new Shrinker(plan, again, source);
  const before = shrinker.best;
  await inTurn(shrinker, FIRST);
  for (let smallest = Number.POSITIVE_INFINITY; shrinker.best.draws.length < smallest && !shrinker.over; ) {
    smallest = shrinker.best.draws.length;
    for (const sorting of SORTINGS) {
      shrinker.sort(sorting);
      await toTheEnd(shrinker);
    }
  }
  return { before, after: shrinker.best, runs: shrinker.runs, complete: !shrinker.over };
}

async function toTheEnd(shrinker: Shrinker): Promise<void> {
  do {
    while ((await inTurn(shrinker, REPEATED)) && !shrinker.over);
  } while ((await inTurn(shrinker, LAST)) && !shrinker.over);
}

async function inTurn(
  shrinker: Shrinker,
  list: readonly (readonly [string, passes.Pass])[],
): Promise<boolean> {
  let changed = false;
  for (const [name, pass] of list) {
    shrinker.pass = name;
    if (!shrinker.over && (await pass(shrinker))) changed = true;
  }
  return changed;
}
