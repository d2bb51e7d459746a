/**
 * Retention in the exact model: finished turns that are removed from history.
 *
 *   S14  a turn may be removed when it is neither among the newest that are kept nor younger than the age that is kept,
 *        oldest first, whenever its instance is written. It must be when the next turn moves to history, a tenth of that
 *        age later at most. Between the two the engine's own word counts (`prunedAtLeast`, `prunedAtMost`).
 */
import type { Instance, Turn, World } from "./world.ts";

/** How much longer than it has to the engine may keep a turn, as a part of the age. */
const LONGER = 1.1;

/** What may be gone by now, after a command. */
export function mayPrune(world: World, instance: Instance): void {
  instance.prunedAtMost = oldEnough(world, instance, 1);
}

/** What must be gone by now, because a turn has moved. */
export function mustPrune(world: World, instance: Instance): void {
  instance.prunedAtLeast = oldEnough(world, instance, LONGER);
  instance.pruned = instance.prunedAtLeast;
}

function oldEnough(
  { rules, nowMs }: World,
  { pruned, toldThrough, turns }: Instance,
  longer: number,
): number {
  if (rules.keepTurns === 0) return pruned;
  const last = toldThrough - rules.keepTurns;
  let through = pruned;
  while (through < last && finishedMs(turns[through]) <= nowMs - rules.keepMs * longer) through += 1;
  return through;
}

function finishedMs(turn: Turn | undefined): number {
  return turn?.finished_at_ms ?? Number.POSITIVE_INFINITY;
}
