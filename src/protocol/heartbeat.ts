/**
 * Heartbeat: extends a live lease by the instance's lease, counted from now.
 *
 * A repeat extends again, which is harmless. Source: seed 000 "Message API".
 */
import type { Instance } from "../vocabulary/instance.ts";
import type { LeaseRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { type Decision, type Moment, refuse, write } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered, withTurn } from "./inbox.ts";

export function heartbeat(
  instance: Instance,
  request: LeaseRequest,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const fenced = fenceFailure(turn, request, moment);
  if (fenced !== null) return refuse(fenced);
  const holder = turn.holder && { ...turn.holder, deadline_ms: moment.now_ms + instance.lease_ms };
  const next: Turn = { ...turn, holder, updated_at_ms: moment.now_ms, sequence: moment.sequence };
  return write({ ...instance, turns: withTurn(instance, next), updated_at_ms: moment.now_ms }, next);
}
