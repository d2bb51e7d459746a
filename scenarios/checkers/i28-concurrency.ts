/**
 * I28: a worker holds no more turns at once than it was told to, and has at most one claim waiting at a server.
 *
 * A turn counts from the answer that brought it to the last thing that its worker heard or gave up on about it. That is
 * less than the worker's own reckoning, so nobody is accused of a turn that was over.
 */
import type { Checker } from "../../sim/index.ts";
import type { Exchange } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { attemptsOf, spoken } from "./spoken.ts";

const NAME = "I28-concurrency";

export const concurrency: Checker<Facts> = {
  name: NAME,
  statement:
    "a worker holds at most as many turns at once as it was told to, and one claim at most waits for work",
  blind: "a turn that its worker holds and says nothing about",
  check(_history, facts) {
    const report = new Report(NAME);
    const log = spoken(facts);
    const held = new Map<number, { readonly from: number; readonly to: number }[]>();
    for (const { by, claim, exchanges } of attemptsOf(log)) {
      report.examine();
      const from = claim.ended ?? claim.sent;
      const to = Math.max(from, ...exchanges.map(heldUntil));
      const others = held.get(by.serial) ?? [];
      held.set(by.serial, others);
      const atOnce = 1 + others.filter((other) => other.to > from && other.from < from).length;
      others.push({ from, to });
      if (atOnce > by.concurrency)
        report.add(
          `${by.process} took a turn while it held ${atOnce - 1}, and may hold ${by.concurrency}`,
          by.process,
          claim.endedAtMs,
        );
    }
    const waiting = new Map<number, number>();
    for (const { by, asked, sent, ended, sentAtMs } of log.exchanges) {
      if (asked.operation !== "claim" || !(Number(asked.request.wait_ms ?? 0) > 0)) continue;
      report.examine();
      if (sent < (waiting.get(by.serial) ?? 0))
        report.add(`${by.process} let a second claim wait`, by.process, sentAtMs);
      waiting.set(by.serial, ended ?? Number.POSITIVE_INFINITY);
    }
    return report.finding();
  },
};

/** A failure is the last word: whoever waits for its answer holds nothing any more once the lease is over. */
function heldUntil({ asked, sent, ended }: Exchange): number {
  return asked.operation === "fail" ? sent : (ended ?? sent);
}
