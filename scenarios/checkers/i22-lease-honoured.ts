/**
 * I22: leases and the clock that judges them.
 *
 * A node decides with its own wall clock at some time after it could read the version before and was asked, and
 * before it sent the write; what its clock showed in that stretch bounds what it may have read. Clocks decide only
 * about progress: that a wrong one never lets two attempts write is what I04 and I19 hold, under any skew.
 */
import type { Checker } from "../../sim/index.ts";
import type { Holder } from "../../src/index.ts";
import type { Change } from "./changes.ts";
import { clockAt } from "./explain.ts";
import type { Facts } from "./facts.ts";
import { limitOf } from "./limits.ts";
import { Report } from "./report.ts";

const NAME = "I22-lease-honoured";

type Judged = Extract<Change, { readonly holder: Holder }>;

export const leaseHonoured: Checker<Facts> = {
  name: NAME,
  statement:
    "by the clock of the node that decides, a lease is granted for the instance's lease from now, no attempt is ended before its lease or its operation's time is over, and no write of an attempt is taken after it",
  blind: "an error that is smaller than what the clock showed between the call and the write that it led to",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) if ("holder" in change) judge(change, facts, report);
    return report.finding();
  },
};

function judge(change: Judged, facts: Facts, report: Report): void {
  report.examine();
  const { at, turn, holder } = change;
  const [earliestMs, latestMs] = clockAt(change, facts);
  const wrong = (what: string): void => {
    const { process } = at.version.operation;
    const clock = `the clock of ${process} showed ${earliestMs} to ${latestMs}`;
    report.at(at.version, `${at.value.id}: turn ${turn.number} ${what} when ${clock}`);
  };
  if (change.kind === "claimed" || change.kind === "renewed") {
    const endMs = turn.holder?.deadline_ms ?? 0;
    const lease = at.value.lease_ms;
    if (endMs < earliestMs + lease || endMs > latestMs + lease)
      wrong(`was leased for ${lease} until ${endMs}`);
  }
  if (change.kind === "claimed") return;
  const end = limitOf(change.was);
  if (end === null) return;
  const early = change.kind === "expired" && end.atMs > latestMs;
  const late = change.kind !== "expired" && end.atMs <= earliestMs;
  if (early || late)
    wrong(
      `${early ? "was taken from" : `${change.kind} by`} ${holder.worker}, whose ${end.limit} ends at ${end.atMs},`,
    );
}
