/**
 * Shrinking: from a failing run to the smallest one that fails in the same way.
 *
 * Owns the order of the passes. Works on the recorded draws: a smaller run is the scenario again under a guide whose
 * values are partly replaced by 0 (`passes.ts`), and is kept only when it was made and failed again.
 */
import type { RunResult } from "../runner/index.ts";
import * as passes from "./passes.ts";
import { type FailingRun, Shrinker, type ShrinkPlan } from "./shrinker.ts";

const FIRST: readonly (readonly [string, passes.Pass])[] = [
  ["the plainest run", passes.plainest],
  ["fewer nodes", passes.fewerNodes],
];
const REPEATED: readonly (readonly [string, passes.Pass])[] = [
  ["without what came later", passes.endings],
  ["without draws of one label", passes.wholeLabels],
  ["without draws that strike nothing", passes.lowValues],
  ["without blocks of draws", passes.blocks],
  ["with draws moved up", passes.moveUp],
];
const LAST: readonly (readonly [string, passes.Pass])[] = [
  ["with lower values", passes.lowerValues],
  ["without pairs of draws", passes.pairs],
];

export interface Shrunk {
  /** The run that shrinking began with. */
  readonly before: FailingRun;
  readonly after: FailingRun;
  readonly runs: number;
  /** Whether it ended by itself: nothing that was tried makes it smaller. */
  readonly complete: boolean;
}

/** `first` is a run that shows the plan's target. */
export async function shrink(plan: ShrinkPlan, first: RunResult): Promise<Shrunk> {
  const shrinker = new Shrinker(plan, first);
  const before = shrinker.best;
  await inTurn(shrinker, FIRST);
  do {
    while ((await inTurn(shrinker, REPEATED)) && !shrinker.over);
  } while ((await inTurn(shrinker, LAST)) && !shrinker.over);
  return { before, after: shrinker.best, runs: shrinker.runs, complete: !shrinker.over };
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
