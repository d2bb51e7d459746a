/**
 * The reply of a child to its parent, by whoever moves the child's finished turn (P72, P73).
 *
 * A part of the move, so nobody's leave is asked: the worker of a child need not be one of its parent.
 *
 * A parent that cannot be read keeps the turns of its child from moving, and so, in the end, the child from working
 * (`history_behind`, or `corrupt`): what the child has done is told once the parent is whole again, or gone. Going on would
 * lose the reply for good. The damage reaches the family and no further; whoever deletes the child ends the wait for it.
 */
import { receiveReply, replyOf } from "../protocol/reply.ts";
import { ok, type Result } from "../std/result.ts";
import type { Failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import type { Changes } from "./changes.ts";

/** After these a repeat may do what this call did not: nobody has been told anything for good. */
const OPEN = new Set<Failure["kind"]>(["unavailable", "unknown-outcome", "corrupt"]);

/** The result names blobs of the parent that the parent may not name any more: then it comes without it (P75). */
const UNNAMEABLE = new Set(["blob_gone", "too_many_blobs"]);

/** Tells the parent of a finished turn of its child, if there is one. */
export async function tellParent(
  changes: Changes,
  child: Instance,
  turn: Turn,
): Promise<Result<null, Failure>> {
  const reply = replyOf(child, turn);
  if (reply === null) return ok(null);
  const tell = (values: typeof reply.values) =>
    changes.instance(reply.to.workflow_id, (parent, moment) =>
      receiveReply(parent, { ...reply, values }, moment),
    );
  let told = await tell(reply.values);
  if (!told.ok && UNNAMEABLE.has(told.error.code)) told = await tell(reply.values.slice(-1));
  return told.ok || !OPEN.has(told.error.kind) ? ok(null) : told;
}
