/**
 * The calls of one instance as operations of the search: what each does to the model, and what its answer says.
 *
 *   O1  an answered command steps when the model accepts it and its answer shows what stays of it (`views.ts`);
 *       an open one when it changes something.
 *   O2  a refusal changes nothing; `not-found` steps where there is no such instance or turn, `conflict` where the
 *       request contradicts the model.
 *
 *   O7  what cannot be decided without a clock is decided by the answer: which attempts there were (O3), how a wait
 *       ended (M8), whether the last attempt's time was over (O4). Where an answer leaves it open, it stays open.
 *
 * Cannot see: refusals for time, size or the state of the store, of which nothing follows for the model.
 * O3 and O4 are in `silent-attempts.ts`; the calls of an attempt in `attempt-operations.ts`, reads in
 * `read-operations.ts`.
 */
import { same } from "../checkers/same.ts";
import { isObject } from "../checkers/shapes.ts";
import { attemptStep } from "./attempt-operations.ts";
import type { ObservedCall } from "./calls-of-instance.ts";
import { learnTimes } from "./learn-times.ts";
import {
  admit,
  allows,
  begin,
  beginAtOnce,
  create,
  createdBy,
  headOf,
  isFinished,
  type ModelInstance,
  type ModelState,
  type ModelTurn,
  nextAttempt,
  turnOf,
} from "./model.ts";
import { control } from "./model-controls.ts";
import { receive, seeWait } from "./model-steps.ts";
import {
  readingHistory,
  readingInbox,
  readingInstance,
  readingSummary,
  readingTurn,
} from "./read-operations.ts";
import { creationOf, jsonOf, serves } from "./request-fields.ts";
import type { Operation } from "./search.ts";
import { endOfWait, orAfterEnds, orUnseen, type Step, withSilent } from "./silent-attempts.ts";
import { keepsContent, namesInstance, namesTurn, showsTask } from "./views.ts";

export interface InstanceOperation extends Operation<ModelState> {
  readonly call: ObservedCall;
}

export function operationsOf(
  calls: readonly ObservedCall[],
  silentClaimsMs: readonly number[],
): readonly InstanceOperation[] {
  const operations: InstanceOperation[] = [];
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
    case "signal":
      return orAfterEnds(signalling(call), silentClaimsMs);
    case "control":
      return orAfterEnds(controlling(call, silentClaimsMs), silentClaimsMs);
    case "claim":
      return orAfterEnds(claiming(call, silentClaimsMs), silentClaimsMs);
    case "heartbeat":
    case "operation":
    case "progress":
    case "checkpoint":
    case "waitSignal":
    case "complete":
    case "fail":
      return attemptStep(call);
    case "getInstance":
      return orAfterEnds(readingInstance(call, silentClaimsMs), silentClaimsMs);
    case "getTurn":
      return orAfterEnds(readingTurn(call, silentClaimsMs), silentClaimsMs);
    case "history":
      return orAfterEnds(readingHistory(call, silentClaimsMs), silentClaimsMs);
    case "inbox":
      return orAfterEnds(readingInbox(call, silentClaimsMs), silentClaimsMs);
    case "typeInbox":
      return orAfterEnds(readingSummary(call, silentClaimsMs), silentClaimsMs);
    default:
      return null;
  }
}

/** M1 of creations: an identical repeat is safe, other content under the id is refused. */
function creation({ request, answer }: ObservedCall): Step {
  const wanted = creationOf(request);
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
  const message = jsonOf(request.message);
  const origin = jsonOf(request.origin);
  return (state) => {
    if (answer.kind === "refused" && answer.failure === "not-found") return state === "absent" ? state : null;
    if (state === "absent") return null;
    // A repeat, whatever became of the turn.
    const known = turnOf(state, id);
    const turn = state.turns[known - 1];
    if (answer.kind === "refused") return turn !== undefined && !same(turn.message, message) ? state : null;
    if (turn !== undefined) {
      const repeated = answer.kind === "ok" && same(turn.message, message);
      return repeated && namesTurn(answer.value, known, turn) ? state : null;
    }
    const next = admit(state, id, message, origin);
    const admitted = next.turns.at(-1);
    if (answer.kind === "open" || admitted === undefined) return next;
    return namesTurn(answer.value, next.turns.length, admitted) ? next : null;
  };
}

/** M7. The receipt stays for good, so any answer to a repeat shows it; who took the signal may follow. */
function signalling({ request, answer }: ObservedCall): Step {
  const number = Number(request.turn);
  const signal = { id: String(request.id), name: String(request.name), value: jsonOf(request.value) };
  return (state) => {
    const turn = state === "absent" ? undefined : state.turns[number - 1];
    if (answer.kind === "refused" && answer.failure === "not-found") return turn === undefined ? state : null;
    if (state === "absent" || turn === undefined) return null;
    const known = turn.signals.find(({ id }) => id === signal.id);
    const repeated = known !== undefined && known.name === signal.name && same(known.value, signal.value);
    const contradicts = known === undefined ? isFinished(turn) : !repeated;
    if (answer.kind === "refused") return contradicts ? state : null;
    if (contradicts) return null;
    if (answer.kind === "open") return repeated ? null : receive(state, number, turn, signal);
    const next = repeated ? state : receive(state, number, turn, signal);
    return showsReceipt(answer.value, next, number) ? learnTimes(next, number, answer.value, false) : null;
  };
}

function showsReceipt(
  view: unknown,
  state: ModelInstance,
  number: number,
): view is { readonly [field: string]: unknown } {
  const turn = state.turns[number - 1];
  return turn !== undefined && namesTurn(view, number, turn) && keepsContent(view, turn);
}

/** M10, M11. A turn that was skipped or cancelled never comes back to the head. */
function controlling({ request, answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  const action = String(request.action);
  const number = typeof request.turn === "number" ? request.turn : 0;
  const isOnTurn = action === "retry" || action === "skip" || action === "cancel_turn";
  return (state, latestMs) => {
    if (answer.kind === "refused" && answer.failure === "not-found")
      return state === "absent" || (isOnTurn && state.turns[number - 1] === undefined) ? state : null;
    if (state === "absent") return null;
    const next = orUnseen(state, control(state, action, number), silentClaimsMs, latestMs);
    if (answer.kind === "refused") return next === null ? state : null;
    if (next === null || (answer.kind === "open" && next === state)) return null;
    if (answer.kind === "open") return next;
    if (!namesInstance(answer.value, next)) return null;
    const { current_turn } = answer.value;
    const returned =
      isOnTurn && action !== "retry" && isObject(current_turn) && current_turn.number === number;
    return returned ? null : next;
  };
}

/** O3. A claimed turn shows one moment: its head apart, all of it has to fit. */
function claiming({ request, answer, record }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  const task = answer.kind === "ok" && isObject(answer.value) ? answer.value : {};
  const { turn: view, token } = task;
  const worker = String(request.worker ?? record.from);
  return (state, latestMs) => {
    if (state === "absent" || state.paused || !isObject(view) || typeof token !== "string") return null;
    if (!serves(request.workflows, task.workflow_type, state)) return null;
    const number = headOf(state);
    const head = state.turns[number - 1];
    if (head === undefined || head.outcome === "failed" || !namesTurn(view, number, head)) return null;
    if (typeof view.attempt !== "number" || view.status !== "running") return null;
    if (view.worker !== undefined && view.worker !== worker) return null;
    const explained = before(state, number, head, view, silentClaimsMs, latestMs);
    const turn = explained?.turns[number - 1];
    if (explained === null || turn === undefined || nextAttempt(turn) !== view.attempt) return null;
    if (!allows(explained, turn, view.attempt) || !same(task.state, state.state)) return null;
    if (!showsTask(view, turn) || turn.steps.some(isUnseenWait)) return null;
    // Who waited may have been given the turn in the write that admitted it.
    const atOnce = Number(request.wait_ms ?? 0) > 0 && view.attempt === 1;
    const begun = (atOnce ? beginAtOnce : begin)(explained, number, turn, { token, worker });
    return learnTimes(begun, number, view, false);
  };
}

/** The state right before the claim, with the attempts before it and the end of the wait that it shows. */
function before(
  state: ModelInstance,
  number: number,
  turn: ModelTurn,
  view: { readonly [field: string]: unknown },
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  const count = Number(view.attempt) - nextAttempt(turn);
  if (count < 0) return null;
  const explained = withSilent(state, number, count, silentClaimsMs, latestMs);
  const head = explained?.turns[number - 1];
  return explained === null || head === undefined ? null : seeWait(explained, number, head, endOfWait(view));
}

const isUnseenWait = (step: ModelTurn["steps"][number]) => step.kind === "signal" && step.output === null;
