/**
 * I04: one holder at a time, as the stored versions and the writer's own clock show it.
 *
 * A node decides with its wall clock at some time between the arrival of the call and the sending of the write, so
 * the two ends bound what it may have read: a lease was certainly live when its end is after the later one, and
 * certainly over when its end is not after the earlier one.
 */
import type { Checker } from "../../sim/index.ts";
import type { Change } from "./changes.ts";
import { askedFor } from "./explain.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I04-single-holder";

export const singleHolder: Checker<Facts> = {
  name: NAME,
  statement:
    "a running turn changes only by its holder: it ends with the holder's token, is taken over only after the lease has ended on the taker's clock, and takes no write of a lease that has ended on the writer's clock",
  blind: "a lease judged wrongly by less than the time between a call and the write that it led to",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values()) for (const change of changes) check(change, facts, report);
    return report.finding();
  },
};

function check(change: Change, facts: Facts, report: Report): void {
  const { version, value } = change.at;
  switch (change.kind) {
    case "claimed":
      report.examine();
      if (change.turn.attempt !== change.was.attempt + 1)
        report.at(version, `${value.id}: a claim of turn ${change.turn.number} did not count one attempt`);
      return;
    case "expired":
      report.examine();
      takeover(change, facts, report);
      return;
    case "completed":
    case "failed":
      report.examine();
      if (change.turn.last_attempt?.token !== change.holder.token)
        report.at(
          version,
          `${value.id}: turn ${change.turn.number} ${change.kind} by token ${change.turn.last_attempt?.token} while ${change.holder.token} held it`,
        );
      late(change, facts, report);
      return;
    case "saved":
    case "renewed":
      report.examine();
      late(change, facts, report);
      return;
    default:
      return;
  }
}

/** An attempt was ended for its lease: it must have been over when the taker looked. */
function takeover(change: Change & { kind: "expired" }, facts: Facts, report: Report): void {
  const { version, value } = change.at;
  const { process, sentAtMs } = version.operation;
  const latestMs = facts.clocks.wallMs(process, sentAtMs);
  const { deadline_ms, worker } = change.holder;
  if (deadline_ms > latestMs)
    report.at(
      version,
      `${value.id}: ${process} took turn ${change.turn.number} from ${worker}, whose lease ends at ${deadline_ms}, when its own clock showed at most ${latestMs}`,
    );
}

/** A write of an attempt: its lease must not have been over already when the call was sent. */
function late(
  change: Change & { kind: "saved" | "renewed" | "completed" | "failed" },
  facts: Facts,
  report: Report,
): void {
  const calls = askedFor(change, facts) ?? [];
  if (calls.length === 0) return;
  const { version, value } = change.at;
  const { process, sentAtMs } = version.operation;
  const firstMs = Math.min(...calls.map((call) => call.record.sentAtMs));
  const earliestMs = facts.clocks.wallMs(process, firstMs, sentAtMs);
  const { deadline_ms, worker } = change.holder;
  if (deadline_ms <= earliestMs)
    report.at(
      version,
      `${value.id}: ${process} let ${worker} change turn ${change.turn.number} (${change.kind}) when its own clock showed at least ${earliestMs} and the lease had ended at ${deadline_ms}`,
    );
}
