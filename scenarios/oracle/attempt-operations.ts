/**
 * What a worker asks about its turn, as operations of the search (O1, O2 of `operations.ts`).
 *
 *   O5  an exact repeat of the last call of an attempt is taken also when it has let go of the turn by that call: a
 *       saved step, a sleep or a wait that suspended it, a completion, a failure.
 */
import { same } from "../checkers/same.ts";
import type { ObservedCall } from "./calls-of-instance.ts";
import { learnTimes } from "./learn-times.ts";
import { complete, defer, type Ending, fail, type ModelInstance, type ModelTurn } from "./model.ts";
import { fold, isRepeatedStep, operate, progress, save } from "./model-steps.ts";
import { withNext } from "./next-turns.ts";
import { endingOf, operationOf, reportOf, stepOf } from "./request-fields.ts";
import type { Step } from "./silent-attempts.ts";
import { type Fields, keepsContent, namesTurn, showsCompletion } from "./views.ts";

export function attemptStep(call: ObservedCall): Step {
  const { record, request, answer } = call;
  const number = Number(request.turn);
  return (state) => {
    if (answer.kind === "refused" && answer.failure === "not-found")
      return state === "absent" || state.turns[number - 1] === undefined ? state : null;
    if (state === "absent") return null;
    const turn = state.turns[number - 1];
    if (turn === undefined) return null;
    const next = commanded(call, state, number, turn);
    // O2: what the model would take contradicts nothing.
    if (answer.kind === "refused") return next === null ? state : null;
    if (next === null || (answer.kind === "open" && next === state)) return null;
    if (answer.kind === "open") return next;
    const shown = acknowledged(call, next, number);
    return shown === null || record.operation !== "complete" ? shown : withNext(call, shown, next === state);
  };
}

/** The state after the command, the same one for an exact repeat, or null when the model does not take it. */
function commanded(
  { record, request }: ObservedCall,
  state: ModelInstance,
  number: number,
  turn: ModelTurn,
): ModelInstance | null {
  const token = String(request.token);
  const holds = turn.holder?.token === token;
  const endedBy = turn.ended?.token === token ? turn.ended.by : null;
  switch (record.operation) {
    case "heartbeat":
      return holds ? state : null;
    case "operation":
      return holds ? operate(state, number, turn, operationOf(request)) : null;
    case "progress":
      return holds ? progress(state, number, turn, reportOf(request)) : null;
    case "checkpoint":
    case "waitSignal": {
      const step = stepOf(request);
      const position = Number(request.position);
      if ((holds || endedBy !== null) && isRepeatedStep(turn, position, step)) return state;
      return holds ? save(state, number, turn, position, step) : null;
    }
    case "complete": {
      const ending = endingOf(request);
      if (holds) {
        const folded = fold(state, number, ending.steps);
        return folded && complete(folded, number, ending);
      }
      return endedBy === "completed" && isRepeatedEnding(state, turn, ending) ? state : null;
    }
    default: {
      const waits = typeof request.retry_at_ms === "number";
      if (endedBy === (waits ? "deferred" : "failed")) return state;
      if (!holds) return null;
      return waits
        ? defer(state, number, token, request.reason === "capacity" ? "capacity" : "retry")
        : fail(state, number, turn, token, request.non_retryable === true);
    }
  }
}

/** Whether the turn was completed with just this. */
function isRepeatedEnding(state: ModelInstance, turn: ModelTurn, ending: Ending): boolean {
  const successor = turn.continuedTo === null ? null : state.turns[turn.continuedTo - 1];
  return (
    same(turn.stateAfter, ending.state) &&
    same(turn.result, ending.result) &&
    ending.steps.every(({ position, step }) => isRepeatedStep(turn, position, step)) &&
    same(successor?.message ?? null, ending.continuation?.message ?? null)
  );
}

/** O1: what stays of the command shows in its answer; null when it does not. */
function acknowledged(call: ObservedCall, state: ModelInstance, number: number): ModelInstance | null {
  const { answer } = call;
  const turn = state.turns[number - 1];
  const view = answer.kind === "ok" ? answer.value : null;
  if (turn === undefined || !namesTurn(view, number, turn)) return null;
  if (!keepsContent(view, turn) || !showsDone(call, view, turn)) return null;
  // While the attempt runs nobody else starts an operation; later another attempt may have.
  const started = call.record.operation === "operation" && view.status === "running";
  return learnTimes(state, number, view, started);
}

/** That what was asked is among what stays: a repeat is answered where the first call put it. */
function showsDone({ record, request }: ObservedCall, view: Fields, turn: ModelTurn): boolean {
  switch (record.operation) {
    case "complete":
      return showsCompletion(view, turn);
    case "checkpoint":
    case "waitSignal":
      return turn.steps[Number(request.position)]?.key === request.key;
    default:
      return true;
  }
}
