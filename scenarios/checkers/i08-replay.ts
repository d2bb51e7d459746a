/**
 * I08: a durable prefix of a turn replays to the same commands, whoever reads it.
 *
 * The saved steps of a turn are all that an attempt starts from. So what is saved has to be, at every moment, what
 * the pure handler makes of the message up to there; and what an attempt does first, second … has to be what the
 * handler does behind the steps that were saved when it was claimed (B58, B60, B72). The handler is asked cold, from
 * the stored bytes, at each version that saved a step or began an attempt.
 *
 * That a cold node makes the same of the same objects is held by a test that starts one on copies of them.
 */
import type { Checker } from "../../sim/index.ts";
import type { Turn } from "../../src/index.ts";
import { readPayload, stepKey, stepOutput } from "../workloads/handler.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I08-replay";

export const replay: Checker<Facts> = {
  name: NAME,
  statement:
    "the saved steps of a turn are at every moment the first ones that its handler takes, and each attempt goes on exactly behind those that were saved when it began",
  blind: "handlers whose own code is not deterministic; sleeps and signals, which the core does not have yet",
  check(_history, facts) {
    const report = new Report(NAME);
    const behind = new Map<string, number>();
    for (const changes of facts.changes.values())
      for (const change of changes) {
        if (change.kind !== "claimed" && change.kind !== "saved") continue;
        report.examine();
        const { turn, at } = change;
        if (change.kind === "claimed") behind.set(change.holder.token, turn.steps.length);
        const wrong = strayStep(turn, `${scopeOf(facts)}/${at.value.id}/${at.value.incarnation}`);
        if (wrong !== null) report.at(at.version, `${at.value.id}: turn ${turn.number}: ${wrong}`);
      }
    performed(behind, facts, report);
    return report.finding();
  },
};

function scopeOf(facts: Facts): string {
  const { tenant, graph, epoch } = facts.setup.space;
  return `${tenant}/${graph}/${epoch}`;
}

/** The first saved step that the handler would not have taken there. */
function strayStep(turn: Turn, scope: string): string | null {
  const payload = readPayload(turn.message);
  if (payload === null) return "its message is none that a handler knows";
  if (turn.steps.length > payload.steps) return `${turn.steps.length} steps are saved of ${payload.steps}`;
  for (const [position, { key, output }] of turn.steps.entries()) {
    if (key !== stepKey(position)) return `step ${position} is saved as ${key}`;
    const effectId = `${scope}/${turn.number}/${turn.message_id}/${key}`;
    if (!same(output, stepOutput(effectId))) return `${key} is saved with another output than its handler's`;
  }
  return null;
}

/** Each attempt performs the steps behind its prefix, in order and each once. */
function performed(behind: Map<string, number>, facts: Facts, report: Report): void {
  for (const { token, key, workflowId, turn, worker, atMs } of facts.setup.effects) {
    const position = behind.get(token);
    if (position === undefined) continue;
    report.examine();
    if (key !== stepKey(position)) {
      const due = stepKey(position);
      report.add(
        `${workflowId}: turn ${turn}: ${worker} performed ${key} where ${due} was due`,
        worker,
        atMs,
      );
    }
    behind.set(token, position + 1);
  }
}
