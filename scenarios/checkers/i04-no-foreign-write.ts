/**
 * I04: every change of an identity was asked for, by a call to the node that wrote it, with the holder's token.
 *
 * This is what sees a fence that is not checked: the change is there, and no call with the token of the holder
 * asked that node for it (B30, B37, B40, B45). Content counts too: a step, result or failure other than the one
 * that was asked for has no explanation either.
 */
import type { Checker } from "../../sim/index.ts";
import type { Change } from "./changes.ts";
import { askedFor } from "./explain.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";

const NAME = "I04-no-foreign-write";

export const noForeignWrite: Checker<Facts> = {
  name: NAME,
  statement:
    "each creation, admission, claim, renewal, operation, report, step, sleep, wait, end of an attempt, signal and control was asked of the node that wrote it, with exactly that content and the holder's token where there is one; a turn fails for good only when asked so or out of attempts, and is skipped by itself only when its instance says so",
  blind: "a node that makes up a write equal to one that it was asked for",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const changes of facts.changes.values())
      for (const change of changes) {
        const calls = askedFor(change, facts);
        if (calls === null) continue;
        report.examine();
        if (calls.length === 0) report.at(change.at.version, describe(change));
        else final(change, facts, report);
      }
    return report.finding();
  },
};

function final(change: Change, facts: Facts, report: Report): void {
  if (change.kind !== "failed" && change.kind !== "expired") return;
  const { status, skipped, attempt, forgiven_attempts } = change.turn;
  const { max_attempts, on_exhausted } = change.at.value;
  const { controls } = facts.calls;
  const byHand = controls.some(
    ({ request }) => request.action === "skip" && request.turn === change.turn.number,
  );
  if (skipped !== (status === "failed" && on_exhausted === "skip") && !(skipped && byHand))
    report.at(
      change.at.version,
      `${change.at.value.id}: turn ${change.turn.number} is ${status}, ${skipped ? "skipped" : "not skipped"}, in an instance that says ${on_exhausted}`,
    );
  if (status !== "failed" || attempt - forgiven_attempts >= max_attempts) return;
  const fails = facts.calls.attempts.get(change.holder.token)?.fails ?? [];
  if (change.kind === "failed" && fails.some((call) => call.request.non_retryable === true)) return;
  report.at(
    change.at.version,
    `${change.at.value.id}: turn ${change.turn.number} failed for good after attempt ${attempt} of ${max_attempts}, and nobody asked for that`,
  );
}

function describe(change: Change): string {
  const { process } = change.at.version.operation;
  const { id } = change.at.value;
  const holder =
    "holder" in change ? ` with the token ${change.holder.token} of ${change.holder.worker}` : "";
  const turn = "turn" in change ? ` of turn ${change.turn.number}` : "";
  return `${id}: sequence ${change.at.stamp.sequence} by ${process} made the change "${change.kind}"${turn}, which nobody had asked of ${process}${holder}`;
}
