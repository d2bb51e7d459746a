/**
 * I12: an acknowledged signal is in exactly one place of its turn, for good: taken by one step, or waiting there.
 *
 *   S1  a wait that begins takes the oldest signal of its name that nobody has taken, in its own write; it suspends
 *       its turn only when there is none.
 *   S2  a signal that comes while its turn waits for that name ends the wait when the deciding node's clock shows a
 *       time before the deadline, and only then. At or after it the signal stays.
 *   S3  what a step says it received is the value of just the one signal that names it, and the other way round.
 *   S4  an event id stands once in its turn and in no other turn of the instance that it was not sent to.
 *   S5  an exact repeat of an acknowledged signal is accepted, however late; other content under its id never is.
 *
 * That an acknowledged signal is stored then and at the end is held by `i05-acknowledged.ts`, and that a stored one was
 * asked for by `i04-no-foreign-write.ts` (B63 to B66). A turn may come with signals in one write (G6 of `changes.ts`): each
 * has to be asked for that very turn, and `i02-write-order.ts` counts its sender, so none comes along from another turn.
 * That a child begins with none is held by `i05-no-lost-update.ts`.
 */
import type { Checker } from "../../sim/index.ts";
import type { Signal, SignalRequest, Step, Turn } from "../../src/index.ts";
import type { Call } from "./calls.ts";
import type { ChangeOf } from "./changes.ts";
import { clockAt } from "./explain.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { same } from "./same.ts";
import { isObject } from "./shapes.ts";

const NAME = "I12-signal-conserved";

export const signalConserved: Checker<Facts> = {
  name: NAME,
  statement:
    "each signal of a turn is taken by one step with its value or waits there; a wait takes the oldest that matches; a signal ends a wait exactly when it is received before the deadline by the clock of the node that decides; exact repeats are accepted for good and others refused",
  blind:
    "signals that were never acknowledged and never stored; a receipt within what the clock showed around the deadline",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) {
        if (change.kind === "saved" && change.step.kind === "signal") taken(change, report);
        if (change.kind === "suspended" && change.step.kind === "signal") suspended(change, report);
        if (change.kind === "signalled") received(change, facts, report);
      }
    for (const [id, timeline] of facts.timelines) {
      report.examine();
      for (const moments of timeline.values()) {
        const last = moments.at(-1);
        const wrong = last === undefined ? null : imbalance(last.turn);
        if (last !== undefined && wrong !== null)
          report.at(last.version, `${id}: turn ${last.turn.number}: ${wrong}`);
      }
    }
    repeats(facts, report);
    return report.finding();
  },
};

function oldest(turn: Turn, name: string | null): Signal | undefined {
  return turn.signals.find((signal) => signal.consumed_by === null && signal.name === name);
}

/** S1: the wait was over at once. */
function taken({ at, was, turn, step }: ChangeOf<"saved">, report: Report): void {
  report.examine();
  const due = oldest(was, step.signal_name);
  const wrong = due === undefined || !same(step.output, { received: true, value: due.value });
  if (wrong || turn.signals.find(({ id }) => id === due.id)?.consumed_by !== step.key)
    report.at(
      at.version,
      `${at.value.id}: ${step.key} of turn ${turn.number} took ${JSON.stringify(step.output)} and not the oldest ${step.signal_name}, ${due?.id ?? "which is none"}`,
    );
}

/** S1: the wait suspended its turn. */
function suspended({ at, was, turn, step }: ChangeOf<"suspended">, report: Report): void {
  report.examine();
  const due = oldest(was, step.signal_name);
  if (due !== undefined || step.output !== null)
    report.at(
      at.version,
      `${at.value.id}: ${step.key} of turn ${turn.number} waits for ${step.signal_name} although ${due?.id ?? "it has an output"}`,
    );
}

/** S2. */
function received(change: ChangeOf<"signalled">, facts: Facts, report: Report): void {
  report.examine();
  const { at, was, turn, signal, woke } = change;
  const wait = was.waiting_for === "signal" ? was.steps.at(-1) : undefined;
  if (wait === undefined || wait.wake_at_ms === null) return;
  const [earliestMs, latestMs] = clockAt(change, facts);
  const where = `${at.value.id}: signal ${signal.id} of turn ${turn.number}`;
  const when = `when the clock showed ${earliestMs} to ${latestMs}`;
  if (woke !== null) {
    if (signal.name !== wait.signal_name)
      report.at(at.version, `${where}, ${signal.name}, ended a wait for ${wait.signal_name}`);
    if (!same(woke.output, { received: true, value: signal.value }))
      report.at(at.version, `${where} ended a wait that received ${JSON.stringify(woke.output)}`);
    if (earliestMs >= wait.wake_at_ms)
      report.at(at.version, `${where} ended a wait until ${wait.wake_at_ms} ${when}`);
  } else if (signal.name === wait.signal_name && latestMs < wait.wake_at_ms)
    report.at(at.version, `${where} did not end the wait until ${wait.wake_at_ms} ${when}`);
}

/** S3, S4: what does not fit between the steps and the signals of a turn, or null. */
function imbalance({ steps, signals }: Turn): string | null {
  const ids = new Set<string>();
  for (const { id, consumed_by, value } of signals) {
    if (ids.has(id)) return `signal ${id} stands twice`;
    ids.add(id);
    if (consumed_by === null) continue;
    const step = steps.find(({ key }) => key === consumed_by);
    if (!same(step?.output, { received: true, value })) return `signal ${id} was lost in ${consumed_by}`;
  }
  for (const step of steps) {
    const takenBy = signals.filter(({ consumed_by }) => consumed_by === step.key).length;
    if (takenBy !== (hasReceived(step) ? 1 : 0)) return `${step.key} took ${takenBy} signals`;
  }
  return null;
}

function hasReceived({ kind, output }: Step): boolean {
  return kind === "signal" && isObject(output) && output.received === true;
}

/** S5. */
function repeats(facts: Facts, report: Report): void {
  const first = new Map<string, Call<SignalRequest>>();
  for (const call of facts.calls.signals) {
    const { workflow_id, turn, id, name, value } = call.request;
    const event = `${workflow_id} ${turn} ${id}`;
    const before = first.get(event);
    if (before === undefined) {
      if (call.answer.kind === "ok") first.set(event, call);
      continue;
    }
    if (call.record.sentAtMs <= (before.record.answeredAtMs ?? Number.POSITIVE_INFINITY)) continue;
    report.examine();
    const alike = before.request.name === name && same(before.request.value, value);
    const { answer, record } = call;
    const wrong = answer.kind === (alike ? "refused" : "ok");
    if (wrong && !isUnavailable(call))
      report.add(
        `${workflow_id}: signal ${id}, acknowledged by call ${before.record.id}, was sent again ${alike ? "" : "with other content "}(call ${record.id}) and answered ${answer.kind === "ok" ? "ok" : "with a refusal"}`,
        facts.decoder.identityKey(workflow_id),
        record.answeredAtMs,
      );
  }
}

/** A node that can do nothing now refuses without looking. */
function isUnavailable({ record }: Call<unknown>): boolean {
  const { reply } = record;
  return isObject(reply) && isObject(reply.error) && reply.error.kind === "unavailable";
}
