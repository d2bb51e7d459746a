/**
 * Admit a message and claim its turn for a worker that waits for such work, in one write.
 *
 *   P114 the claim is decided by the rules of every claim (`claim.ts`), on the document that the admission leaves, and only
 *        when the new turn is the head. When it comes to nothing the admission is written all the same.
 *   P115 who sends a message again gets the turn that it became; nothing is claimed with that.
 *
 * Does not own which worker waits (`engine/waits.ts`), nor whether the message may be admitted (`send.ts`).
 */
import type { Instance } from "../vocabulary/instance.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { type ClaimCommand, claim } from "./claim.ts";
import { type Decision, type Moment, write } from "./decision.ts";
import { inboxHead } from "./inbox.ts";

export interface Admitted {
  readonly turn: Turn;
  /** The turn as it was claimed for the worker that waits; null: it was not. */
  readonly claimed: Turn | null;
}

/** `waiting`: the claim of who waits, made when it is needed; null: nobody does. */
export function claimingAdmitted(
  admitted: Decision<Instance, Turn>,
  waiting: () => ClaimCommand | null,
  moment: Moment,
): Decision<Instance, Admitted> {
  if (admitted.kind === "refuse") return admitted;
  const { reply: turn } = admitted;
  if (admitted.kind !== "write") return { kind: admitted.kind, reply: { turn, claimed: null } };
  const { next } = admitted;
  const command = inboxHead(next)?.number === turn.number ? waiting() : null;
  const claimed = command === null ? null : claim(next, command, moment);
  if (claimed?.kind !== "write" || claimed.reply === null) return write(next, { turn, claimed: null });
  return write(claimed.next, { turn: claimed.reply, claimed: claimed.reply });
}
