/**
 * Reply: the end of a child's work, told to the turn that waits for it.
 *
 *   P72  whoever moves a finished turn to history tells its end before the identity drops the turn. So it is told at
 *        least once; and at most once, because its event id is made of child and turn (P31), however many movers there are.
 *   P73  a parent that is gone, lives another life, or whose turn has finished does not take it: then it is told for good.
 *   P74  a turn that is continued tells nothing: its continuation does.
 *   P75  a reply that would be larger than a signal may be, for which the parent's turn has no room, or that names what the
 *        parent may not, comes without the child's result, and says so. If not even that fits, the parent's wait runs out.
 *
 *   P76  a child is not deleted before its end has been told: what waits for it is cancelled first (`deletions.ts`).
 *
 * Completed, skipped and cancelled turns reply alike. Source: issue "Every promise of the message-workflow engine",
 * "Beyond the seed".
 */
import { type JsonObject, jsonBytes } from "../std/json.ts";
import { failure } from "../vocabulary/errors.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { LIMITS, REPLY_PREFIX } from "../vocabulary/limits.ts";
import type { SignalRequest } from "../vocabulary/requests.ts";
import { isFinished, type ReplyTo, type Turn } from "../vocabulary/turn.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { turnNumbered } from "./inbox.ts";
import { signal } from "./signal.ts";

export interface ChildReply {
  readonly to: ReplyTo;
  readonly id: string;
  /** In the order of preference (P75). */
  readonly values: readonly JsonObject[];
}

/** Turns whose end somebody waits for and that the child still holds (P74). */
export function owedTurns(child: Instance): readonly Turn[] {
  return child.turns.filter(owesReply);
}

/** Whether somebody waits for just this turn's end (P74). */
export function owesReply({ reply_to, continued_to }: Turn): boolean {
  return reply_to !== null && continued_to === null;
}

/** Whether somebody is still to be told of the end of a turn that has finished. */
export function owesEnd(child: Instance): boolean {
  return child.turns.some((turn) => owesReply(turn) && isFinished(turn));
}

/** What the finished turn has to tell, or null when nobody waits for its end (P74). */
export function replyOf(child: Instance, turn: Turn): ChildReply | null {
  const { reply_to: to, number, status, result, error } = turn;
  if (to === null || turn.continued_to !== null) return null;
  const id = `${REPLY_PREFIX}${child.id}-${number}`;
  const whole = { workflow_id: child.id, turn: number, status, result, error };
  const short = { workflow_id: child.id, turn: number, status, result: null, error, result_omitted: true };
  return { to, id, values: jsonBytes(whole) <= LIMITS.signalBytes ? [whole, short] : [short] };
}

/** The parent takes the reply. Any refusal is final (P73, P75). */
export function receiveReply(parent: Instance, reply: ChildReply, moment: Moment): Decision<Instance, Turn> {
  const { to, id, values } = reply;
  if (parent.incarnation !== to.incarnation) {
    const message = `instance ${to.workflow_id} is not the one that started the child; it was created anew since`;
    return refuse(failure("not-found", "instance_not_found", message));
  }
  const turn = turnNumbered(parent, to.turn);
  const known = turn?.signals.some((one) => one.id === id) ?? false;
  if (turn !== null && known) return answer(turn);
  const requests = values.map((value): SignalRequest => {
    return { workflow_id: to.workflow_id, turn: to.turn, id, name: to.name, value };
  });
  let refused: Decision<Instance, Turn> | null = null;
  for (const request of requests) {
    const decision = signal(parent, request, moment);
    if (decision.kind !== "refuse" || decision.failure.kind !== "over-limit") return decision;
    refused = decision;
  }
  return (
    refused ?? refuse(failure("over-limit", "turn_too_large", `${id} does not fit into its parent's turn`))
  );
}
