/**
 * What a person does to an instance, in the reference model.
 *
 *   M10  pause and resume set a mark; resume and wake end a wait that counts no attempt, and no other one. Where there
 *        is nothing to do, or a wake names a turn that is not at the head, they change nothing.
 *   M11  retry, skip and cancel act on the turn that they name and on no other one. Retry needs a failed turn in the way
 *        of the inbox, skip the same or one that is skipped, cancel an unfinished or a cancelled one.
 *   M12  nothing here changes the saved state or the saved steps.
 */
import { change, headOf, isFinished, type ModelInstance } from "./model.ts";

/** The same instance when there is nothing to do; null when the action does not fit the turn. */
export function control(instance: ModelInstance, action: string, number: number): ModelInstance | null {
  switch (action) {
    case "pause":
      return mark(instance, true);
    case "resume":
      return resume(instance);
    case "wake":
      return number === 0 || number === headOf(instance) ? wake(instance) : instance;
    default:
      return onTurn(instance, action, number);
  }
}

function mark(instance: ModelInstance, paused: boolean): ModelInstance {
  return instance.paused === paused ? instance : { ...instance, paused, sequence: instance.sequence + 1 };
}

/** One change, whatever it does. */
function resume(instance: ModelInstance): ModelInstance {
  const woken = wake(instance);
  return woken === instance ? mark(instance, false) : { ...woken, paused: false };
}

function wake(instance: ModelInstance): ModelInstance {
  const number = headOf(instance);
  const waiting = instance.turns[number - 1]?.waiting;
  return waiting === "retry" || waiting === "capacity"
    ? change(instance, number, { waiting: null })
    : instance;
}

function onTurn(instance: ModelInstance, action: string, number: number): ModelInstance | null {
  const turn = instance.turns[number - 1];
  if (turn === undefined) return null;
  if (action === "cancel_turn") {
    if (turn.outcome === "cancelled") return instance;
    if (isFinished(turn)) return null;
    const ended =
      turn.holder === null ? turn.ended : ({ token: turn.holder.token, by: "cancelled" } as const);
    return change(instance, number, { outcome: "cancelled", holder: null, ended, waiting: null });
  }
  if (action === "skip" && turn.skipped) return instance;
  if (turn.outcome !== "failed" || turn.skipped) return null;
  if (action === "skip") return change(instance, number, { skipped: true });
  return change(instance, number, { outcome: "open", forgiven: turn.attempt });
}
