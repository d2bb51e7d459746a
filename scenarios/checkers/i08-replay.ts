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
import type { Step, Turn } from "../../src/index.ts";
import { type Act, hasEffect } from "../workloads/acts.ts";
import { actAt, type Payload, readPayload, stepKey, stepOutput } from "../workloads/handler.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I08-replay";

export const replay: Checker<Facts> = {
  name: NAME,
  statement:
    "the saved steps of a turn are at every moment the first ones that its handler takes, and each attempt goes on exactly behind those that were saved when it began",
  blind: "handlers whose own code is not deterministic",
  check(_history, facts) {
    const report = new Report(NAME);
    const behind = new Map<string, Place>();
    for (const changes of facts.changes.values())
      for (const change of changes) {
        if (change.kind !== "claimed" && change.kind !== "saved" && change.kind !== "suspended") continue;
        report.examine();
        const { turn, at } = change;
        const payload = readPayload(turn.message);
        if (change.kind === "claimed" && payload !== null)
          behind.set(change.holder.token, { payload, position: turn.steps.length });
        const wrong = strayStep(turn, `${scopeOf(facts)}/${at.value.id}/${at.value.incarnation}`);
        if (wrong !== null) report.at(at.version, `${at.value.id}: turn ${turn.number}: ${wrong}`);
      }
    performed(behind, facts, report);
    return report.finding();
  },
};

/** How far an attempt has come in its handler. */
interface Place {
  readonly payload: Payload;
  position: number;
}

function scopeOf(facts: Facts): string {
  const { tenant, graph, epoch } = facts.setup.space;
  return `${tenant}/${graph}/${epoch}`;
}

/** The first saved step that the handler would not have taken there. */
function strayStep(turn: Turn, scope: string): string | null {
  const payload = readPayload(turn.message);
  if (payload === null) return "its message is none that a handler knows";
  if (turn.steps.length > payload.steps) return `${turn.steps.length} steps are saved of ${payload.steps}`;
  for (const [position, step] of turn.steps.entries()) {
    const { key, output } = step;
    if (key !== stepKey(position)) return `step ${position} is saved as ${key}`;
    const act = actAt(payload, position);
    const stray = strayWait(step, act);
    if (stray !== null) return `${key} is saved ${stray}`;
    if (!hasEffect(act)) continue;
    const effectId = `${scope}/${turn.number}/${turn.message_id}/${key}`;
    if (!same(output, stepOutput(effectId))) return `${key} is saved with another output than its handler's`;
  }
  return null;
}

/** Why the step is not the one that the act saves, or null. */
function strayWait({ kind, delay_ms, signal_name, output }: Step, act: Act): string | null {
  switch (act.kind) {
    case "step":
    case "operate":
      return kind === "step" && delay_ms === null ? null : `as a ${kind} of ${delay_ms}`;
    case "sleep":
      return kind === "sleep" && delay_ms === act.ms && output === null
        ? null
        : `as a ${kind} of ${delay_ms}`;
    case "wait":
      if (kind !== "signal" || delay_ms !== act.ms) return `as a ${kind} of ${delay_ms}`;
      return signal_name === act.name ? null : `as a wait for ${signal_name}`;
  }
}

/** Each attempt performs the steps behind its prefix, in order and each once. */
function performed(behind: ReadonlyMap<string, Place>, facts: Facts, report: Report): void {
  for (const { token, key, workflowId, turn, worker, atMs } of facts.setup.effects) {
    const place = behind.get(token);
    if (place === undefined) continue;
    report.examine();
    while (place.position < place.payload.steps && !hasEffect(actAt(place.payload, place.position)))
      place.position++;
    const due = stepKey(place.position);
    if (key !== due)
      report.add(
        `${workflowId}: turn ${turn}: ${worker} performed ${key} where ${due} was due`,
        worker,
        atMs,
      );
    place.position++;
  }
}
