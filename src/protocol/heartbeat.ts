/**
 * Heartbeat: extends a live lease by the instance's lease, counted from now.
 *
 * A repeat extends again, which is harmless. Source: seed 000 "Message API".
 */
import type { Instance } from "../vocabulary/instance.ts";
import type { LeaseRequest } from "../vocabulary/requests.ts";
import type { Turn } from "../vocabulary/turn.ts";
import { type Decision, type Moment, refuse } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { writeTurn } from "./turn-write.ts";

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
  return writeTurn(instance, { ...turn, holder }, moment);
}
