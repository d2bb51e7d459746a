/**
 * I06: steps and their effects on the outside world.
 *
 *   Q1  an effect may be performed again, when its worker died before the step was saved, but always under the same
 *       effect id, so that the outside world can tell (B45, B72);
 *   Q2  never by an attempt that was given the step as saved;
 *   Q3  no two steps share an effect id, whatever instance or turn they belong to;
 *   Q4  what is saved as a step's output is what its effect gave.
 * The effect id is computed from its published form, not taken from the task.
 */
import type { Checker } from "../../sim/index.ts";
import type { Effect } from "../systems/outside.ts";
import { stepOutput } from "../workloads/handler.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I06-steps-once";

export const stepsOnce: Checker<Facts> = {
  name: NAME,
  statement:
    "no step is saved twice in a turn, a saved step has its effect, every performance of a step has the same effect id and no other step has it, and a step saved before an attempt began is not performed by it",
  blind: "effects that workers perform outside steps",
  check(_history, facts) {
    const report = new Report(NAME);
    const byStep = new Map<string, Effect>();
    const byEffect = new Map<string, string>();
    for (const effect of facts.setup.effects) {
      report.examine();
      const { workflowId, turn, key, effectId, atMs } = effect;
      const step = `${key} of turn ${turn} of ${workflowId}`;
      const first = byStep.get(step);
      if (first !== undefined && first.effectId !== effectId)
        report.add(
          `${step} was performed as ${first.effectId} and again as ${effectId}`,
          effect.worker,
          atMs,
        );
      const owner = byEffect.get(effectId);
      if (owner !== undefined && owner !== step)
        report.add(`${step} was performed under the effect id of ${owner}`, effect.worker, atMs);
      if (effectId !== effectIdOf(effect, facts))
        report.add(
          `${step} was performed as ${effectId}, not ${effectIdOf(effect, facts)}`,
          effect.worker,
          atMs,
        );
      byStep.set(step, first ?? effect);
      byEffect.set(effectId, step);
    }
    savedSteps(facts, byStep, report);
    repeats(facts, report);
    return report.finding();
  },
};

/** The published form: scope, instance, its life, turn, message, step. */
function effectIdOf(effect: Effect, facts: Facts): string {
  const { tenant, graph, epoch } = facts.setup.space;
  const { workflowId, turn, key } = effect;
  const incarnation = facts.records.identities.get(workflowId)?.[0]?.value.incarnation;
  const message = facts.turn(workflowId, turn)[0]?.turn.message_id;
  return `${tenant}/${graph}/${epoch}/${workflowId}/${incarnation}/${turn}/${message}/${key}`;
}

function savedSteps(facts: Facts, effects: ReadonlyMap<string, Effect>, report: Report): void {
  for (const [id, timeline] of facts.timelines)
    for (const [number, moments] of timeline) {
      const last = moments.at(-1);
      if (last === undefined) continue;
      const keys = new Set<string>();
      for (const { key, kind, output } of last.turn.steps) {
        report.examine();
        const step = `${key} of turn ${number} of ${id}`;
        const effect = effects.get(step);
        if (keys.has(key)) report.at(last.version, `${step} was saved twice`);
        keys.add(key);
        // What a wait received is for the checker of signals; a sleep has nothing.
        if (kind !== "step") continue;
        if (effect === undefined) report.at(last.version, `${step} was saved and never performed`);
        else if (!same(output, stepOutput(effect.effectId)))
          report.at(last.version, `${step} was saved with an output that its effect did not have`);
      }
    }
}

/** Effects of attempts that were given the step as saved. */
function repeats(facts: Facts, report: Report): void {
  const savedBefore = new Map<string, ReadonlySet<string>>();
  for (const changes of facts.changes.values())
    for (const change of changes)
      if (change.kind === "claimed")
        savedBefore.set(change.holder.token, new Set(change.turn.steps.map((step) => step.key)));
  for (const { token, key, workflowId, turn, worker, atMs } of facts.setup.effects)
    if (savedBefore.get(token)?.has(key) === true)
      report.add(
        `${key} of turn ${turn} of ${workflowId} was performed by ${worker} although it was saved before that attempt began`,
        worker,
        atMs,
      );
}
