/**
 * I05: the saved state is what the committed messages make of the first one.
 *
 * Computed again with the pure handler, from the plan of the instance and the stored messages, never from a stored
 * state: so a completion that was made from an old state, made twice or made from other steps than the saved ones
 * shows at once (B24, B30, B37, B65). The result and the continuation are computed along.
 */

import type { Checker } from "../../sim/index.ts";
import type { Json } from "../../src/std/json.ts";
import { completion, initialState, readPayload, readState, stepKey } from "../workloads/handler.ts";
import type { Change } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";

const NAME = "I05-state-is-fold";

export const stateIsFold: Checker<Facts> = {
  name: NAME,
  statement:
    "the state after each completed turn, its result and its continuation are what the handler makes of the state before, the message and the saved steps, from the first state on",
  blind: "the order in which messages ought to have come",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const [id, changes] of facts.changes) {
      const plan = facts.plan(id);
      if (plan === null) continue;
      let state: Json = initialState(plan);
      for (const change of changes) {
        if (change.kind === "created" && !same(change.at.value.state, state))
          report.at(change.at.version, `${id} was created with another state than asked`);
        if (change.kind !== "completed") continue;
        report.examine();
        state = completed(change, state, report);
      }
    }
    return report.finding();
  },
};

/** The state after the turn, as it has to be. */
function completed(change: Change & { kind: "completed" }, before: Json, report: Report): Json {
  const { turn, at } = change;
  const where = `${at.value.id}: turn ${turn.number}`;
  const payload = readPayload(turn.message);
  const state = readState(before);
  if (payload === null || state === null) {
    report.at(at.version, `${where} has a message or state that no handler made`);
    return at.value.state;
  }
  const outputs = turn.steps.map((step) => step.output);
  if (outputs.length !== payload.steps || turn.steps.some((step, i) => step.key !== stepKey(i)))
    report.at(at.version, `${where} completed with ${outputs.length} steps instead of its ${payload.steps}`);
  const due = completion(state, payload, outputs);
  if (!same(at.value.state, due.state))
    report.at(
      at.version,
      `${where} left ${JSON.stringify(at.value.state)}, not ${JSON.stringify(due.state)}`,
    );
  if (!same(turn.result, due.result))
    report.at(
      at.version,
      `${where} answered ${JSON.stringify(turn.result)}, not ${JSON.stringify(due.result)}`,
    );
  const successor = at.value.turns.find((next) => next.number === turn.continued_to);
  if (!same(successor?.message ?? null, due.continuation?.message ?? null))
    report.at(at.version, `${where} was not continued as its handler asked`);
  return due.state;
}
