/**
 * I10: no timer fires early, by the clock of the node that decides; with clocks that agree, by virtual time.
 *
 * The clock is bounded as in `i22-lease-honoured.ts`: a node has read it after the call came in and before it sent
 * the write.
 */
import type { Checker } from "../../sim/index.ts";
import type { Change } from "./changes.ts";
import { clockAt } from "./explain.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I10-no-early-attempt";
const FIRST_BACKOFF_MS = 1_000;
const LAST_BACKOFF_MS = 60_000;

export const noEarlyAttempt: Checker<Facts> = {
  name: NAME,
  statement:
    "no attempt starts before its turn is ready by the clock of the node that starts it, and a failed attempt makes its turn wait one second, doubling to sixty with each attempt",
  blind: "a start that is early by less than the time between the claim's clock reading and its write",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) {
        if (change.kind === "claimed") started(change, facts, report);
        if (change.kind === "failed" && change.turn.status === "queued") waits(change, facts, report);
      }
    return report.finding();
  },
};

function started(change: Change & { kind: "claimed" }, facts: Facts, report: Report): void {
  if (change.was.holder !== null) return;
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

function waits(change: Change & { kind: "failed" }, facts: Facts, report: Report): void {
  report.examine();
  const [earliestMs] = clockAt(change, facts);
  const { attempt, number, ready_at_ms } = change.turn;
  const dueMs = earliestMs + Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
  if (ready_at_ms < dueMs)
    report.at(
      change.at.version,
      `${change.at.value.id}: turn ${number} failed in attempt ${attempt} and is ready again at ${ready_at_ms}, not at ${dueMs} or later`,
    );
}
