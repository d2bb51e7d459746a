/**
 * The life of a graph: created, deleted, and created again under a new epoch.
 *
 *   P94  an epoch is in the key of every object of the graph and never comes again: what lands late in an old one lands
 *        where nobody reads.
 *   P95  the head is retired first; then every instance of the epoch becomes a tombstone (P80), so that a node that has
 *        not noticed is refused by the store; that nothing is left is noted last.
 *   P96  the next epoch begins only when the one before is erased: the head is the only record of what is left.
 *   P97  a node that created an instance looks at the head before it answers: one that came too late for the tombstones
 *        is taken back and not acknowledged.
 *   P117 who begins a graph unasked begins its first epoch only: a deleted one stays so until somebody asks for it.
 *
 * What it does not promise: a message that a node which has not noticed takes for an instance that is being created too
 * late, before that is taken back; whoever sent it was not told yet that the instance exists.
 *
 * Source: seed 000 "Storage, recovery and erasure" (graph deletion); catalogue B49.
 */
import { assert } from "../std/assert.ts";
import type { GraphHead } from "../vocabulary/graph-head.ts";
import { answer, type Decision, nothing, write } from "./decision.ts";

/** Answers whether this very call began the epoch. */
export function createGraph(head: GraphHead | null): Decision<GraphHead, boolean> {
  if (head?.live) return answer(false);
  assert(head === null || head.erased, "P96: the epoch before is erased");
  return write({ epoch: 1 + (head?.epoch ?? 0), live: true, erased: false }, true);
}

/** Answers whether this very call ended the epoch. */
export function deleteGraph(head: GraphHead): Decision<GraphHead, boolean> {
  return head.live ? write({ ...head, live: false }, true) : nothing(false);
}

/** Notes that nothing of the epoch is left. */
export function noteGraphErased(head: GraphHead, epoch: number): Decision<GraphHead, null> {
  if (head.epoch !== epoch || head.live || head.erased) return answer(null);
  return write({ ...head, erased: true }, null);
}
