/**
 * I28: what a step tells of its progress, and what is sent of it.
 *
 *   P1  reports of a step are sent one after the other, numbered from 1.
 *   P2  what is sent is the last that was told by then, or the first word of a phase.
 *   P3  within one phase there is a report every so often and no sooner; a new phase is told at once, unless another
 *       report is under way.
 *   P4  the last word is sent before the step is saved.
 */
import type { Checker } from "../../sim/index.ts";
import type { Deed, Exchange } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";
import { attemptsOf, LATE_MS, nameOf, type SpokenAttempt, spoken } from "./spoken.ts";

const NAME = "I28-progress";
const EVERY_MS = 3_000;

export const progressTold: Checker<Facts> = {
  name: NAME,
  statement:
    "reports of a step are numbered and sent one by one, each with the last value told, at once for a new phase and else every few seconds, and the last value is sent before its step is saved",
  blind: "values that a step saves by itself, which are sent as they are",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const attempt of attemptsOf(spoken(facts))) {
      const keys = new Set(attempt.deeds.filter(({ kind }) => kind === "reports").map(({ key }) => key));
      for (const key of keys) step(key, attempt, report);
    }
    return report.finding();
  },
};

function step(key: string, attempt: SpokenAttempt, report: Report): void {
  const ofKey = attempt.exchanges.filter((one) => one.asked.request.key === key);
  const sent = ofKey.filter(({ asked }) => asked.operation === "progress");
  const told = attempt.deeds.filter((deed) => deed.key === key);
  const limit = ofKey.find(({ asked }) => asked.operation === "operation")?.asked.request
    .heartbeat_timeout_ms;
  const everyMs = typeof limit === "number" ? Math.min(EVERY_MS, Math.floor(limit / 2)) : EVERY_MS;
  const firsts = sent.filter((one, n) => sent[n - 1]?.asked.request.sequence !== one.asked.request.sequence);
  inOrder(sent, firsts, report);
  let before: Exchange | null = null;
  for (const one of firsts) {
    const value = valueIn(one);
    if (value === null) continue;
    report.examine();
    const last = told.findLast(({ kind, nth }) => kind === "reports" && nth < one.sent);
    const isFirst = firstWords(told).some((deed) => deed.nth < one.sent && says(deed, value));
    if (last === undefined || !(isFirst || says(last, value)))
      accuse(
        one,
        `with ${value.phase} ${value.done}, where ${last?.phase} ${last?.done} was told last`,
        report,
      );
    const closes = told.some(({ kind, nth }) => kind === "returns" && nth < one.sent);
    const afterMs = before === null ? Number.POSITIVE_INFINITY : one.sentMonoMs - before.sentMonoMs;
    if (before !== null && valueIn(before)?.phase === value.phase && !closes && afterMs < everyMs)
      accuse(one, `${afterMs} ms after the one before, not ${everyMs} ms`, report);
    before = one;
  }
  newPhases(told, sent, report);
  lastWord(told, firsts, attempt.exchanges.find((one) => saves(one, key)) ?? null, report);
}

/** By itself, or with the completion. */
function saves({ asked: { operation, request } }: Exchange, key: string): boolean {
  if (operation === "checkpoint") return request.key === key;
  const carried: readonly unknown[] = Array.isArray(request.steps) ? request.steps : [];
  return operation === "complete" && carried.some((step) => isObject(step) && step.key === key);
}

interface Value {
  readonly phase: string;
  readonly done: number;
}

function says(a: Value, b: Value): boolean {
  return a.phase === b.phase && a.done === b.done;
}

/** Of each phase, in the order in which they were told. */
function firstWords(told: readonly Deed[]): readonly Deed[] {
  const reports = told.filter(({ kind }) => kind === "reports");
  return reports.filter((deed, n) => reports[n - 1]?.phase !== deed.phase);
}

/** P1. */
function inOrder(sent: readonly Exchange[], firsts: readonly Exchange[], report: Report): void {
  for (const [n, one] of firsts.entries())
    if (one.asked.request.sequence !== n + 1)
      accuse(one, `as number ${one.asked.request.sequence}, not ${n + 1}`, report);
  for (const [n, one] of sent.entries()) {
    const before = sent[n - 1];
    if (before !== undefined && (before.ended === null || one.sent < before.ended))
      accuse(one, "while the one before was under way", report);
  }
}

/** P3. */
function newPhases(told: readonly Deed[], sent: readonly Exchange[], report: Report): void {
  for (const { phase, nth, monoMs } of firstWords(told)) {
    const busy = sent.some((one) => one.sent < nth && (one.ended ?? Number.POSITIVE_INFINITY) > nth);
    const next = sent.find((one) => one.sent > nth);
    // One whose attempt ended at once has no next.
    if (busy || next === undefined) continue;
    report.examine();
    if (next.sentMonoMs > monoMs + LATE_MS)
      accuse(next, `${next.sentMonoMs - monoMs} ms after the phase ${phase} had begun`, report);
  }
}

/** P4. */
function lastWord(
  told: readonly Deed[],
  firsts: readonly Exchange[],
  saved: Exchange | null,
  report: Report,
): void {
  const last = told.findLast(({ kind }) => kind === "reports");
  if (saved === null || last === undefined) return;
  report.examine();
  const value = valueIn(firsts.findLast((one) => one.sent < saved.sent && valueIn(one) !== null) ?? saved);
  if (value === null || !says(value, last))
    accuse(saved, `without the last word of its progress, ${last.phase} ${last.done}`, report);
}

/** What the report says, when it is one of progress. */
function valueIn({ asked }: Exchange): Value | null {
  const { details } = asked.request;
  if (!isObject(details) || typeof details.phase !== "string") return null;
  return { phase: details.phase, done: Number(details.done) };
}

function accuse(one: Exchange, why: string, report: Report): void {
  report.add(`${nameOf(one)}: ${one.asked.request.key} was sent ${why}`, one.by.process, one.sentAtMs);
}
