/**
 * I28: how a worker stops.
 *
 *   D1  once told, it claims no more, and asks for no further turn with a completion.
 *   D2  what it holds when its time to drain is over, or when it is told again, it gives back: the next thing that it
 *       sends about such a turn is a failure that names a later time, or the repeat of what ends the turn anyway.
 *   D3  its run ends: within the time to drain, or at once when it was told again, and what the calls take that are under
 *       way then. A run that is over before such a call is, or just as it is, says nothing about the end.
 *   D4  a turn that it is given after it was told it gives back at once: no step of it begins, and a failure that names a
 *       later time is the first thing that it sends. It sends that, as long as the lease lasts.
 *   D5  a step that it holds back is saved before its turn is given back, and nothing else is sent for it.
 */
import type { Checker, RunHistory } from "../../sim/index.ts";
import type { Exchange, Stopped } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { attemptsOf, LATE_MS, nameOf, type SpokenAttempt, spoken } from "./spoken.ts";

const NAME = "I28-drain";
/** A claim that waits, and the balancer's patience with it; a lease bounds everything else. */
const UNDER_WAY_MS = 30_000;

export const drain: Checker<Facts> = {
  name: NAME,
  statement:
    "a worker that is told to stop claims no more, gives back what it still holds when its time is over or it is told again, and at once what it is given after, and ends",
  blind:
    "a worker that is told to stop when all work is done, and the end of one whose call is under way when the run is over",
  check(history, facts) {
    const report = new Report(NAME);
    const log = spoken(facts);
    const attempts = attemptsOf(log);
    for (const stop of log.stops) {
      if (stop.kind !== "first") continue;
      const { serial } = stop.by;
      const again = log.stops.find(({ by, kind }) => by.serial === serial && kind === "again") ?? null;
      const ended = log.stops.find(({ by, kind }) => by.serial === serial && kind === "ended") ?? null;
      if (ended !== null && ended.nth < stop.nth) continue;
      report.examine();
      for (const one of log.exchanges)
        if (one.by.serial === serial && one.asked.operation === "claim" && one.sent > stop.nth)
          report.add(`${nameOf(one)} was sent after it was told to stop`, one.by.process, one.sentAtMs);
      for (const one of log.exchanges)
        if (one.by.serial === serial && asksForNext(one, log.exchanges) && one.sent > stop.nth)
          report.add(
            `${nameOf(one)} asked for the next turn after it was told to stop`,
            one.by.process,
            one.sentAtMs,
          );
      const own = attempts.filter(({ by }) => by.serial === serial);
      const overMs = Math.min(stop.monoMs + stop.drainMs, again?.monoMs ?? Number.POSITIVE_INFINITY);
      for (const attempt of own) {
        if ((attempt.claim.ended ?? 0) > stop.nth) untouched(attempt, ended, report);
        givenBack(attempt, overMs, again, report);
      }
      if (ended !== null || !isCutShort(stop, log.exchanges, history))
        endsInTime(stop, ended, overMs, own, history, report);
    }
    return report.finding();
  },
};

/** D1: a repeat says again what was said before. */
function asksForNext(one: Exchange, exchanges: readonly Exchange[]): boolean {
  const { operation, request } = one.asked;
  if (operation !== "complete" || request.next === undefined) return false;
  return exchanges.find(({ by, body }) => by.serial === one.by.serial && body === one.body) === one;
}

/** D4. */
function untouched(attempt: SpokenAttempt, ended: Stopped | null, report: Report): void {
  const { claim, exchanges, deeds, by, token, leaseMs } = attempt;
  report.examine();
  const [first] = exchanges;
  const begun = deeds.find(({ kind }) => kind === "begins");
  if (begun !== undefined)
    report.add(
      `${by.process} began ${begun.key} of token ${token}, which it was given after the stop`,
      by.process,
      begun.atMs,
    );
  if (first !== undefined && !givesBack(first))
    report.add(
      `${nameOf(first)} was sent for a turn that it was given after the stop`,
      by.process,
      first.sentAtMs,
    );
  const isLate = claim.endedMonoMs >= claim.sentMonoMs + leaseMs;
  if (first === undefined && ended !== null && !isLate)
    report.add(
      `${by.process} was given token ${token} after the stop and dropped it`,
      by.process,
      claim.endedAtMs,
    );
}

function givesBack({ asked: { operation, request } }: Exchange): boolean {
  return operation === "fail" && typeof request.retry_at_ms === "number";
}

/** D2, D5. */
function givenBack(
  { exchanges, deeds }: SpokenAttempt,
  overMs: number,
  again: Stopped | null,
  report: Report,
): void {
  const isBefore = (one: Exchange) =>
    again !== null && again.monoMs === overMs ? one.sent < again.nth : one.sentMonoMs <= overMs + LATE_MS;
  const ending = exchanges.findLast((one) => isBefore(one) && endsAnyway(one))?.asked.operation;
  for (const one of exchanges) {
    if (isBefore(one)) continue;
    report.examine();
    const { operation, request } = one.asked;
    if (givesBack(one)) continue;
    // D5: a step that had returned by then, and that nothing was sent for before.
    const returned = deeds.some(
      (deed) => deed.kind === "returns" && deed.key === request.key && deed.nth < one.sent,
    );
    const before = exchanges.some(
      (other) =>
        other.sent < one.sent &&
        other.asked.operation === operation &&
        other.asked.request.key === request.key &&
        other.body !== one.body,
    );
    if (operation === "checkpoint" && returned && !before) continue;
    if (operation === ending) continue;
    report.add(
      `${nameOf(one)} was sent after the worker's time to drain was over`,
      one.by.process,
      one.sentAtMs,
    );
  }
}

/** What was begun by then and ends the turn whatever the stop says. */
function endsAnyway({ asked: { operation } }: Exchange): boolean {
  return operation === "complete" || operation === "fail";
}

/** D3: a claim to a server that is not there takes as long as the balancer is patient. */
function isCutShort({ by }: Stopped, exchanges: readonly Exchange[], { endedAtMs }: RunHistory): boolean {
  return exchanges.some(
    (one) =>
      one.by.serial === by.serial &&
      endedAtMs - one.sentAtMs < UNDER_WAY_MS &&
      (one.ended === null || endedAtMs - one.endedAtMs <= LATE_MS),
  );
}

/** D3. A worker that died, or was frozen, did not get to it. */
function endsInTime(
  { by, monoMs }: Stopped,
  ended: Stopped | null,
  overMs: number,
  attempts: readonly SpokenAttempt[],
  { incidents }: RunHistory,
  report: Report,
): void {
  const struck = incidents.some(
    ({ kind, process }) => process === by.process && kind !== "start" && kind !== "worker-stop",
  );
  if (struck) return;
  report.examine();
  const leaseMs = Math.max(0, ...attempts.map((attempt) => attempt.leaseMs));
  const lastMs = overMs + leaseMs + UNDER_WAY_MS;
  if (ended === null)
    report.add(
      `${by.process} was told to stop at ${monoMs} ms of its clock and never ended`,
      by.process,
      null,
    );
  else if (ended.monoMs > lastMs)
    report.add(`${by.process} ended ${ended.monoMs - overMs} ms after its time to drain`, by.process, null);
}
