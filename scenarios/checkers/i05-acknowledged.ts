/**
 * I05: what was acknowledged is stored by then, and still is at the end.
 *
 * The trace of an acknowledgement is looked for in the identity as the store had applied it when the caller
 * learned of it: later is too late, because the next crash may come first (B10, B13). At the end it is looked for
 * again: turns that moved to history stay as they were last, which `i13-one-home.ts` holds against history itself.
 *
 * Steps, sleeps and waits only append, and signals too, so each has its place for good once it is acknowledged. What a
 * wait received is for `i12-signal-conserved.ts`; whether a control is still in force is for `i09-controls.ts`.
 *
 * A failure is not looked for here: its trace is the end of the attempt, which `i19-attempt-fence.ts` looks for.
 */

import type { Checker } from "../../sim/index.ts";
import type { TurnView } from "../../src/index.ts";
import type { Call } from "./calls.ts";
import { type Facts, momentAt, type TurnMoment } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

const NAME = "I05-acknowledged";

export const acknowledged: Checker<Facts> = {
  name: NAME,
  statement:
    "each acknowledged creation, message, step, sleep, wait, signal and completion is in the stored identity when it is acknowledged, and its trace is there at the end",
  blind: "acknowledgements that the caller never received; renewals, which the next one replaces",
  check(history, facts) {
    const report = new Report(NAME);
    for (const call of facts.calls.creates) created(call.request.id, call, facts, report);
    for (const call of facts.calls.sends) {
      const number = turnNumber(call);
      const { workflow_id: id } = call.request;
      if (number === null) continue;
      holds(call, id, number, facts, history.endedAtMs, report, "message", ({ turn }) => {
        return turn.message_id === call.request.id && same(turn.message, call.request.message);
      });
    }
    for (const call of facts.calls.signals) {
      const { workflow_id: id, turn: number, id: event, name, value } = call.request;
      holds(call, id, number, facts, history.endedAtMs, report, "signal", ({ turn }) => {
        const signal = turn.signals.find((one) => one.id === event);
        return signal?.name === name && same(signal.value, value);
      });
    }
    for (const calls of facts.calls.attempts.values()) {
      for (const call of calls.checkpoints) {
        const { workflow_id: id, turn: number, position, key, kind, output = null } = call.request;
        holds(call, id, number, facts, history.endedAtMs, report, kind, ({ turn }) => {
          const step = turn.steps[position];
          return step?.key === key && step.kind === kind && same(step.output, output);
        });
      }
      for (const call of calls.waits) {
        const { workflow_id: id, turn: number, position, key, name } = call.request;
        holds(call, id, number, facts, history.endedAtMs, report, "wait", ({ turn }) => {
          const step = turn.steps[position];
          return step?.key === key && step.signal_name === name;
        });
      }
      for (const call of calls.completes) {
        const { workflow_id: id, turn: number, state, result, token, steps = [] } = call.request;
        holds(call, id, number, facts, history.endedAtMs, report, "completion", ({ turn }) => {
          const ours = turn.status === "completed" && turn.last_attempt?.token === token;
          const kept = steps.every(({ position, key, output }) => {
            const saved = turn.steps[position];
            return saved?.key === key && saved.kind === "step" && same(saved.output, output);
          });
          return ours && kept && same(turn.state_after, state) && same(turn.result, result ?? null);
        });
      }
    }
    return report.finding();
  },
};

function created(id: string, call: Call<unknown>, facts: Facts, report: Report): void {
  const { answeredAtMs } = call.record;
  if (call.answer.kind !== "ok" || answeredAtMs === null) return;
  report.examine();
  const first = facts.records.identities.get(id)?.[0];
  if (first === undefined || first.version.atMs > answeredAtMs)
    report.add(
      `the creation of ${id} was acknowledged (call ${call.record.id}) and is not stored`,
      id,
      answeredAtMs,
    );
}

/** Requires `test` of the turn as it was at the acknowledgement and as it is at the end. */
function holds(
  call: Call<unknown>,
  id: string,
  number: number,
  facts: Facts,
  endedAtMs: number,
  report: Report,
  what: string,
  test: (moment: TurnMoment) => boolean,
): void {
  const { answeredAtMs } = call.record;
  if (call.answer.kind !== "ok" || answeredAtMs === null) return;
  report.examine();
  for (const atMs of [answeredAtMs, endedAtMs]) {
    const moment = momentAt(facts.turn(id, number), atMs);
    if (moment !== null && test(moment)) continue;
    const when = atMs === answeredAtMs ? "then" : "at the end";
    const where = `turn ${number} of ${id}`;
    report.add(
      `${where}: a ${what} was acknowledged (call ${call.record.id}) and is not stored ${when}`,
      facts.decoder.identityKey(id),
      answeredAtMs,
    );
    return;
  }
}

function turnNumber(call: Call<unknown>): TurnView["number"] | null {
  if (call.answer.kind !== "ok" || !isObject(call.answer.value)) return null;
  return typeof call.answer.value.number === "number" ? call.answer.value.number : null;
}
