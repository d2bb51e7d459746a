/**
 * I11: once the faults have stopped, everything that was asked for gets done.
 *
 * The runner waits for it within the scenario's bound; this says which messages are not done.
 */
import type { Checker } from "../../sim/index.ts";
import type { InstancePlan } from "../workloads/workload.ts";
import { dueTurns } from "./cut-turns.ts";
import type { Facts } from "./facts.ts";
import { isOver } from "./kinds.ts";
import { Report } from "./report.ts";

const NAME = "I11-progress";

export const progress: Checker<Facts> = {
  name: NAME,
  statement:
    "after the faults stop, within the scenario's bound every message is acknowledged and its turns are completed, cancelled or skipped, or wait behind a turn that failed for good; nothing stays running or waiting, nor paused with work to do",
  blind: "how long it took within the bound",
  check(history, facts) {
    const report = new Report(NAME);
    if (history.healedAtMs === null) return report.finding();
    for (const plan of facts.setup.workload.instances) {
      report.examine(plan.messages.length);
      for (const wrong of unfinished(plan, facts))
        report.add(`${plan.id}: ${wrong}`, facts.decoder.identityKey(plan.id), history.endedAtMs);
    }
    return report.finding();
  },
};

function unfinished(plan: InstancePlan, facts: Facts): readonly string[] {
  const last = facts.records.identities.get(plan.id)?.at(-1)?.value;
  if (last === undefined) return ["the instance was never created"];
  const wrong: string[] = [];
  const admitted = new Set<string>();
  for (const moments of facts.timelines.get(plan.id)?.values() ?? [])
    if (moments[0] !== undefined) admitted.add(moments[0].turn.message_id);
  for (const { id } of plan.messages) if (!admitted.has(id)) wrong.push(`message ${id} has no turn`);
  const head = last.turns.find((turn) => !isOver(turn));
  // A pause whose caller heard nothing may come when all is done: it stops nobody.
  if (last.paused && head !== undefined) wrong.push("the instance is paused");
  if (head !== undefined && head.status !== "failed")
    wrong.push(`turn ${head.number} is ${head.status} in attempt ${head.attempt}`);
  const due = dueTurns(plan, facts);
  if (head === undefined && last.completed_turns !== due)
    wrong.push(`${last.completed_turns} turns finished instead of ${due}`);
  return wrong;
}
