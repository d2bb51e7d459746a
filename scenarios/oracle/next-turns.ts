/**
 * The turn that a completion is answered with besides: claimed in its own write, for the worker that asked.
 *
 *   O8   the claim is one like any other (M2): of the head, for a worker of its type and version, not while the instance
 *        is paused. It begins the first attempt, because a turn behind the head never had one.
 *   O9   a repeat of the completion is answered the attempt that the first one began, under one token. Who learns the
 *        token first is told by the answer; until then the attempt is one that nobody was told of (O3). The turn has
 *        changed in the write of its completion, whatever was written since: its change counter stands there.
 *
 * That none is given says nothing: whether a turn is ready is a matter of clocks.
 */
import { same } from "../checkers/same.ts";
import { isObject } from "../checkers/shapes.ts";
import type { ObservedCall } from "./calls-of-instance.ts";
import { learnTimes } from "./learn-times.ts";
import { beginAtOnce, headOf, learn, type ModelInstance, type ModelTurn } from "./model.ts";
import { serves } from "./request-fields.ts";
import { type Fields, namesTurn, showsTask } from "./views.ts";

/** The state after the claim that the answer shows; the same one when it shows none, null when it cannot be. */
export function withNext(
  { request, answer }: ObservedCall,
  state: ModelInstance,
  isRepeat: boolean,
): ModelInstance | null {
  const task = answer.kind === "ok" && isObject(answer.value) ? (answer.value.next ?? null) : null;
  if (task === null) return state;
  const { next } = request;
  if (!isObject(task) || !isObject(next) || !isObject(task.turn) || typeof task.token !== "string")
    return null;
  if (!serves(next.workflows, task.workflow_type, state)) return null;
  const number = headOf(state);
  const head = state.turns[number - 1];
  if (head === undefined || head.outcome !== "open" || !shows(task.turn, number, head)) return null;
  if (!same(task.state, state.state)) return null;
  const holder = { token: task.token, worker: String(next.worker) };
  if (head.attempt === 0) {
    // The claim of a repeat was made before it, perhaps before a pause.
    if (state.paused && !isRepeat) return null;
    const completed = state.turns[Number(request.turn) - 1]?.sequence ?? 0;
    const sequence = Math.max(head.sequence, completed);
    return learnTimes(beginAtOnce(state, number, head, holder, sequence), number, task.turn, false);
  }
  // O9.
  if (head.attempt > 1 || head.holder === null) return null;
  if (head.holder.token !== null) return same(head.holder, holder) ? state : null;
  return learn(state, number, { holder });
}

function shows(view: Fields, number: number, turn: ModelTurn): boolean {
  return (
    namesTurn(view, number, turn) && view.status === "running" && view.attempt === 1 && showsTask(view, turn)
  );
}
