/**
 * Times that are fixed once: the model learns each from the first answer that shows it, and holds every later one
 * against it. When a sleep or a wait is over does not move when a node restarts; an operation's end does not move with
 * progress or a renewed lease; a repeated signal answers its first receipt.
 */
import { isObject } from "../checkers/shapes.ts";
import { learn, type ModelInstance } from "./model.ts";
import type { Fields } from "./views.ts";

/** The instance with the times of the view; null when the view shows another time than an earlier one. */
export function learnTimes(
  instance: ModelInstance,
  number: number,
  view: Fields,
  withOperation: boolean,
): ModelInstance | null {
  const turn = instance.turns[number - 1];
  if (turn === undefined || !isObject(view)) return null;
  const shownSteps: readonly unknown[] = Array.isArray(view.steps) ? view.steps : [];
  const shownSignals: readonly unknown[] = Array.isArray(view.signals) ? view.signals : [];
  let learned = instance;
  for (const [at, step] of turn.steps.entries()) {
    const wakeAtMs = agree(step.wakeAtMs, shownSteps[at], "wake_at_ms");
    if (wakeAtMs === MOVED) return null;
    if (wakeAtMs === step.wakeAtMs) continue;
    const { steps } = learned.turns[number - 1] ?? turn;
    learned = learn(learned, number, { steps: steps.with(at, { ...step, wakeAtMs }) });
  }
  for (const [at, signal] of turn.signals.entries()) {
    const atMs = agree(signal.atMs, shownSignals[at], "at_ms");
    if (atMs === MOVED) return null;
    if (atMs === signal.atMs) continue;
    const { signals } = learned.turns[number - 1] ?? turn;
    learned = learn(learned, number, { signals: signals.with(at, { ...signal, atMs }) });
  }
  const { operation } = turn;
  if (!withOperation || operation === null) return learned;
  const deadlineMs = agree(operation.deadlineMs, view.operation, "deadline_ms");
  if (deadlineMs === MOVED) return null;
  if (deadlineMs === operation.deadlineMs) return learned;
  return learn(learned, number, { operation: { ...operation, deadlineMs } });
}

const MOVED = "moved";

/** The known time, or the one that is shown. */
function agree(known: number | null, shown: unknown, field: string): number | null | typeof MOVED {
  const value = isObject(shown) ? shown[field] : null;
  if (typeof value !== "number" || value === known) return known;
  return known === null ? value : MOVED;
}
