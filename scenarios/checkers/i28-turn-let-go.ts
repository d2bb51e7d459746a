/**
 * I28: a turn that is not a worker's any more is left alone.
 *
 *   G1  after an answer 409 or 404 nothing more is sent for the turn: whoever holds it now must not be disturbed, and the
 *       worker has nothing to say.
 *   G2  the same after a call that let go of it was accepted: a completion, a failure, a sleep, a wait that waits.
 *   G3  the same after a renewal that was refused, or not answered in time. One that its worker left because it was to give
 *       the turn back, or because it let go of it in that very millisecond, has not failed, also when its time had run out
 *       and the timer for it came a little late.
 *   G4  while a call that may let go of the turn is under way, repeats included, the lease is not renewed.
 */
import type { Checker } from "../../sim/index.ts";
import type { Exchange, Stopped } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { attemptsOf, endsTurn, LATE_MS, letsGo, nameOf, type SpokenAttempt, spoken } from "./spoken.ts";

const NAME = "I28-turn-let-go";
/** The least that a renewal is given, milliseconds. */
const LEAST_MS = 50;

export const turnLetGo: Checker<Facts> = {
  name: NAME,
  statement:
    "a worker sends nothing more for a turn after 409 or 404, after a call that let go of it was accepted, or after a renewal that failed, and renews no lease while such a call is under way",
  blind: "what was sent before the answer had arrived, or in the very millisecond of its arrival",
  check(_history, facts) {
    const report = new Report(NAME);
    const log = spoken(facts);
    for (const attempt of attemptsOf(log)) {
      afterwards(attempt, releasesOf(attempt, log.stops), report);
      meanwhile(attempt, report);
    }
    return report.finding();
  },
};

/** When its worker leaves a renewal for another reason than its answer, by the worker's clock. */
interface Leaving {
  readonly fromMs: number;
  readonly toMs: number;
}

/** It gives back what it holds: told again, or its time to drain is over. */
function releasesOf({ by }: SpokenAttempt, stops: readonly Stopped[]): readonly Leaving[] {
  const own = stops.filter((stop) => stop.by.serial === by.serial && stop.kind !== "ended");
  return own.map(({ kind, monoMs, drainMs }) =>
    kind === "again"
      ? { fromMs: monoMs, toMs: monoMs }
      : { fromMs: monoMs + drainMs, toMs: monoMs + drainMs + LATE_MS },
  );
}

/** When calls that may let go of the turn were sent. */
function lettingGo(exchanges: readonly Exchange[]): readonly Leaving[] {
  return exchanges
    .filter((one) => letsGo(one))
    .map(({ sentMonoMs }) => ({ fromMs: sentMonoMs, toMs: sentMonoMs }));
}

/** G1, G2, G3. */
function afterwards(
  { exchanges, leaseMs }: SpokenAttempt,
  releases: readonly Leaving[],
  report: Report,
): void {
  const leavings = [...releases, ...lettingGo(exchanges)];
  let over: Exchange | null = null;
  let overAt = Number.POSITIVE_INFINITY;
  for (const one of exchanges) {
    report.examine();
    // Within a millisecond the answer may be there and its caller not told yet.
    if (over !== null && one.sent > overAt && one.sentAtMs > (over.endedAtMs ?? 0))
      report.add(
        `${nameOf(one)} was sent at ${one.sentAtMs} ms, after ${over.asked.operation} ${endOf(over)} at ${over.endedAtMs} ms`,
        one.by.process,
        one.sentAtMs,
      );
    if (one.ended === null || one.ended > overAt) continue;
    if (!endsTurn(one) && !isFailedRenewal(one, leaseMs, leavings)) continue;
    over = one;
    overAt = one.ended;
  }
}

function isFailedRenewal(
  { asked, end, status, endedMonoMs, sentMonoMs }: Exchange,
  leaseMs: number,
  leavings: readonly Leaving[],
): boolean {
  if (asked.operation !== "heartbeat") return false;
  if (end === "left") {
    const lateMs = endedMonoMs - sentMonoMs - Math.max(LEAST_MS, Math.floor(leaseMs / 3));
    const isLeft = leavings.some(({ fromMs, toMs }) => fromMs <= endedMonoMs && endedMonoMs <= toMs);
    return lateMs >= 0 && !(isLeft && lateMs <= LATE_MS);
  }
  return end === "no-answer" || status < 200 || status >= 300;
}

function endOf({ end, status }: Exchange): string {
  return end === "answer" ? `was answered ${status}` : "had no answer";
}

/** G4. */
function meanwhile({ exchanges }: SpokenAttempt, report: Report): void {
  let letting = "";
  let until = 0;
  for (const one of exchanges) {
    const { operation, request } = one.asked;
    if (letsGo(one)) {
      letting = `${operation} ${request.position ?? ""}`;
      // Between two attempts of one call it is under way, too.
      const again = exchanges.findLast((other) => other.body === one.body && other.target === one.target);
      until = again?.ended ?? Number.POSITIVE_INFINITY;
    } else if (operation === "heartbeat" && one.sent < until)
      report.add(
        `${nameOf(one)} was sent at ${one.sentAtMs} ms while ${letting} was under way`,
        one.by.process,
        one.sentAtMs,
      );
  }
}
