/**
 * I28: what is sent again, and what is not.
 *
 *   R1  a failure is told once, and a control asked for once: each means the moment in which it is sent.
 *   R2  every other call is sent again after no answer, 429 or a status from 500, unless the answer says that no repeat
 *       helps; never after another answer, and not before the one before has ended.
 *   R3  a repeat has the same target and the same body, byte for byte.
 *   R4  at most six repeats, within 60 s of the first; each waits for what the answer asked for, or at most 100 ms,
 *       doubled with each repeat.
 *   R5  a call is not given up before that, as long as its sender goes on with something else.
 *   R6  a claim that failed is followed by another one only after a rest.
 */
import type { Checker } from "../../sim/index.ts";
import type { Exchange } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { callsOf, LATE_MS, nameOf, Pauses, spoken } from "./spoken.ts";

const NAME = "I28-repeats";
const ONCE: ReadonlySet<string> = new Set(["fail", "control"]);
const MOST_REPEATS = 6;
const WITHIN_MS = 60_000;
const FIRST_JITTER_MS = 100;
/** A repeat waits for its time, and then once more for all that is due: each of the two may be put off. */
const TIMERS = 2;
/** R6. */
const REST_MS = 125;

export const repeats: Checker<Facts> = {
  name: NAME,
  statement:
    "a call is repeated exactly when its outcome is open and it may be repeated, with the same body byte for byte, at most six times within 60 s and no sooner than was asked for; claims, renewals, failures and controls are sent once",
  blind:
    "repeats of renewals, which the checker of turns that were let go sees; a call that its worker lost together with its turn",
  check(history, facts) {
    const report = new Report(NAME);
    const { exchanges } = spoken(facts);
    const pauses = new Pauses(history);
    const last = new Map<number, Exchange>();
    for (const one of exchanges) last.set(one.by.serial, one);
    for (const call of callsOf(exchanges)) {
      const operation = call[0]?.asked.operation ?? "";
      if (operation === "heartbeat" || operation === "claim") continue;
      if (ONCE.has(operation)) once(call, report);
      else repeated(call, pauses, report);
      if (!ONCE.has(operation)) givenUp(call, exchanges, last, report);
    }
    claims(exchanges, report);
    return report.finding();
  },
};

/** R1. */
function once(call: readonly Exchange[], report: Report): void {
  report.examine();
  const [, again] = call;
  if (again !== undefined)
    report.add(`${nameOf(again)} was sent ${call.length} times`, again.by.process, again.sentAtMs);
}

/** R2, R3, R4. */
function repeated(call: readonly Exchange[], pauses: Pauses, report: Report): void {
  const [first] = call;
  if (first === undefined) return;
  const wrong = (again: Exchange, why: string) =>
    report.add(`${nameOf(again)} was sent again ${why}`, again.by.process, again.sentAtMs);
  for (const [n, before] of call.entries()) {
    report.examine();
    const again = call[n + 1];
    if (again === undefined) continue;
    if (before.ended === null || again.sent < before.ended)
      wrong(again, "while the one before was under way");
    else if (!isOpen(before)) wrong(again, `after ${before.status} (${before.end})`);
    if (again.body !== before.body) wrong(again, "with another body");
    if (again.target !== before.target) wrong(again, "to another target");
    if (n + 1 > MOST_REPEATS) wrong(again, `${n + 1} times`);
    if (again.sentMonoMs - first.sentMonoMs > WITHIN_MS + LATE_MS)
      wrong(again, `${again.sentMonoMs - first.sentMonoMs} ms after the first`);
    const waitedMs = again.sentMonoMs - before.endedMonoMs;
    const [leastMs, mostMs] = waitOf(before, n);
    if (waitedMs < leastMs) wrong(again, `after ${waitedMs} ms, not ${leastMs} ms`);
    const frozen = pauses.between(again.by.process, before.endedAtMs, again.sentAtMs);
    if (waitedMs > mostMs + TIMERS * LATE_MS && !frozen)
      wrong(again, `after ${waitedMs} ms, not ${mostMs} ms`);
  }
}

/** Whether the outcome leaves a repeat to be of use. */
function isOpen({ end, status, final }: Exchange): boolean {
  if (end === "no-answer") return true;
  return end === "answer" && (status === 429 || status >= 500) && !final;
}

/** R4: the least and the most that is waited after the n-th attempt, from 0. */
function waitOf({ retryAfterMs }: Exchange, n: number): readonly [leastMs: number, mostMs: number] {
  if (retryAfterMs !== null) return [Math.min(retryAfterMs, WITHIN_MS), Math.min(retryAfterMs, WITHIN_MS)];
  return [0, FIRST_JITTER_MS * 2 ** n];
}

/** R5. A worker goes on with the same turn, a client with its user's next call. */
function givenUp(
  call: readonly Exchange[],
  exchanges: readonly Exchange[],
  last: ReadonlyMap<number, Exchange>,
  report: Report,
): void {
  const [first] = call;
  const end = call.at(-1);
  if (first === undefined || end === undefined || end.ended === null || !isOpen(end)) return;
  report.examine();
  const [, mostMs] = waitOf(end, call.length - 1);
  if (call.length > MOST_REPEATS || end.endedMonoMs - first.sentMonoMs + mostMs >= WITHIN_MS) return;
  const { serial } = end.by;
  if ((last.get(serial)?.sent ?? 0) < end.ended) return;
  const { token } = end.asked.request;
  const next = exchanges.find(
    (one) =>
      one.by.serial === serial &&
      one.sent > (end.ended ?? 0) &&
      (one.call === null ? one.asked.request.token === token && isWork(one) : one.call !== end.call),
  );
  if (next !== undefined)
    report.add(
      `${nameOf(end)} was given up after ${call.length} attempts, and then ${next.asked.operation} was sent`,
      end.by.process,
      end.endedAtMs,
    );
}

/** Renewals go on meanwhile, reports overlap with what follows, and a turn that is given back was left on purpose. */
function isWork({ asked: { operation, request } }: Exchange): boolean {
  return operation !== "heartbeat" && operation !== "progress" && typeof request.retry_at_ms !== "number";
}

/** R6. */
function claims(exchanges: readonly Exchange[], report: Report): void {
  const before = new Map<number, Exchange>();
  for (const one of exchanges) {
    if (one.by.kind !== "worker" || one.asked.operation !== "claim" || one.by.concurrency > 1) continue;
    const failed = before.get(one.by.serial);
    before.set(one.by.serial, one);
    if (failed === undefined || !isOpen(failed)) continue;
    report.examine();
    const restMs = one.sentMonoMs - failed.endedMonoMs;
    if (restMs < (failed.retryAfterMs ?? REST_MS))
      report.add(
        `${one.by.process} claimed again ${restMs} ms after a claim had failed`,
        one.by.process,
        one.sentAtMs,
      );
  }
}
