/**
 * The end of a turn's move to history: the identity drops the turns whose history objects are written.
 *
 *   P21  history objects are written first; only then is a turn dropped here. So a turn is in at least one place
 *        at any time, and authoritative in exactly one: here while this document holds it (catalogue I13, E16).
 * The same write prunes what retention no longer keeps, and notes what was erased before it (`retention.ts`).
 */
import { assert } from "../std/assert.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished } from "../vocabulary/turn.ts";
import { answer, type Decision, write } from "./decision.ts";
import {
  type ErasedHistory,
  KEEP_ALL,
  prunableThrough,
  type Retention,
  retained,
  withMarks,
} from "./retention.ts";

/** What a mover has done for the history of an instance beside the move, and when. */
export interface Upkeep {
  readonly retention: Retention;
  readonly now_ms: number;
  readonly erased: ErasedHistory;
}

const NO_UPKEEP: Upkeep = {
  retention: KEEP_ALL,
  now_ms: 0,
  erased: { through: 0, generationsBefore: 0 },
};

/** Drops the turns up to and with `through`, which the caller has found in history. */
export function dropMoved(
  instance: Instance,
  through: number,
  upkeep: Upkeep = NO_UPKEEP,
): Decision<Instance, null> {
  const count = Math.max(0, through - instance.history_through);
  const moved = instance.turns.slice(0, count);
  assert(moved.every(isFinished), "P21: only finished turns move");
  if (count === 0 && !isUpkeepDue(instance, upkeep)) return answer(null);
  const dropped = {
    ...instance,
    turns: instance.turns.slice(count),
    history_through: instance.history_through + count,
    history_marks: withMarks(instance, moved, upkeep.retention),
  };
  return write(retained(dropped, upkeep.retention, upkeep.now_ms, upkeep.erased), null);
}

/** Whether there is something to prune, or something was erased that the instance does not know of yet. */
export function isUpkeepDue(instance: Instance, { retention, now_ms, erased }: Upkeep): boolean {
  return (
    prunableThrough(instance, retention, now_ms) > instance.history_pruned_through ||
    erased.through > instance.history_erased_through ||
    erased.generationsBefore > instance.message_index.erased_before
  );
}
