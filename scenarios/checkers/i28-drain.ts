/**
 * I28: how a worker stops.
 *
 *   D1  once told, it claims no more.
 *   D2  what it holds when its time to drain is over, or when it is told again, it gives back: the next thing that it
 *       sends about such a turn is a failure that names a later time, or the repeat of what ends the turn anyway.
 *   D3  its run ends: within the time to drain, or at once when it was told again, and what the calls take that are under
 *       way then.
 */
import type { Checker } from "../../sim/index.ts";
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
    "a worker that is told to stop claims no more, gives back what it still holds when its time is over or it is told again, and ends",
  blind: "a worker that is told to stop when all work is done",
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
      const own = attempts.filter(({ by }) => by.serial === serial);
      const overMs = Math.min(stop.monoMs + stop.drainMs, again?.monoMs ?? Number.POSITIVE_INFINITY);
      for (const attempt of own) givenBack(attempt, overMs, again, report);
      endsInTime(stop, ended, overMs, own, history.incidents, report);
    }
    return report.finding();
  },
};

/** D2. */
function givenBack(
  { exchanges }: SpokenAttempt,
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
    if (operation === "fail" && typeof request.retry_at_ms === "number") continue;
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

/** D3. A worker that died, or was frozen, did not get to it. */
function endsInTime(
  { by, monoMs }: Stopped,
  ended: Stopped | null,
  overMs: number,
  attempts: readonly SpokenAttempt[],
  incidents: readonly { readonly kind: string; readonly process: string | null }[],
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
