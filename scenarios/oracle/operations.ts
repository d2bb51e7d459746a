/**
 * The calls of one instance as operations of the search: what each does to the model, and what its answer says.
 *
 *   O1  an answered command steps when the model accepts it and its answer shows what stays of it (`views.ts`);
 *       an open one when it changes something.
 *   O2  a refusal changes nothing; `not-found` steps where there is no such instance or turn, `conflict` where the
 *       request contradicts the model.
 *   O3  a lease may end at any moment, so a claim may take a turn that another attempt holds. It may have to use
 *       claims that were never answered to explain its attempt number, as many as were sent by then.
 */
import type { Json } from "../../src/std/json.ts";
import { same } from "../checkers/same.ts";
import { isObject } from "../checkers/shapes.ts";
import type { ObservedCall } from "./calls-of-instance.ts";
import {
  admit,
  begin,
  type Creation,
  complete,
  create,
  createdBy,
  fail,
  headOf,
  type ModelInstance,
  type ModelState,
  type ModelTurn,
  save,
  turnOf,
} from "./model.ts";
import type { Operation } from "./search.ts";
import { namesTurn, showsCompletion, showsInstance, showsSteps, showsTurn, silentIn } from "./views.ts";

export interface ModelOperation extends Operation<ModelState> {
  readonly call: ObservedCall;
}

/** What an operation does where it is placed; null when it cannot be there. */
type Step = (state: ModelState, latestMs: number) => ModelState | null;

const DEFAULT_LEASE_MS = 60_000;
const DEFAULT_ATTEMPTS = 3;
const DEFAULT_PAGE = 50;

export function operationsOf(
  calls: readonly ObservedCall[],
  silentClaimsMs: readonly number[],
): readonly ModelOperation[] {
  const operations: ModelOperation[] = [];
  for (const call of calls) {
    const step = stepOf(call, silentClaimsMs);
    if (step === null) continue;
    const { sentAtMs, answeredAtMs } = call.record;
    const open = call.answer.kind === "open";
    const answeredMs = open ? Number.POSITIVE_INFINITY : (answeredAtMs ?? sentAtMs);
    operations.push({ call, invokedMs: sentAtMs, answeredMs, step });
  }
  return operations;
}

/** Null: the oracle knows no such operation. */
function stepOf(call: ObservedCall, silentClaimsMs: readonly number[]): Step | null {
  switch (call.record.operation) {
    case "createInstance":
      return creation(call);
    case "sendMessage":
      return sending(call);
    case "claim":
      return claiming(call, silentClaimsMs);
    case "heartbeat":
    case "checkpoint":
    case "complete":
    case "fail":
      return attemptStep(call);
    case "getInstance":
      return readingInstance(call, silentClaimsMs);
    case "getTurn":
      return readingTurn(call, silentClaimsMs);
    case "history":
      return readingHistory(call);
    default:
      return null;
  }
}

/** M1 of creations: an identical repeat is safe, other content under the id is refused. */
function creation({ request, answer }: ObservedCall): Step {
  const wanted: Creation = {
    workflow_type: String(request.workflow_type),
    version: String(request.version),
    state: json(request.state),
    lease_ms: typeof request.lease_ms === "number" ? request.lease_ms : DEFAULT_LEASE_MS,
    max_attempts: typeof request.max_attempts === "number" ? request.max_attempts : DEFAULT_ATTEMPTS,
  };
  return (state) => {
    if (answer.kind === "refused")
      return state !== "absent" && answer.failure === "conflict" && !createdBy(state, wanted) ? state : null;
    if (state === "absent") return create(wanted);
    return answer.kind === "ok" && createdBy(state, wanted) ? state : null;
  };
}

/** M1. The number and the message of a turn never change, so any answer to a repeat shows them. */
function sending({ request, answer }: ObservedCall): Step {
  const id = String(request.id);
  const message = json(request.message);
  return (state) => {
    if (answer.kind === "refused" && answer.failure === "not-found") return state === "absent" ? state : null;
    if (state === "absent") return null;
    const known = turnOf(state, id);
    const turn = state.turns[known - 1];
    if (answer.kind === "refused") return turn !== undefined && !same(turn.message, message) ? state : null;
    if (turn !== undefined) {
      const repeated = answer.kind === "ok" && same(turn.message, message);
      return repeated && namesTurn(answer.value, known, turn) ? state : null;
    }
    const next = admit(state, id, message);
    const admitted = next.turns.at(-1);
    if (answer.kind === "open" || admitted === undefined) return next;
    return namesTurn(answer.value, next.turns.length, admitted) ? next : null;
  };
}

/** O3. */
function claiming({ request, answer, record }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  const task = answer.kind === "ok" && isObject(answer.value) ? answer.value : {};
  const { turn: view, token } = task;
  return (state, latestMs) => {
    if (state === "absent" || !isObject(view) || typeof token !== "string") return null;
    const number = headOf(state);
    const turn = state.turns[number - 1];
    if (turn === undefined || turn.outcome === "failed" || !namesTurn(view, number, turn)) return null;
    if (typeof view.attempt !== "number" || view.attempt <= turn.attempt) return null;
    const explained = withSilent(state, number, view.attempt - turn.attempt - 1, silentClaimsMs, latestMs);
    const before = explained?.turns[number - 1];
    if (explained === null || before === undefined || view.attempt > state.max_attempts) return null;
    if (!showsSteps(view, turn) || !same(task.state, state.state)) return null;
    return begin(explained, number, before, { token, worker: String(request.worker ?? record.from) });
  };
}

/**
 * The state after so many more attempts of a turn that nobody was told of; null when no claim explains them. They
 * may have begun long before this is seen, so the turn's change counter rises by them and no further.
 */
function withSilent(
  state: ModelInstance,
  number: number,
  count: number,
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  if (count === 0) return state;
  const used = state.silentClaims + count;
  const lastMs = silentClaimsMs[used - 1];
  if (lastMs === undefined || lastMs > latestMs) return null;
  let next: ModelInstance = { ...state, silentClaims: used };
  for (let n = 0; n < count; n++) {
    const turn = next.turns[number - 1];
    if (turn === undefined || turn.attempt >= state.max_attempts) return null;
    const begun = begin(next, number, turn, { token: null, worker: null });
    const turns = begun.turns.map((other, i) =>
      i === number - 1 ? { ...other, sequence: turn.sequence + 1 } : other,
    );
    next = { ...begun, turns };
  }
  return next;
}

/** A call of an attempt. */
function attemptStep(call: ObservedCall): Step {
  const { request, answer } = call;
  const number = Number(request.turn);
  const token = String(request.token);
  return (state) => {
    if (answer.kind === "refused" && answer.failure === "not-found")
      return state === "absent" || state.turns[number - 1] === undefined ? state : null;
    if (state === "absent") return null;
    const turn = state.turns[number - 1];
    if (turn === undefined) return null;
    const next = commanded(call, state, number, turn, token);
    // O2: what the model would take contradicts nothing.
    if (answer.kind === "refused") return next === null ? state : null;
    if (next === null || (answer.kind === "open" && next === state)) return null;
    return answer.kind === "open" || acknowledged(call, next, number) ? next : null;
  };
}

/** The state after the command, the same one for an exact repeat, or null when the model does not take it. */
function commanded(
  { record, request }: ObservedCall,
  state: ModelInstance,
  number: number,
  turn: ModelTurn,
  token: string,
): ModelInstance | null {
  const holds = turn.holder?.token === token;
  const endedBy = turn.ended?.token === token ? turn.ended.by : null;
  switch (record.operation) {
    case "heartbeat":
      return holds ? state : null;
    case "checkpoint": {
      if (!holds && endedBy === null) return null;
      const step = { key: String(request.key), output: json(request.output) };
      const next = save(state, number, turn, Number(request.position), step);
      return holds || next === state ? next : null;
    }
    case "complete": {
      const ending = endingOf(request, token);
      if (holds) return complete(state, number, ending);
      return endedBy === "completed" && isRepeat(state, turn, ending) ? state : null;
    }
    default:
      if (holds) return fail(state, number, turn, token, request.non_retryable === true);
      return endedBy === "failed" ? state : null;
  }
}

/** What a completion asks for, with the defaults of the contract. */
function endingOf(request: ObservedCall["request"], token: string) {
  const { continuation } = request;
  const follows = isObject(continuation) ? { message: json(continuation.message) } : null;
  return { token, state: json(request.state), result: json(request.result), continuation: follows };
}

/** Whether the turn was completed with just this. */
function isRepeat(state: ModelInstance, turn: ModelTurn, ending: ReturnType<typeof endingOf>): boolean {
  const successor = turn.continuedTo === null ? null : state.turns[turn.continuedTo - 1];
  return (
    same(turn.stateAfter, ending.state) &&
    same(turn.result, ending.result) &&
    same(successor?.message ?? null, ending.continuation?.message ?? null)
  );
}

/** O1: what stays of the command shows in its answer. */
function acknowledged({ record, request, answer }: ObservedCall, state: ModelInstance, number: number) {
  const turn = state.turns[number - 1];
  const view = answer.kind === "ok" ? answer.value : null;
  if (turn === undefined || !namesTurn(view, number, turn)) return false;
  if (record.operation === "complete") return showsCompletion(view, turn);
  if (record.operation !== "checkpoint") return true;
  const { steps } = view;
  const shown: unknown = Array.isArray(steps) ? steps[Number(request.position)] : null;
  return isObject(shown) && shown.key === request.key && same(shown.output, request.output ?? null);
}

/** What a reader saw last is where both change counters stand at least. */
function readingInstance({ answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  return (state, latestMs) => {
    if (answer.kind !== "ok") return state === "absent" ? state : null;
    if (state === "absent" || !isObject(answer.value)) return null;
    const number = headOf(state);
    const { current_turn, sequence } = answer.value;
    const seen = number === 0 ? state : seeTurn(state, number, current_turn, silentClaimsMs, latestMs);
    if (seen === null || !showsInstance(answer.value, seen)) return null;
    return { ...seen, sequence: Number(sequence) };
  };
}

/** A turn is not found exactly as long as nobody has admitted it. */
function readingTurn({ request, answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  const number = Number(request.turn);
  return (state, latestMs) => {
    const turn = state === "absent" ? undefined : state.turns[number - 1];
    if (answer.kind !== "ok") return turn === undefined ? state : null;
    if (state === "absent" || turn === undefined) return null;
    return seeTurn(state, number, answer.value, silentClaimsMs, latestMs);
  };
}

/** The state in which the view was read, with the attempts that it tells of. */
function seeTurn(
  state: ModelInstance,
  number: number,
  view: unknown,
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  const turn = state.turns[number - 1];
  if (turn === undefined) return null;
  const explained = withSilent(state, number, silentIn(view, turn), silentClaimsMs, latestMs);
  const seen = explained?.turns[number - 1];
  return seen !== undefined && showsTurn(view, number, seen, state.max_attempts) ? explained : null;
}

/** A page holds the finished turns behind the cursor, all of them up to its limit, whether they have moved or not. */
function readingHistory({ request, answer }: ObservedCall): Step {
  const after = typeof request.after === "number" ? request.after : 0;
  const limit = typeof request.limit === "number" ? request.limit : DEFAULT_PAGE;
  return (state) => {
    if (answer.kind !== "ok") return state === "absent" ? state : null;
    if (state === "absent" || !isObject(answer.value) || !Array.isArray(answer.value.turns)) return null;
    const shown: readonly unknown[] = answer.value.turns;
    const finished = state.turns.filter(({ outcome }) => outcome === "completed").length;
    if (shown.length !== Math.min(limit, Math.max(0, finished - after))) return null;
    const right = shown.every((view, i) => {
      const number = after + 1 + i;
      const turn = state.turns[number - 1];
      return turn !== undefined && showsTurn(view, number, turn, state.max_attempts);
    });
    return right ? state : null;
  };
}

/** A field of a logged request; what is absent is null. */
function json(value: unknown): Json {
  // The callers are our own and log what they send, which is JSON.
  return isJsonValue(value) ? value : null;
}

function isJsonValue(value: unknown): value is Json {
  return value !== undefined;
}
