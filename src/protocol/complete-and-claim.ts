/**
 * Complete a turn and claim the next one for the same worker, in one write.
 *
 *   P112 the claim is decided by the rules of every claim (`claim.ts`), on the document that the completion leaves. When
 *        it comes to nothing the completion is written all the same.
 *   P113 a repeat of a completion claims nothing. It answers the task that this very completion granted, under the same
 *        token, as long as that attempt holds the head in time; else none. So an answer that was lost costs nothing, and
 *        no completion ever hands out two tokens.
 *
 * Does not own the completion, which is decided before, from the document or from history (`complete.ts`). Whether the request may ask for the types that it names is looked at
 * before (`engine/access.ts`).
 */
import type { Instance } from "../vocabulary/instance.ts";
import type { CompleteRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { attemptLimit } from "./attempt.ts";
import { claim } from "./claim.ts";
import { answer, type Decision, type Moment, nothing, write } from "./decision.ts";
import { inboxHead } from "./inbox.ts";

export interface Completed {
  readonly turn: Turn;
  /** The turn that was claimed with it; null: none. */
  readonly next: Turn | null;
}

/**
 * What a completion comes to with the claim that goes with it, if the request asks for one. `token`: for the attempt that
 * it may grant, never used for another one.
 */
export function claimingNext(
  instance: Instance,
  completed: Decision<Instance, Turn>,
  request: CompleteRequest,
  token: () => string,
  moment: Moment,
): Decision<Instance, Completed> {
  if (completed.kind === "refuse") return completed;
  const { reply: turn } = completed;
  if (completed.kind !== "write") {
    const next = granted(instance, request, moment);
    // That it took nothing is said only when an earlier write of this very call can have taken nothing either.
    return next === null && request.next !== undefined ? nothing({ turn, next }) : answer({ turn, next });
  }
  const { next: after } = completed;
  if (request.next === undefined) return write(after, { turn, next: null });
  const { worker, workflows } = request.next;
  const command = { worker, workflows, token: token(), granted_by: turn.number };
  const claimed = claim(after, command, moment);
  if (claimed.kind !== "write") return write(after, { turn, next: null });
  return write(claimed.next, { turn, next: claimed.reply });
}

/** P113. */
function granted(instance: Instance, request: CompleteRequest, moment: Moment): Turn | null {
  const head = inboxHead(instance);
  const limit = head === null ? null : attemptLimit(head);
  if (head === null || limit === null || limit.at_ms <= moment.now_ms) return null;
  const isOwn = head.holder?.granted_by === request.turn && head.holder.worker === request.next?.worker;
  return isOwn ? head : null;
}
