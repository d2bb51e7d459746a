/**
 * I20: what a process left behind is taken over within a bound.
 *
 * Held after the faults: a turn whose holder is gone becomes claimable when its lease ends, by every clock; from then
 * on somebody has to begin the next attempt, or end the turn, within `hiddenWithinMs` (the index may hide it so long)
 * and the time that a worker asks for work and may be busy with other turns (B38, B39, B41, B44, B72).
 */
import type { Checker } from "../../sim/index.ts";
import type { ChangeOf } from "./changes.ts";
import type { Facts } from "./facts.ts";
import { limitOf } from "./limits.ts";
import { Report } from "./report.ts";

const NAME = "I20-takeover";

/** How long all workers together may be busy with other turns, for each planned turn whose steps take less, milliseconds. */
const BUSY_MS = 15_000;

export const takeover: Checker<Facts> = {
  name: NAME,
  statement:
    "once the faults are off, a turn whose lease, or whose operation's time, has ended by every clock is taken over or ended within a stated time, unless its instance is paused",
  blind:
    "a graceful stop, which the core does not have: a node that stops lets its leases end; takeovers while faults strike",
  check(history, facts) {
    const report = new Report(NAME);
    const { healedAtMs } = history;
    if (healedAtMs === null) return report.finding();
    const boundMs = facts.setup.hiddenWithinMs + BUSY_MS + busyMs(facts);
    for (const changes of facts.changes.values()) {
      let fromMs = healedAtMs;
      for (const change of changes)
        if (change.kind === "resumed") fromMs = Math.max(fromMs, change.at.version.atMs);
        else if (change.kind === "expired") expired(change, fromMs, boundMs, facts, report);
        else if (change.kind === "completed" || change.kind === "failed") report.examine();
    }
    return report.finding();
  },
};

/** For all planned turns. A handler over HTTP may idle after each step, for half a lease at most. */
function busyMs({ setup }: Facts): number {
  const isSpoken = (setup.http ?? null) !== null;
  let sumMs = 0;
  for (const { lease_ms, messages } of setup.workload.instances)
    for (const { steps, stepMs } of messages)
      sumMs += Math.max(BUSY_MS, steps * (stepMs + (isSpoken ? lease_ms / 2 : 0)));
  return sumMs;
}

/** When the slowest clock of all nodes shows this time, judged by what they show at `atMs`. */
function endForAll(deadlineMs: number, atMs: number, facts: Facts): number {
  let aheadMs = deadlineMs - facts.setup.epochMs - atMs;
  for (const node of new Set(facts.calls.claims.map(({ record }) => record.to))) {
    const [shownMs] = facts.clocks.shown(node, atMs, atMs);
    aheadMs = Math.max(aheadMs, deadlineMs - shownMs);
  }
  return atMs + aheadMs;
}

function expired(
  change: ChangeOf<"expired">,
  fromMs: number,
  boundMs: number,
  facts: Facts,
  report: Report,
): void {
  report.examine();
  const { at, was, turn, holder } = change;
  if (at.version.atMs - fromMs <= boundMs) return;
  const end = limitOf(was);
  if (end === null) return;
  // The index learns of an operation's end only where it looked for the end of the lease.
  const lateMs = end.limit === "lease" ? 0 : at.value.lease_ms;
  const endMs = lateMs + Math.max(fromMs, endForAll(end.atMs, at.version.atMs, facts));
  if (at.version.atMs - endMs <= boundMs) return;
  report.at(
    at.version,
    `${at.value.id}: turn ${turn.number} of ${holder.worker}, whose ${end.limit} had ended for all at ${endMs}, was taken over after ${at.version.atMs - endMs} ms`,
  );
}
