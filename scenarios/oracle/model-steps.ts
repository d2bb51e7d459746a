/**
 * Steps, sleeps, waits, signals and operations of a turn in the reference model.
 *
 *   M6   a step is saved at the next position under a key of its own, and ends the operation in progress. A sleep, or a
 *        wait for a signal that none has come for, releases the attempt in the same write.
 *   M7   a signal is received once for its id, in the order of receipt, and taken by at most one step: the oldest one of
 *        its name that nobody took.
 *   M8   a wait that is suspended ends with a signal of its name that is received after it began, or with nothing. Which
 *        of them it was depends on clocks, so the model decides it when somebody sees it, once: the output is the value
 *        of the signal that names the step as its consumer, or `received: false`. A signal that was seen in the turn
 *        while it still waited has come too late for this wait and stays for the next one.
 *   M12  a completion may save plain steps in its own write: all of them, or it is not taken.
 *   M9   an operation belongs to the attempt that started it. The next attempt that starts the same step is given the
 *        last checkpoint. Progress numbers rise.
 */
import type { Json } from "../../src/std/json.ts";
import { same } from "../checkers/same.ts";
import {
  change,
  type Ending,
  learn,
  type ModelInstance,
  type ModelSignal,
  type ModelStep,
  type ModelTurn,
} from "./model.ts";

export type NewStep = Omit<ModelStep, "wakeAtMs" | "from">;
export type Folded = Ending["steps"][number];

/** Whether a step was saved by just this request; of a wait whatever it received. */
function savedBy(saved: ModelStep, step: NewStep): boolean {
  return (
    saved.key === step.key &&
    saved.kind === step.kind &&
    saved.delayMs === step.delayMs &&
    saved.signalName === step.signalName &&
    (step.kind === "signal" || same(saved.output, step.output))
  );
}

export function isRepeatedStep(turn: ModelTurn, position: number, step: NewStep): boolean {
  const saved = turn.steps[position];
  return saved !== undefined && savedBy(saved, step);
}

/** Whether a step of that key may be the next one. */
function fits(turn: ModelTurn, position: number, key: string): boolean {
  return position === turn.steps.length && !turn.steps.some((step) => step.key === key);
}

/** M6: null when it is not the next step. */
export function save(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  position: number,
  step: NewStep,
): ModelInstance | null {
  if (!fits(turn, position, step.key)) return null;
  const saved: ModelStep = { ...step, wakeAtMs: null, from: turn.signals.length };
  const steps = [...turn.steps, saved];
  if (step.kind === "step") return change(instance, number, { steps, operation: null });
  if (step.kind === "signal") {
    const match = turn.signals.findIndex((one) => one.consumedBy === null && one.name === step.signalName);
    const taken = match < 0 ? null : take(turn.signals, match, saved);
    if (taken !== null)
      return change(instance, number, {
        steps: [...turn.steps, taken.step],
        signals: taken.signals,
        operation: null,
      });
  }
  return change(instance, number, {
    steps,
    operation: null,
    holder: null,
    ended: { token: turn.holder?.token ?? null, by: "suspended" },
    waiting: step.kind,
  });
}

/** M12: the steps of a completion, saved in its own write; null when one does not fit. Saved ones stay. */
export function fold(
  instance: ModelInstance,
  number: number,
  steps: readonly Folded[],
): ModelInstance | null {
  let next = instance;
  for (const { position, step } of steps) {
    const turn = next.turns[number - 1];
    if (turn === undefined) return null;
    if (isRepeatedStep(turn, position, step)) continue;
    const saved = save(next, number, turn, position, step);
    if (saved === null) return null;
    next = { ...learn(saved, number, { sequence: turn.sequence }), sequence: instance.sequence };
  }
  return next;
}

function take(signals: readonly ModelSignal[], at: number, step: ModelStep) {
  const signal = signals[at];
  if (signal === undefined) return null;
  return {
    step: { ...step, output: { received: true, value: signal.value } },
    signals: signals.with(at, { ...signal, consumedBy: step.key }),
  };
}

/** M7: the caller knows that the id is new and the turn is not finished. */
export function receive(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  signal: { readonly id: string; readonly name: string; readonly value: Json },
): ModelInstance {
  const received: ModelSignal = { ...signal, consumedBy: null, atMs: null };
  return change(instance, number, { signals: [...turn.signals, received] });
}

/** The wait that nobody has seen the end of: always the last step. */
export function unseenWait(turn: ModelTurn): ModelStep | null {
  const last = turn.steps.at(-1);
  return last?.kind === "signal" && last.output === null ? last : null;
}

/** M8: what a view of one moment tells of the wait; null when that cannot be. */
export function seeWait(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  shown: { readonly output: Json; readonly consumed: number },
): ModelInstance | null {
  const wait = unseenWait(turn);
  if (wait === null) return instance;
  const { output, consumed } = shown;
  if (output === null)
    return learn(instance, number, { steps: turn.steps.with(-1, { ...wait, from: turn.signals.length }) });
  if (same(output, { received: false, value: null }))
    return learn(instance, number, { steps: turn.steps.with(-1, { ...wait, output }), waiting: null });
  const signal = turn.signals[consumed];
  if (consumed < wait.from || signal === undefined) return null;
  if (signal.consumedBy !== null || signal.name !== wait.signalName) return null;
  const taken = take(turn.signals, consumed, wait);
  if (taken === null || !same(taken.step.output, output)) return null;
  const steps = turn.steps.with(-1, taken.step);
  return learn(instance, number, { steps, signals: taken.signals, waiting: null });
}

export interface OperationStart {
  readonly position: number;
  readonly key: string;
  readonly kind: string;
  readonly token: string;
  readonly timeoutMs: number;
  readonly heartbeatMs: number | null;
}

/** M9: the same instance for an exact repeat, null when the step cannot start. */
export function operate(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  start: OperationStart,
): ModelInstance | null {
  const { position, key, kind, token, timeoutMs, heartbeatMs } = start;
  if (!fits(turn, position, key)) return null;
  const before = turn.operation;
  if (before?.token === token) {
    const repeated =
      before.key === key &&
      before.kind === kind &&
      before.timeoutMs === timeoutMs &&
      before.heartbeatMs === heartbeatMs;
    return repeated ? instance : null;
  }
  const checkpoint = before?.key === key ? before.checkpoint : null;
  const operation = { key, kind, attempt: turn.attempt, token, timeoutMs, heartbeatMs, checkpoint };
  return change(instance, number, {
    operation: { ...operation, sequence: 0, details: null, deadlineMs: null },
  });
}

export interface Report {
  readonly key: string;
  readonly token: string;
  readonly sequence: number;
  readonly details: Json;
  readonly checkpoint: Json;
}

/** M9: the same instance for an exact repeat, null when it is no report of what runs. */
export function progress(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  report: Report,
): ModelInstance | null {
  const { operation } = turn;
  const { key, token, sequence, details, checkpoint } = report;
  if (operation === null || operation.token !== token || operation.key !== key) return null;
  if (sequence > operation.sequence)
    return change(instance, number, { operation: { ...operation, sequence, details, checkpoint } });
  const repeated =
    sequence === operation.sequence &&
    same(operation.details, details) &&
    same(operation.checkpoint, checkpoint);
  return repeated ? instance : null;
}
