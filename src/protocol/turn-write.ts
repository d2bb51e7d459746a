/**
 * The write of an instance whose turn took its next form: the end of every command about one turn.
 *
 *   P6   a turn that finishes is counted here, whichever command ended it.
 *   P50  a changed turn carries the time and the sequence of the write that changed it, and the instance its time.
 *
 * Does not own what the next form is, nor whether the command may make it. Turns that enter the inbox are stamped as
 * they are made (`send.ts`).
 */
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished, type Turn } from "../vocabulary/turn.ts";
import { stampedTurn } from "../vocabulary/turn-text.ts";
import { type Decision, type Moment, refuse, write } from "./decision.ts";
import { turnNumbered, withTurn } from "./inbox.ts";
import { storedTurnFailure } from "./size.ts";

/** Writes the turn and answers it. */
export function writeTurn(instance: Instance, turn: Turn, moment: Moment): Decision<Instance, Turn> {
  const next = stamped(turn, moment);
  return write(replaced(instance, next, moment), next);
}

/** The same for a command that adds to the turn: refused when it would no longer fit. */
export function writeFitting(instance: Instance, turn: Turn, moment: Moment): Decision<Instance, Turn> {
  const next = stamped(turn, moment);
  const tooLarge = storedTurnFailure(instance.id, next);
  return tooLarge === null ? write(replaced(instance, next, moment), next) : refuse(tooLarge);
}

/** The instance with the turn changed, for a command that answers something else. */
export function withChanged(instance: Instance, turn: Turn, moment: Moment): Instance {
  return replaced(instance, stamped(turn, moment), moment);
}

/** P50. */
function stamped(turn: Turn, moment: Moment): Turn {
  return stampedTurn(turn, moment.now_ms, moment.sequence);
}

/** P6. */
function replaced(instance: Instance, turn: Turn, moment: Moment): Instance {
  const before = turnNumbered(instance, turn.number);
  const finishes = isFinished(turn) && before !== null && !isFinished(before);
  return {
    ...instance,
    turns: withTurn(instance, turn),
    completed_turns: instance.completed_turns + (finishes ? 1 : 0),
    updated_at_ms: moment.now_ms,
  };
}
