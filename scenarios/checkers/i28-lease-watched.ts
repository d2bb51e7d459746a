/**
 * I28: a worker knows until when it holds a turn, and says in time that it goes on.
 *
 *   W1  a lease lasts its length from when the claim, or the renewal that was accepted, was sent, by the worker's own
 *       monotonic clock. After that nothing is sent for the turn and no step begins. Only a claim that took longer than a
 *       third of the lease may be renewed first, whatever it seems to have left.
 *   W2  a renewal is sent a third of the lease after the answer before, not sooner and not later, as long as the work goes
 *       on: after the claim, a renewal, or a wait that took a signal at once.
 *   W3  after a claim that took so long a renewal is the first thing, before anything is sent or begun: how much of the
 *       lease is left nobody knows. A turn that is given back needs none.
 */
import type { Checker } from "../../sim/index.ts";
import type { Exchange, Stopped } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import {
  attemptsOf,
  LATE_MS,
  letsGo,
  nameOf,
  Pauses,
  SLACK_MS,
  type SpokenAttempt,
  spoken,
} from "./spoken.ts";

const NAME = "I28-lease-watched";
/** The least between two renewals, milliseconds. */
const LEAST_MS = 20;

export const leaseWatched: Checker<Facts> = {
  name: NAME,
  statement:
    "a worker sends nothing for a turn, and begins no step of it, once its lease has run out by its own clock since the request that granted it, and renews it each third of its length, and before anything else when the claim took longer",
  blind:
    "how late a renewal is while its worker is frozen, after the work has ended, or while a worker that stops gives the turn back",
  check(history, facts) {
    const report = new Report(NAME);
    const pauses = new Pauses(history);
    const log = spoken(facts);
    for (const attempt of attemptsOf(log)) {
      withinLease(attempt, report);
      inThirds(attempt, pauses, givenBackAt(attempt, log.stops), report);
    }
    return report.finding();
  },
};

/** What a worker does about its turn, in the order in which it does it. */
type Event =
  | { readonly nth: number; readonly monoMs: number; readonly sent: Exchange }
  | { readonly nth: number; readonly monoMs: number; readonly ended: Exchange }
  | { readonly nth: number; readonly monoMs: number; readonly begins: string };

function eventsOf({ exchanges, deeds }: SpokenAttempt): readonly Event[] {
  const events: Event[] = [];
  for (const one of exchanges) {
    events.push({ nth: one.sent, monoMs: one.sentMonoMs, sent: one });
    if (one.ended !== null) events.push({ nth: one.ended, monoMs: one.endedMonoMs, ended: one });
  }
  for (const { kind, nth, monoMs, key } of deeds)
    if (kind === "begins") events.push({ nth, monoMs, begins: key });
  return events.sort((a, b) => a.nth - b.nth);
}

/** W1. */
function withinLease(attempt: SpokenAttempt, report: Report): void {
  const { claim, leaseMs, by, exchanges } = attempt;
  let untilMs = claim.sentMonoMs + leaseMs;
  const tookLong = claim.endedMonoMs - claim.sentMonoMs > leaseMs / 3;
  for (const event of eventsOf(attempt)) {
    if ("ended" in event) {
      const { asked, sentMonoMs, said, end } = event.ended;
      if (asked.operation === "heartbeat" && end === "answer" && said?.ok === true)
        untilMs = sentMonoMs + leaseMs;
      continue;
    }
    report.examine();
    if (event.monoMs <= untilMs + LATE_MS) continue;
    const isFirst = "sent" in event && event.sent === exchanges[0];
    if (tookLong && isFirst && event.sent.asked.operation === "heartbeat") continue;
    const what = "sent" in event ? `${nameOf(event.sent)} was sent` : `${event.begins} was begun`;
    report.add(
      `${what} ${event.monoMs - untilMs} ms after the lease of token ${attempt.token} had run out`,
      by.process,
      "sent" in event ? event.sent.sentAtMs : null,
    );
  }
}

/** When a worker that stops gives back what it holds: a turn is not renewed any more then. In the order of the log. */
function givenBackAt({ by }: SpokenAttempt, stops: readonly Stopped[]): (event: Event) => boolean {
  const own = stops.filter((stop) => stop.by.serial === by.serial);
  const first = own.find(({ kind }) => kind === "first");
  const again = own.find(({ kind }) => kind === "again");
  return ({ nth, monoMs }) =>
    (again !== undefined && nth > again.nth) ||
    (first !== undefined && nth > first.nth && monoMs >= first.monoMs + first.drainMs);
}

/** W2. */
function inThirds(
  attempt: SpokenAttempt,
  pauses: Pauses,
  isGivenBack: (event: Event) => boolean,
  report: Report,
): void {
  const { claim, leaseMs, by } = attempt;
  const thirdMs = Math.max(LEAST_MS, Math.floor(leaseMs / 3));
  const tookLong = claim.endedMonoMs - claim.sentMonoMs > leaseMs / 3;
  /** When the answer before came; null: no renewal is due. */
  let since: Exchange | null = claim;
  let isFirst = true;
  for (const event of eventsOf(attempt)) {
    if ("ended" in event) {
      const { asked, end } = event.ended;
      const goesOn = asked.operation === "heartbeat" || asked.operation === "waitSignal";
      if (goesOn && end === "answer") since = event.ended;
      continue;
    }
    if (since === null || isGivenBack(event)) continue;
    report.examine();
    const afterMs = event.monoMs - since.endedMonoMs;
    const isRenewal = "sent" in event && event.sent.asked.operation === "heartbeat";
    const atOnce = isFirst && tookLong;
    isFirst = false;
    if (atOnce && !isRenewal && !("sent" in event && event.sent.asked.operation === "fail"))
      report.add(
        `${by.process} went on with token ${attempt.token} after a claim of ${claim.endedMonoMs - claim.sentMonoMs} ms without renewing its lease of ${leaseMs} ms first`,
        by.process,
        claim.endedAtMs,
      );
    if (isRenewal && !atOnce && afterMs < thirdMs - SLACK_MS)
      report.add(
        `${by.process} renewed the lease of ${leaseMs} ms of token ${attempt.token} ${afterMs} ms after the answer before`,
        by.process,
        event.sent.sentAtMs,
      );
    const nowMs = "sent" in event ? event.sent.sentAtMs : since.endedAtMs + afterMs;
    if (afterMs > thirdMs + LATE_MS && !pauses.between(by.process, since.endedAtMs, nowMs))
      report.add(
        `${by.process} went on with token ${attempt.token} for ${afterMs} ms without renewing its lease of ${leaseMs} ms`,
        by.process,
        nowMs,
      );
    if (isRenewal || ("sent" in event && letsGo(event.sent))) since = null;
  }
}
