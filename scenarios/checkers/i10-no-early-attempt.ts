/**
 * I10: no timer fires early, by the clock of the node that decides; with clocks that agree, by virtual time.
 *
 * The clock is bounded as in `i22-lease-honoured.ts`: a node has read it after the call came in and before it sent
 * the write.
 */
import type { Checker } from "../../sim/index.ts";
import type { ChangeOf } from "./changes.ts";
import { clockAt } from "./explain.ts";
import type { Facts } from "./facts.ts";
import { backOffMs, limitOf } from "./limits.ts";
import { Report } from "./report.ts";

const NAME = "I10-no-early-attempt";
/** A time to retry at is at least so far ahead. */
const AHEAD_MS = 1_000;

export const noEarlyAttempt: Checker<Facts> = {
  name: NAME,
  statement:
    "no attempt starts before its turn is ready by the clock of the node that starts it: a back-off, a sleep, a wait that nothing ended, a time that its worker asked for; a failed attempt, or one whose operation ran out of time, makes its turn wait one second, doubling to sixty with each attempt; a sleep or wait ends its length after the node's time",
  blind: "a start that is early by less than the time between the claim's clock reading and its write",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) {
        if (change.kind === "claimed") started(change, facts, report);
        if (change.kind === "failed" && change.turn.status === "queued") waits(change, facts, report);
        if (change.kind === "expired") outOfTime(change, facts, report);
        if (change.kind === "suspended") ends(change, facts, report);
        if (change.kind === "deferred") later(change, facts, report);
      }
    return report.finding();
  },
};

function started(change: ChangeOf<"claimed">, facts: Facts, report: Report): void {
  if (change.was.holder !== null) {
    takenOver(change, report);
    return;
  }
  report.examine();
  const { process } = change.at.version.operation;
  const [, latestMs] = clockAt(change, facts);
  const { ready_at_ms, number } = change.was;
  if (ready_at_ms > latestMs)
    report.at(
      change.at.version,
      `${change.at.value.id}: ${process} started turn ${number} when its clock showed at most ${latestMs}, and it is ready at ${ready_at_ms}`,
    );
}

/** A held turn is taken over at once only when its lease ran out: after an operation's time it waits first. */
function takenOver({ at, was, turn }: ChangeOf<"claimed">, report: Report): void {
  report.examine();
  const limit = limitOf(was)?.limit;
  if (limit !== "lease")
    report.at(
      at.version,
      `${at.value.id}: attempt ${turn.attempt} of turn ${turn.number} began in the write that ended the one before for its ${limit} limit, without a wait`,
    );
}

/** An attempt that its operation ended waits as a failed one does; one whose lease ran out does not wait. */
function outOfTime(change: ChangeOf<"expired">, facts: Facts, report: Report): void {
  const { was, turn } = change;
  if (turn.status === "queued" && limitOf(was)?.limit !== "lease") waits(change, facts, report);
}

/** Where a sleep or a wait ends, from when the node saved it. */
function ends(change: ChangeOf<"suspended">, facts: Facts, report: Report): void {
  report.examine();
  const { step, turn, at } = change;
  const [earliestMs, latestMs] = clockAt(change, facts);
  const { delay_ms, wake_at_ms, key } = step;
  const lengthMs = delay_ms ?? 0;
  const endMs = wake_at_ms ?? 0;
  const where = `${at.value.id}: ${key} of turn ${turn.number}`;
  if (endMs < earliestMs + lengthMs || endMs > latestMs + lengthMs)
    report.at(
      at.version,
      `${where} of ${lengthMs} ends at ${endMs}, when the clock showed ${earliestMs} to ${latestMs}`,
    );
  if (turn.ready_at_ms !== endMs)
    report.at(at.version, `${where} ends at ${endMs} and its turn is ready at ${turn.ready_at_ms}`);
}

/** A worker that asks for a later time asks for one that is ahead by the clock of its node. */
function later(change: ChangeOf<"deferred">, facts: Facts, report: Report): void {
  report.examine();
  const [earliestMs] = clockAt(change, facts);
  const { ready_at_ms, number } = change.turn;
  if (ready_at_ms < earliestMs + AHEAD_MS)
    report.at(
      change.at.version,
      `${change.at.value.id}: turn ${number} is put off to ${ready_at_ms} when the clock showed ${earliestMs} or more`,
    );
}

function waits(change: ChangeOf<"failed" | "expired">, facts: Facts, report: Report): void {
  report.examine();
  const [earliestMs] = clockAt(change, facts);
  const { attempt, number, ready_at_ms } = change.turn;
  const dueMs = earliestMs + backOffMs(change.turn);
  if (ready_at_ms < dueMs)
    report.at(
      change.at.version,
      `${change.at.value.id}: turn ${number} failed in attempt ${attempt} and is ready again at ${ready_at_ms}, not at ${dueMs} or later`,
    );
}
