/**
 * Checkpoint: saves the output of one step, or a durable sleep.
 *
 *   P14  steps only append: position is the next index, keys are unique in the turn, a saved step never changes.
 *   P15  an exact repeat (position, key, kind, content) by the attempt that holds the turn, or held it last, is
 *        accepted and writes nothing; so also a sleep's or a wait's, which has released its attempt. That one is told
 *        again that the turn waits, whoever holds it by now: it must let go of it, as it was told the first time.
 *   P25  a sleep releases the worker in the write that saves it. Its end is fixed there and never moves.
 *   P26  a saved step ends the operation in progress.
 *
 * Source: seed 000 "Message API", "Message workflows and automatic rollover"; contract sections 3, 3.3; I06, I10.
 */
import { sameJson } from "../std/canonical-json.ts";
import type { Instance } from "../vocabulary/instance.ts";
import type { CheckpointRequest, LeaseRequest } from "../vocabulary/requests.ts";
import type { Step, Turn } from "../vocabulary/turn.ts";
import { endedAttempt } from "./attempt.ts";
import { answer, type Decision, type Moment, refuse } from "./decision.ts";
import { fenceFailure, turnMissing } from "./fence.ts";
import { turnNumbered } from "./inbox.ts";
import { isOwnAttempt, placeFailure } from "./steps.ts";
import { writeFitting } from "./turn-write.ts";

export function checkpoint(
  instance: Instance,
  request: CheckpointRequest,
  moment: Moment,
): Decision<Instance, Turn> {
  const turn = turnNumbered(instance, request.turn);
  if (turn === null) return refuse(turnMissing(instance, request));
  const saved = turn.steps[request.position];
  if (saved !== undefined && isOwnAttempt(turn, request) && isRepeat(saved, request))
    return answer(released(turn, request, saved));
  const fenced = fenceFailure(turn, request, moment) ?? placeFailure(turn, request);
  if (fenced !== null) return refuse(fenced);
  const step = stepOf(request, moment);
  const next = step.wake_at_ms === null ? saving(turn, step) : suspending(turn, step);
  return writeFitting(instance, next, moment);
}

/** What a step says of itself. */
export type SavedContent = Pick<CheckpointRequest, "key" | "kind" | "output" | "delay_ms">;

/** The step as it is saved now; a sleep's end is fixed with it (P25). */
export function stepOf({ key, kind, output = null, delay_ms }: SavedContent, moment: Moment): Step {
  const delayMs = delay_ms ?? null;
  return {
    key,
    kind,
    output,
    at_ms: moment.now_ms,
    delay_ms: delayMs,
    wake_at_ms: delayMs === null ? null : moment.now_ms + delayMs,
    signal_name: null,
    child_id: null,
  };
}

/** The turn with one more step (P26). */
export function saving(turn: Turn, step: Step): Turn {
  return { ...turn, steps: [...turn.steps, step], operation: null };
}

/** The same, and the worker is released until the step's time (P25). */
export function suspending(turn: Turn, step: Step): Turn {
  return {
    ...saving(turn, step),
    status: "waiting",
    waiting_for: step.kind === "signal" ? "signal" : "sleep",
    holder: null,
    last_attempt: endedAttempt(turn, "suspended"),
    ready_at_ms: step.wake_at_ms ?? step.at_ms,
  };
}

/** The turn for the attempt that repeats the step which released it (P15). */
export function released(turn: Turn, request: LeaseRequest, saved: Step): Turn {
  const { last_attempt: last } = turn;
  if (saved.kind === "step" || turn.holder?.token === request.token || last?.end !== "suspended") return turn;
  return { ...turn, status: "waiting", waiting_for: saved.kind, holder: null };
}

/** Whether the step was saved just so. */
export function isRepeat(saved: Step, request: SavedContent): boolean {
  return (
    saved.key === request.key &&
    saved.kind === request.kind &&
    saved.delay_ms === (request.delay_ms ?? null) &&
    sameJson(saved.output, request.output ?? null)
  );
}
