/**
 * I18: what is wrong with one instance delays no other.
 *
 * Two things can be wrong with an instance here: a turn of it failed for good, and its object is damaged (the
 * scenario spoils some on purpose). In a run with either, every other instance has to be done at the end all the
 * same; and what is damaged has to be left as it was found, for a person to look at (B16, B73, B74).
 */
import type { Checker } from "../../sim/index.ts";
import { dueTurns } from "./cut-turns.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";

const NAME = "I18-blast-radius";

export const blastRadius: Checker<Facts> = {
  name: NAME,
  statement:
    "beside an instance whose turn failed for good or whose object is damaged, every other instance finishes all its turns, a claim is never answered with the damage of an instance, and a damaged object is never written",
  blind: "delays that end within the scenario's bound; damage that a node has not met",
  check(history, facts) {
    const report = new Report(NAME);
    const { damaged, workload } = facts.setup;
    const failed = new Set<string>();
    for (const [id, chain] of facts.records.identities)
      if (chain.at(-1)?.value.turns.some((turn) => turn.status === "failed" && !turn.skipped) === true)
        failed.add(id);
    for (const id of damaged) {
      report.examine();
      const chain = history.chains.get(facts.decoder.identityKey(id)) ?? [];
      const [, second] = chain;
      if (second !== undefined)
        report.at(second, `${id} is damaged and ${second.operation.process} wrote it`);
    }
    for (const { record } of facts.calls.claims) {
      const { reply } = record;
      if (!isObject(reply) || !isObject(reply.error) || reply.error.kind !== "corrupt") continue;
      const message = `${record.to} answered a claim with somebody's damage (call ${record.id}) instead of looking on`;
      report.add(message, record.to, record.answeredAtMs);
    }
    for (const plan of workload.instances) {
      report.examine();
      const troubled = failed.size - (failed.has(plan.id) ? 1 : 0) + damaged.length;
      if (history.healedAtMs === null || troubled === 0 || failed.has(plan.id)) continue;
      const last = facts.records.identities.get(plan.id)?.at(-1);
      const done = last?.value.completed_turns ?? 0;
      const due = dueTurns(plan, facts);
      if (done >= due) continue;
      const beside = [...failed, ...damaged].filter((id) => id !== plan.id).join(", ");
      report.add(
        `${plan.id} has done ${done} of ${due} turns at the end, beside ${beside}`,
        facts.decoder.identityKey(plan.id),
        history.endedAtMs,
      );
    }
    return report.finding();
  },
};
