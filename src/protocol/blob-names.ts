/**
 * Which blobs an instance may name, and which of them are kept for it.
 *
 *   P90  a document may name a blob only if its tag is above `history_pruned_through`, or `blobs` has it. Both say that
 *        it was not swept: what this refuses was given up, and is refused for good.
 *   P91  a blob may be swept once its tag is at or below `history_pruned_through` and `blobs` does not have it. Since
 *        then P90 refuses its name, so nothing that is reachable is ever swept (catalogue B11, B31, B47; I15).
 *   P92  `blobs` has each blob that outlives its tag: named by a later turn than the tag, by the state, or by a deferred
 *        message; with the last turn that names it. An entry goes when that turn is pruned and neither state nor
 *        deferred messages name it.
 *   P93  at most `namedBlobs` are kept beyond their tag.
 *
 * A name is looked for in every turn that a command changed, whatever the command. Nothing says that a named blob is
 * there: who makes up a name reads nothing. Source: seed 000 "Blobs".
 */
import { type Blob, mayHoldReferences, referencesIn } from "../vocabulary/blob.ts";
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { Instance, NamedBlobs } from "../vocabulary/instance.ts";
import { instanceText } from "../vocabulary/instance-text.ts";
import { LIMITS } from "../vocabulary/limits.ts";
import { turnText } from "../vocabulary/turn-text.ts";
import { type Decision, refuse } from "./decision.ts";
import { turnNumbered } from "./inbox.ts";

/** The decision with the blobs noted that it names, or why it may not name them. */
export function namingBlobs<Reply>(
  before: Instance,
  decision: Decision<Instance, Reply>,
): Decision<Instance, Reply> {
  if (decision.kind !== "write") return decision;
  const { next } = decision;
  const kept = new Map<string, number>();
  for (const turn of next.turns) {
    if (turnNumbered(before, turn.number) === turn) continue;
    for (const blob of referencesIn(turnText(turn), next.incarnation)) {
      if (!mayName(before, blob)) return refuse(blobGone(before, blob));
      if (turn.number > blob.tag) note(kept, blob, turn.number);
    }
  }
  if (next.state !== before.state || next.deferred !== before.deferred)
    for (const blob of heldBlobs(next)) {
      if (!mayName(before, blob)) return refuse(blobGone(before, blob));
      note(kept, blob, next.next_turn - 1);
    }
  if (kept.size === 0) return decision;
  const blobs: { [reference: string]: number } = { ...next.blobs };
  for (const [reference, turn] of kept) blobs[reference] = Math.max(blobs[reference] ?? 0, turn);
  const count = Object.keys(blobs).length;
  return count > LIMITS.namedBlobs ? refuse(tooMany(next, count)) : { ...decision, next: { ...next, blobs } };
}

/** The entries that are still needed when turns up to `pruned` are gone (P92). */
export function blobsKept(instance: Instance, pruned: number): NamedBlobs {
  const entries = Object.entries(instance.blobs);
  if (entries.every(([, last]) => last > pruned)) return instance.blobs;
  const held = new Set(heldBlobs(instance).map(({ reference }) => reference));
  return Object.fromEntries(entries.filter(([reference, last]) => last > pruned || held.has(reference)));
}

/** P91, for an instance that was read after the blob was seen in a listing. */
export function mayBeSwept(instance: Instance, blob: Blob): boolean {
  return blob.tag <= instance.history_pruned_through && instance.blobs[blob.reference] === undefined;
}

/** P90. */
function mayName(instance: Instance, blob: Blob): boolean {
  return !mayBeSwept(instance, blob);
}

/** What names blobs and is no turn. */
function heldBlobs(instance: Instance): readonly Blob[] {
  // That text is made anyway, and holds more than these two.
  if (!mayHoldReferences(instanceText(instance))) return [];
  const { state, deferred } = instance;
  return referencesIn(JSON.stringify({ state, deferred }), instance.incarnation);
}

function note(kept: Map<string, number>, { reference }: Blob, turn: number): void {
  kept.set(reference, Math.max(kept.get(reference) ?? 0, turn));
}

function blobGone(instance: Instance, { reference }: Blob): Failure {
  const message = `the blob ${reference} of ${instance.id} was not named in time and has been given up; put its value again`;
  return failure("conflict", "blob_gone", message);
}

function tooMany(instance: Instance, count: number): Failure {
  const message = `${instance.id} would name ${count} older blobs, the limit is ${LIMITS.namedBlobs}; put fewer references into its state`;
  return failure("over-limit", "too_many_blobs", message);
}
