/**
 * The end of a turn's move to history: the identity drops the turns whose history objects are written.
 *
 *   P21  history objects are written first; only then is a turn dropped here. So a turn is in at least one place
 *        at any time, and authoritative in exactly one: here while this document holds it (catalogue I13, E16).
 */
import { assert } from "../std/assert.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished } from "../vocabulary/turn.ts";
import { answer, type Decision, write } from "./decision.ts";

/** Drops the turns up to and with `through`, which the caller has found in history. */
export function dropMoved(instance: Instance, through: number): Decision<Instance, null> {
  const count = through - instance.history_through;
  if (count <= 0) return answer(null);
  assert(instance.turns.slice(0, count).every(isFinished), "P21: only finished turns move");
  return write({ ...instance, turns: instance.turns.slice(count), history_through: through }, null);
}
