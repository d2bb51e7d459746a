/**
 * Delete an instance: its identity becomes a tombstone, and everything else of it is erased after that.
 *
 *   P80  the tombstone is written first, on the condition of the very version that it replaces. From then on no write
 *        to the instance can land, whoever sent it, and nothing of it is found.
 *   P81  nothing is erased before the tombstone is there, and the tombstone stays until the next life replaces it.
 *   P82  an erasure that was interrupted goes on where it was; that everything is gone is noted last.
 *
 * Source: seed 000 "Message API" (delete), "Storage, recovery and erasure"; catalogue B31, B48, B77.
 */
import { assert } from "../std/assert.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { type Identity, isTombstone, type Tombstone } from "../vocabulary/tombstone.ts";
import { answer, type Decision, type Moment, nothing, write } from "./decision.ts";

/** Answers whether this very call ended the life. */
export function deletion(identity: Identity, moment: Moment): Decision<Identity, boolean> {
  if (isTombstone(identity)) return nothing(false);
  return write(tombstoneOf(identity, moment), true);
}

function tombstoneOf(instance: Instance, moment: Moment): Tombstone {
  return {
    id: instance.id,
    life: instance.life,
    deleted_at_ms: moment.now_ms,
    turns_through: instance.next_turn - 1,
    erased_through: instance.history_erased_through,
    history_layout: instance.history_layout,
    erased: false,
  };
}

/** What an erasure has got done of the life that the tombstone ended. */
export interface Erased {
  readonly life: number;
  /** The segments of turns 1 to this are gone. */
  readonly through: number;
  /** Everything is gone. */
  readonly all: boolean;
}

/** Notes how far the erasure is (P82). A later life, or somebody who got farther, makes this old news. */
export function noteErased(identity: Identity, erased: Erased): Decision<Identity, null> {
  if (!isTombstone(identity) || identity.life !== erased.life || identity.erased) return answer(null);
  if (!erased.all && identity.erased_through >= erased.through) return answer(null);
  assert(erased.through <= identity.turns_through, "P82: only turns that were are erased");
  const erased_through = Math.max(identity.erased_through, erased.through);
  return write({ ...identity, erased_through, erased: erased.all }, null);
}
