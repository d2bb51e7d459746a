/**
 * How many turns an instance comes to: as planned, less the continuations of turns that were cancelled or skipped.
 */
import { readPayload } from "../workloads/handler.ts";
import { type InstancePlan, mayBeCut, plannedTurns } from "../workloads/workload.ts";
import type { Facts } from "./facts.ts";

export function dueTurns(plan: InstancePlan, facts: Facts): number {
  let due = plannedTurns(plan);
  if (!mayBeCut(plan)) return due;
  for (const moments of facts.timelines.get(plan.id)?.values() ?? []) {
    const turn = moments.at(-1)?.turn;
    if (turn === undefined || !(turn.status === "cancelled" || turn.skipped)) continue;
    due -= readPayload(turn.message)?.depth ?? 0;
  }
  return due;
}
