/**
 * I28: what a worker may hold back of its steps, and what it may not.
 *
 *   S1  a step that returned is saved before anything of the turn comes after it: the next step, a sleep or a wait. Its
 *       checkpoint is sent before a failure is told. Only a completion may carry it, and carries nothing else.
 *   S2  each step is saved at the place behind those that are saved, whichever call saves it.
 *   S3  a worker of the documented protocol begins no step whose start was not accepted; any worker does so for a step
 *       that has a limit of its own.
 *   S4  a step that still runs when the lease has been renewed has its start sent then, at the latest.
 */
import type { Checker } from "../../sim/index.ts";
import type { Deed, Exchange } from "../systems/http-log.ts";
import type { Facts } from "./facts.ts";
import { Report } from "./report.ts";
import { isObject } from "./shapes.ts";
import { attemptsOf, endedWell, LATE_MS, nameOf, type SpokenAttempt, spoken } from "./spoken.ts";

const NAME = "I28-steps";
/** What a start names when its author gave no limit. */
const DEFAULT_LIMIT_MS = 300_000;

export const workerSteps: Checker<Facts> = {
  name: NAME,
  statement:
    "a step that returned is saved, at the place behind the ones before it, before anything comes after it; a completion may carry the last one; the start of a step that outlives a renewal is recorded then, and of one with limits before it begins",
  blind: "a step that was done in an attempt that was lost before anything else was sent",
  check(_history, facts) {
    const report = new Report(NAME);
    for (const attempt of attemptsOf(spoken(facts))) {
      inOrder(attempt, report);
      for (const deed of attempt.deeds) if (deed.kind === "begins") started(deed, attempt, report);
    }
    return report.finding();
  },
};

type Event =
  | { readonly nth: number; readonly sent: Exchange }
  | { readonly nth: number; readonly ended: Exchange }
  | { readonly nth: number; readonly deed: Deed };

function eventsOf({ exchanges, deeds }: SpokenAttempt): readonly Event[] {
  const events: Event[] = deeds.map((deed) => ({ nth: deed.nth, deed }));
  for (const one of exchanges) {
    events.push({ nth: one.sent, sent: one });
    if (one.ended !== null) events.push({ nth: one.ended, ended: one });
  }
  return events.sort((a, b) => a.nth - b.nth);
}

/** S1, S2. */
function inOrder(attempt: SpokenAttempt, report: Report): void {
  const steps = isObject(attempt.task.turn) ? attempt.task.turn.steps : [];
  const before = Array.isArray(steps) ? steps.length : 0;
  const saved = new Set<unknown>();
  /** The step that returned and is not saved; and whether its checkpoint was sent. */
  let open: string | null = null;
  let isSent = false;
  for (const event of eventsOf(attempt)) {
    if ("deed" in event) {
      const { kind, key } = event.deed;
      if (kind === "reports") continue;
      report.examine();
      if (kind === "begins" && open !== null)
        report.add(`${key} was begun while ${open} was not saved`, event.deed.by.process, event.deed.atMs);
      open = kind === "returns" ? key : open;
      isSent = kind === "returns" ? false : isSent;
      continue;
    }
    if ("ended" in event) {
      const { operation, request } = event.ended.asked;
      if (!endedWell(event.ended) || typeof request.position !== "number" || operation === "operation")
        continue;
      saved.add(request.position);
      if (request.key === open) open = null;
      continue;
    }
    const { asked } = event.sent;
    const wrong = misplaced(event.sent, before + saved.size) ?? behind(event.sent, open, isSent, attempt);
    report.examine();
    if (wrong !== null)
      report.add(`${nameOf(event.sent)} ${wrong}`, event.sent.by.process, event.sent.sentAtMs);
    if (asked.operation === "checkpoint" && asked.request.key === open) isSent = true;
  }
}

/** S2. A repeat of what was accepted meanwhile comes too late to be misplaced. */
function misplaced({ asked: { operation, request } }: Exchange, place: number): string | null {
  if (operation !== "complete") {
    const isFar = typeof request.position === "number" && request.position > place;
    return isFar ? `was sent for place ${request.position}, and ${place} is the next one` : null;
  }
  const wrong = carriedBy(request).find(({ position }, n) => position !== place + n);
  return wrong === undefined ? null : `carries ${wrong.key} for place ${wrong.position}, not ${place}`;
}

/** S1: what comes after a step that is not saved. */
function behind(one: Exchange, open: string | null, isSent: boolean, attempt: SpokenAttempt): string | null {
  const { operation, request } = one.asked;
  if (operation === "complete") {
    const keys = carriedBy(request).map(({ key }) => key);
    if (keys.length === 0) return open === null ? null : `was sent without ${open}`;
    return keys.length === 1 && keys[0] === open ? null : `carries ${keys.join(", ")}, where ${open} is open`;
  }
  if (open === null || request.key === open) return null;
  if (operation === "fail")
    return isSent || wasRefused(open, attempt) ? null : `was told with ${open} not saved`;
  const isAfter = typeof request.position === "number";
  return isAfter ? `was sent while ${open} was not saved` : null;
}

/** A step whose start or report was refused fails, whatever it returned. */
function wasRefused(key: string, { exchanges }: SpokenAttempt): boolean {
  return exchanges.some((one) => one.asked.request.key === key && one.ended !== null && !endedWell(one));
}

function carriedBy({ steps }: { readonly [field: string]: unknown }): readonly {
  readonly position: unknown;
  readonly key: unknown;
}[] {
  if (!Array.isArray(steps)) return [];
  return steps.map((step: unknown) =>
    isObject(step) ? { position: step.position, key: step.key } : { position: null, key: null },
  );
}

/** S3, S4. */
function started(begins: Deed, attempt: SpokenAttempt, report: Report): void {
  const { exchanges, deeds, by } = attempt;
  const { key, nth } = begins;
  report.examine();
  const starts = exchanges.filter(
    ({ asked }) => asked.operation === "operation" && asked.request.key === key,
  );
  const isLimited = starts.some(({ asked }) => asked.request.timeout_ms !== DEFAULT_LIMIT_MS);
  if (by.savings?.recordOperations === "always" || isLimited) {
    if (!starts.some((one) => endedWell(one) && (one.ended ?? 0) < nth))
      report.add(`${by.process} began ${key} before its start was accepted`, by.process, begins.atMs);
    return;
  }
  const returns = deeds.find((deed) => deed.kind === "returns" && deed.key === key && deed.nth > nth);
  const renewed = exchanges.find(
    (one) =>
      one.asked.operation === "heartbeat" &&
      endedWell(one) &&
      (one.ended ?? 0) > nth &&
      (one.ended ?? 0) < (returns?.nth ?? Number.POSITIVE_INFINITY),
  );
  if (renewed === undefined) return;
  if (starts.some((one) => one.sentMonoMs <= renewed.endedMonoMs + LATE_MS)) return;
  const goesOn = exchanges.find((one) => one.sentMonoMs > renewed.endedMonoMs + LATE_MS);
  if (goesOn !== undefined)
    report.add(
      `${nameOf(goesOn)} was sent, and the start of ${key}, which ran through a renewal, was not`,
      by.process,
      goesOn.sentAtMs,
    );
}
