/**
 * Reads of one instance as operations of the search: each shows one moment, and all that it shows has to fit.
 *
 * A refusal says that there is no such instance or turn. An empty page says that there is nothing behind the cursor.
 * A read may tell of attempts that nobody was told of (O3), and of the end of a wait (M8).
 */
import { same } from "../checkers/same.ts";
import { isObject } from "../checkers/shapes.ts";
import type { ObservedCall } from "./calls-of-instance.ts";
import { learnTimes } from "./learn-times.ts";
import { headOf, isFinished, type ModelInstance } from "./model.ts";
import { numberOr } from "./request-fields.ts";
import { type Step, seen, withSilent } from "./silent-attempts.ts";
import { type Fields, showsEntry, showsInstance, showsInstanceStatus, showsTurn, silentIn } from "./views.ts";

const DEFAULT_PAGE = 50;

/** What a reader saw last is where both change counters stand at least. */
export function readingInstance({ answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  return (state, latestMs) => {
    if (answer.kind !== "ok") return state === "absent" ? state : null;
    if (state === "absent" || !isObject(answer.value)) return null;
    const number = headOf(state);
    const { current_turn, sequence } = answer.value;
    const then = number === 0 ? state : seeTurn(state, number, current_turn, silentClaimsMs, latestMs);
    if (then === null || !showsInstance(answer.value, then)) return null;
    return { ...then, sequence: Number(sequence) };
  };
}

/** A turn is not found exactly as long as nobody has admitted it. */
export function readingTurn({ request, answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  const number = Number(request.turn);
  return (state, latestMs) => {
    const turn = state === "absent" ? undefined : state.turns[number - 1];
    if (answer.kind !== "ok") return turn === undefined ? state : null;
    if (state === "absent" || turn === undefined) return null;
    return seeTurn(state, number, answer.value, silentClaimsMs, latestMs);
  };
}

/** The state in which the view was read, with what it tells. */
function seeTurn(
  state: ModelInstance,
  number: number,
  view: unknown,
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  const then = seen(state, number, view, silentClaimsMs, latestMs);
  const turn = then?.turns[number - 1];
  if (then === null || turn === undefined || !isObject(view)) return null;
  return showsTurn(view, number, turn, then) ? learnTimes(then, number, view, true) : null;
}

/** A page holds the finished turns behind the cursor, all of them up to its limit, whether they have moved or not. */
export function readingHistory({ request, answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  const after = numberOr(request.after, 0);
  const limit = numberOr(request.limit, DEFAULT_PAGE);
  return (state, latestMs) => {
    if (answer.kind !== "ok") return state === "absent" ? state : null;
    if (state === "absent" || !isObject(answer.value) || !Array.isArray(answer.value.turns)) return null;
    const shown: readonly unknown[] = answer.value.turns;
    const head = headOf(state);
    const finished = head === 0 ? state.turns.length : head - 1;
    if (shown.length !== Math.min(limit, Math.max(0, finished - after))) return null;
    let then: ModelInstance | null = state;
    for (const [at, view] of shown.entries()) {
      then = seeTurn(then, after + 1 + at, view, silentClaimsMs, latestMs);
      if (then === null) return null;
    }
    return then;
  };
}

/** The unfinished turns behind the cursor, up to the limit, without their steps. */
export function readingInbox({ request, answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  const after = numberOr(request.after, 0);
  const limit = numberOr(request.limit, DEFAULT_PAGE);
  return (state, latestMs) => {
    if (answer.kind !== "ok") return state === "absent" ? state : null;
    if (state === "absent" || !isObject(answer.value)) return null;
    const entries: readonly unknown[] = Array.isArray(answer.value.entries) ? answer.value.entries : [];
    const unfinished = state.turns.flatMap((turn, i) => (isFinished(turn) ? [] : [i + 1]));
    const page = unfinished.filter((number) => number > after).slice(0, limit);
    if (entries.length !== page.length || !showsPage(answer.value, state, unfinished.length)) return null;
    let then: ModelInstance | null = state;
    for (const [at, number] of page.entries()) {
      if (request.payloads === true && !has(entries[at], "message")) return null;
      then = seeEntry(then, number, entries[at], silentClaimsMs, latestMs);
      if (then === null) return null;
    }
    const [head] = entries;
    // The page begins behind the head: what its status would have to be is not shown.
    const showsHead = unfinished[0] !== undefined && unfinished[0] === page[0];
    if (!showsHead && !then.paused && unfinished.length > 0) return then;
    return showsInstanceStatus(answer.value.status, head, then) ? then : null;
  };
}

/** One instance in the inbox of its type: its head, seen at one moment. */
export function readingSummary({ answer }: ObservedCall, silentClaimsMs: readonly number[]): Step {
  return (state, latestMs) => {
    if (state === "absent" || answer.kind !== "ok" || !isObject(answer.value)) return null;
    const { head, pending_messages, version, status } = answer.value;
    const unfinished = state.turns.filter((turn) => !isFinished(turn)).length;
    if (pending_messages !== unfinished || version !== state.creation.version) return null;
    const then = seeEntry(state, headOf(state), head, silentClaimsMs, latestMs);
    return then !== null && !has(head, "message") && showsInstanceStatus(status, head, then) ? then : null;
  };
}

function showsPage(view: Fields, state: ModelInstance, unfinished: number): boolean {
  const { workflow_type, version } = state.creation;
  return same(
    { workflow_type: view.workflow_type, version: view.version, pending: view.pending_messages },
    { workflow_type, version, pending: unfinished },
  );
}

function has(value: unknown, field: string): boolean {
  return isObject(value) && value[field] !== undefined;
}

/** An entry shows no steps: it tells of silent attempts, and nothing of a wait. */
function seeEntry(
  state: ModelInstance,
  number: number,
  entry: unknown,
  silentClaimsMs: readonly number[],
  latestMs: number,
): ModelInstance | null {
  const before = state.turns[number - 1];
  if (before === undefined || !isObject(entry)) return null;
  const then = withSilent(state, number, silentIn(entry, before), silentClaimsMs, latestMs);
  const turn = then?.turns[number - 1];
  return then !== null && turn !== undefined && showsEntry(entry, number, turn, then) ? then : null;
}
