/**
 * Attempts that nobody was told of, and ends of attempts that nobody asked for.
 *
 *   O3  a lease may end at any moment, so a claim may take a turn that another attempt holds. It may have to use
 *       claims that were never answered to explain its attempt number, as many as were sent by then.
 *       The answer to a cancellation does not show the turn, so an attempt before it may first be seen after it.
 *   O8  a claim that nobody was told of may have taken a turn that waited before a person ended its wait. Then there was
 *       no wait to end, and the change counters have not risen for it.
 *   O4  the time of the last attempt may be over at any moment, and any claim writes that the turn has failed; so a
 *       call may come after such an end of the head. It is only taken to have come when an answer needs it: whatever
 *       the model takes without it, it takes with it later.
 */
import { isObject } from "../checkers/shapes.ts";
import {
  allows,
  begin,
  change,
  failForGood,
  headOf,
  learn,
  type ModelInstance,
  type ModelState,
  type ModelTurn,
  nextAttempt,
} from "./model.ts";
import { seeWait } from "./model-steps.ts";
import { jsonOf } from "./request-fields.ts";
import { silentIn } from "./views.ts";

/** What an operation does where it is placed; null when it cannot be there. */
export type Step = (state: ModelState, latestMs: number) => ModelState | null;

/**
 * The state after so many more attempts of a turn that nobody was told of; null when no claim explains them. They may
 * have begun before a view that showed the turn as queued, because it had waited or its time was over by the clock of
 * that node; so the change counters, which such a view has told of, do not rise by them.
 */
export function withSilent(
  state: ModelInstance,
  number: number,
  count: number,
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  if (count <= 0) return state;
  const used = state.silentClaims + count;
  const lastMs = silentClaimsMs[used - 1];
  if (lastMs === undefined || lastMs > latestMs) return null;
  let next: ModelInstance = { ...state, silentClaims: used };
  for (let n = 0; n < count; n++) {
    const turn = next.turns[number - 1];
    if (turn === undefined || !allows(next, turn, nextAttempt(turn))) return null;
    const begun = begunUnseen(next, number, turn);
    const { sequence } = turn;
    const turns = begun.turns.map((other, i) => (i === number - 1 ? { ...other, sequence } : other));
    next = { ...begun, turns, sequence: next.sequence };
  }
  return next;
}

/** An attempt of a turn that is cancelled by now was begun and ended before that, and shows in nothing but its number. */
function begunUnseen(state: ModelInstance, number: number, turn: ModelTurn): ModelInstance {
  return turn.outcome === "cancelled"
    ? change(state, number, { attempt: nextAttempt(turn) })
    : begin(state, number, turn, { token: null, worker: null });
}

/**
 * The state in which a view of one moment was read, as far as it goes without the view itself: with the attempts that
 * it tells of, and with what it tells of a wait.
 */
export function seen(
  state: ModelInstance,
  number: number,
  view: unknown,
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  const turn = state.turns[number - 1];
  if (turn === undefined) return null;
  const explained = withSilent(state, number, silentIn(view, turn), silentClaimsMs, latestMs);
  const before = explained?.turns[number - 1];
  if (explained === null || before === undefined) return null;
  return seeWait(explained, number, before, endOfWait(view));
}

/** What a view shows of its last step, if that is a wait: what it received, and which signal it took. */
export function endOfWait(view: unknown): Parameters<typeof seeWait>[3] {
  const steps: readonly unknown[] = isObject(view) && Array.isArray(view.steps) ? view.steps : [];
  const signals: readonly unknown[] = isObject(view) && Array.isArray(view.signals) ? view.signals : [];
  const last = steps.at(-1);
  if (!isObject(last) || !isObject(last.output)) return { output: null, consumed: -1 };
  const { received, value } = last.output;
  const consumed = signals.findIndex((signal) => isObject(signal) && signal.consumed_by === last.key);
  // A view of another shape than a received signal fits no signal of the model.
  if (typeof received !== "boolean" || value === undefined) return { output: false, consumed: -1 };
  return { output: { received, value: jsonOf(value) }, consumed };
}

/** O8: the state after a control, with counters that are sure whether such a claim came before it or not. */
export function orUnseen(
  state: ModelInstance,
  next: ModelInstance | null,
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  const number = headOf(state);
  const before = state.turns[number - 1];
  const after = next?.turns[number - 1];
  if (next === null || before === undefined || after === undefined) return next;
  const isWoken = before.waiting !== null && after.waiting === null && after.outcome === "open";
  if (!isWoken || withSilent(state, number, 1, silentClaimsMs, latestMs) === null) return next;
  const sequence = state.sequence + (next.paused === state.paused ? 0 : 1);
  return { ...learn(next, number, { sequence: before.sequence }), sequence };
}

/** O4. */
export function orAfterEnds(step: Step, silentClaimsMs: readonly number[]): Step {
  return (state, latestMs) => {
    for (
      let before: ModelState | null = state;
      before !== null;
      before = ended(before, silentClaimsMs, latestMs)
    ) {
      const after = step(before, latestMs);
      if (after !== null) return after;
    }
    return null;
  };
}

/** The state after the last attempt of the head has ended by itself; null when the head cannot fail so. */
function ended(state: ModelState, silentClaimsMs: readonly number[], latestMs: number): ModelInstance | null {
  if (state === "absent") return null;
  const number = headOf(state);
  const turn = state.turns[number - 1];
  if (turn === undefined || turn.outcome !== "open") return null;
  const last = state.creation.max_attempts + turn.forgiven;
  const count = last - nextAttempt(turn) + 1;
  const spent = withSilent(state, number, count, silentClaimsMs, latestMs);
  const holder = spent?.turns[number - 1]?.holder;
  if (spent === null || holder === null || holder === undefined) return null;
  const failed = failForGood(spent, number, { token: holder.token, by: "expired" });
  // What follows may write this end in its own write, so the counters have not risen for it.
  const turns = failed.turns.map((other, i) =>
    i === number - 1 ? { ...other, sequence: turn.sequence } : other,
  );
  return { ...failed, turns, sequence: spent.sequence };
}
