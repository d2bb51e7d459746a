/**
 * What the worker of an attempt asks about its turn, in the exact model.
 *
 *   S1   a repeat is recognised before the fence, by what it asks, as long as its turn is not finished; a completion also
 *        afterwards, as long as the turn is kept.
 *   S6   a worker whose sleep or wait let go of the turn is told again, when it repeats, that the turn waits, whoever holds
 *        it by now: the lease that it had is over.
 *   S7   a failure is a repeat when the attempt ended by one with the same text and, again, with or without a time.
 *   S8   a call about a finished turn is fenced, about a number without a turn it is not found. A turn that has failed and
 *        blocks the inbox is not finished: its worker has lost it.
 *   S22  a completion may bring plain steps that were not saved yet. Each has its place and key by the rules of S9, and one
 *        that is there already, just so, is no mistake (S1). All of them are saved or, with the completion, none. They are
 *        part of what a repeat has to be the same in.
 *   S9   the limit of 64 steps is looked at first, then the number of the step, then its key. A migration that is due comes
 *        before all of them.
 *   S18  an operation is started anew by each attempt, an attempt that goes on after a wait included: its claim gave it
 *        another token. What it is given of the one before is the checkpoint, if the key is the same.
 *
 * A renewal, a failure and a claim are never refused for the size of the turn (S11).
 *
 * Source: seed 000 "Message API", "LLM runs, signals and progress", "Safe writes, waits and failing instances"; contract
 * sections 3, 3.2, 3.3.
 */
import type { Json } from "../../../src/std/json.ts";
import { same } from "../../checkers/same.ts";
import { backoffMs, endOf, failForGood, isSpent, letGo } from "./attempts.ts";
import type { Request } from "./fields.ts";
import { isFields } from "./fields.ts";
import { type Answer, answer, NO_INSTANCE, NO_TURN, type Refusal, refuse } from "./refusal.ts";
import { instanceOf, jsonOf, take } from "./senders.ts";
import { type Fields, showTurn } from "./show.ts";
import { isTooLarge } from "./size.ts";
import {
  append,
  headOf,
  type Instance,
  isFinished,
  type Operation,
  type Signal,
  type Step,
  type Turn,
  touch,
  turnOf,
  type World,
} from "./world.ts";

const MOST_STEPS = 64;
const RETRY_AHEAD_MS = 1_000;

/** A worker's call about a turn that is there. */
export interface Call {
  readonly world: World;
  readonly instance: Instance;
  readonly turn: Turn;
  readonly token: string;
  readonly request: Request;
  readonly engineSaysTooLarge: boolean;
}

type Command = (call: Call) => Answer;

/** The turn of the request; one that is finished is in history, where only a repeated completion is answered. */
export function onTurn(world: World, request: Request, engineCode: string | null, command: Command): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const turn = turnOf(instance, request.turn);
  if (turn === undefined) return NO_TURN;
  const token = String(request.token);
  const call = { world, instance, turn, token, request, engineSaysTooLarge: engineCode === "turn_too_large" };
  if (command !== complete && isMoved(instance, turn)) return refuse("fenced", "turn_finished");
  return command(call);
}

/** Whether it stands before all unfinished turns. */
function isMoved(instance: Instance, turn: Turn): boolean {
  headOf(instance);
  return turn.number <= instance.headFrom;
}

/** Why the attempt may not write; null: it may. */
export function fence({ world, turn, token }: Call): Refusal | null {
  if (turn.holder?.token !== token)
    return refuse("fenced", turn.status === "cancelled" ? "turn_cancelled" : "lease_lost");
  const end = endOf(turn);
  if (end === null || end.atMs > world.nowMs) return null;
  return refuse("fenced", end.byLease ? "lease_expired" : "operation_expired");
}

/** Whether the attempt holds the turn or held it last. */
export function isOwn({ turn, token }: Call): boolean {
  return turn.holder?.token === token || turn.last?.token === token;
}

export function pendingMigration({ turn }: Call): Refusal | null {
  const pending = turn.holder !== null && turn.holder.migratesTo !== null;
  return pending ? refuse("conflict", "migration_pending") : null;
}

/** Why the attempt may not save or start this step next; null: it may (S9). */
function place(call: Call): Refusal | null {
  const { turn, request } = call;
  const refused = fence(call) ?? pendingMigration(call);
  if (refused !== null) return refused;
  return misplaced(turn.steps, Number(request.position), String(request.key));
}

function misplaced(steps: readonly Step[], position: number, key: string): Refusal | null {
  const next = steps.length;
  if (next >= MOST_STEPS && position >= MOST_STEPS) return refuse("over-limit", "too_many_steps");
  if (position < next) return refuse("conflict", "step_conflict");
  if (position > next) return refuse("conflict", "step_out_of_order");
  return steps.some((step) => step.key === key) ? refuse("conflict", "step_key_conflict") : null;
}

const done = ({ world, instance, turn }: Call) => answer(showTurn(world, instance, turn));

export function heartbeat(call: Call): Answer {
  const { world, instance, turn } = call;
  const refused = fence(call);
  if (refused !== null) return refused;
  if (turn.holder !== null) turn.holder.deadline_ms = world.nowMs + instance.lease_ms;
  touch(world, instance, turn);
  return done(call);
}

export function operation(call: Call): Answer {
  const { world, instance, turn, token, request } = call;
  const refused = place(call);
  if (refused !== null) return refused;
  const before = turn.operation;
  const timeout_ms = Number(request.timeout_ms ?? 300_000);
  const heartbeat_timeout_ms =
    request.heartbeat_timeout_ms == null ? null : Number(request.heartbeat_timeout_ms);
  const key = String(request.key);
  if (before?.token === token) {
    const limits = before.timeout_ms === timeout_ms && before.heartbeat_timeout_ms === heartbeat_timeout_ms;
    const repeated = limits && before.key === key && before.kind === request.kind;
    return repeated ? done(call) : refuse("conflict", "operation_conflict");
  }
  const started: Operation = {
    key,
    kind: String(request.kind),
    attempt: turn.attempt,
    token,
    started_at_ms: world.nowMs,
    deadline_ms: world.nowMs + timeout_ms,
    timeout_ms,
    heartbeat_timeout_ms,
    last_heartbeat_ms: world.nowMs,
    sequence: 0,
    details: null,
    checkpoint: before?.key === key ? before.checkpoint : null,
  };
  if (isTooLarge(turn, [], started, call.engineSaysTooLarge)) return refuse("over-limit", "turn_too_large");
  turn.operation = started;
  touch(world, instance, turn);
  return done(call);
}

export function progress(call: Call): Answer {
  const { world, instance, turn, token, request } = call;
  const refused = fence(call);
  if (refused !== null) return refused;
  const running = turn.operation;
  if (running === null || running.token !== token || running.key !== request.key)
    return refuse("conflict", "no_operation");
  const sequence = Number(request.sequence);
  const details = jsonOf(request.details);
  const checkpoint = jsonOf(request.checkpoint);
  const repeated =
    sequence === running.sequence && same(details, running.details) && same(checkpoint, running.checkpoint);
  if (repeated) return done(call);
  if (sequence <= running.sequence) return refuse("conflict", "progress_out_of_order");
  if (isTooLarge(turn, [], { details, checkpoint }, call.engineSaysTooLarge))
    return refuse("over-limit", "turn_too_large");
  Object.assign(running, { sequence, details, checkpoint, last_heartbeat_ms: world.nowMs });
  touch(world, instance, turn);
  return done(call);
}

export function checkpoint(call: Call): Answer {
  const { world, request } = call;
  if (request.kind === "step") return save(call, plainStep(world, request));
  const delay_ms = Number(request.delay_ms);
  const wake_at_ms = world.nowMs + delay_ms;
  return save(call, { ...plainStep(world, request), kind: "sleep", delay_ms, wake_at_ms });
}

function plainStep(world: World, { key, output }: Request): Step {
  return {
    key: String(key),
    kind: "step",
    output: jsonOf(output ?? null),
    at_ms: world.nowMs,
    delay_ms: null,
    wake_at_ms: null,
    signal_name: null,
    child_id: null,
  };
}

export function waitSignal(call: Call): Answer {
  return save(call, waitStep(call, String(call.request.name), null));
}

/** A step that waits for a signal of the name; of a child's reply when there is a child. */
export function waitStep({ world, request }: Call, signal_name: string, child_id: string | null): Step {
  const delay_ms = Number(request.timeout_ms);
  return {
    key: String(request.key),
    kind: "signal",
    output: null,
    at_ms: world.nowMs,
    delay_ms,
    wake_at_ms: world.nowMs + delay_ms,
    signal_name,
    child_id,
  };
}

/** S1, S6: what a repeat of a saved step is answered; null: it is none. */
export function repeatedStep(call: Call, step: Step): Answer | null {
  const { world, instance, turn, token, request } = call;
  const saved = turn.steps[Number(request.position)];
  if (saved === undefined || !isOwn(call) || !isSame(saved, step)) return null;
  const shown = showTurn(world, instance, turn);
  const released = turn.holder?.token !== token && turn.last?.end === "suspended";
  if (saved.kind === "step" || !released) return answer(shown);
  return answer(letGoAs(saved.kind, shown, turn));
}

function letGoAs(waiting_for: "sleep" | "signal", shown: Fields, { last }: Turn): Fields {
  return { ...shown, status: "waiting", waiting_for, worker: last?.worker ?? null, deadline_ms: null };
}

function isSame(saved: Step, step: Step): boolean {
  return (
    saved.key === step.key &&
    saved.kind === step.kind &&
    saved.delay_ms === step.delay_ms &&
    saved.signal_name === step.signal_name &&
    saved.child_id === step.child_id &&
    (step.kind === "signal" || same(saved.output, step.output))
  );
}

/** The oldest signal that the step would take. */
function matchOf({ turn }: Call, step: Step): Signal | undefined {
  return turn.signals.find(({ consumed_by, name }) => consumed_by === null && name === step.signal_name);
}

/** Why the step cannot be saved; null: it can. */
export function savingRefusal(call: Call, step: Step): Refusal | null {
  const refused = place(call);
  if (refused !== null) return refused;
  const match = matchOf(call, step);
  const output = match === undefined ? step.output : { received: true, value: match.value };
  const tooLarge = isTooLarge(call.turn, [output], null, call.engineSaysTooLarge);
  return tooLarge ? refuse("over-limit", "turn_too_large") : null;
}

export function save(call: Call, step: Step): Answer {
  const early = repeatedStep(call, step) ?? savingRefusal(call, step);
  if (early !== null) return early;
  const { world, instance, turn } = call;
  const match = matchOf(call, step);
  turn.steps.push(step);
  turn.operation = null;
  if (match !== undefined) take(match, step);
  else if (step.kind !== "step") {
    letGo(turn, "suspended");
    turn.status = "waiting";
    turn.waiting_for = step.kind;
    turn.ready_at_ms = step.wake_at_ms ?? world.nowMs;
  }
  touch(world, instance, turn);
  return done(call);
}

export function complete(call: Call): Answer {
  const { world, instance, turn, token, request } = call;
  const continuation = isFields(request.continuation)
    ? { message: jsonOf(request.continuation.message) }
    : null;
  const steps: readonly unknown[] = Array.isArray(request.steps) ? request.steps : [];
  const brought = steps.filter(isFields);
  const ending = {
    state: jsonOf(request.state),
    result: jsonOf(request.result ?? null),
    continuation,
    steps: brought.map(({ position, key, output }) => jsonOf({ position, key, output })),
  };
  if (turn.completion !== null) {
    if (turn.last?.token !== token) return refuse("fenced", "turn_finished");
    return same(turn.completion, ending) ? done(call) : refuse("conflict", "completion_conflict");
  }
  if (isFinished(turn) && isMoved(instance, turn))
    return refuse("fenced", turn.status === "cancelled" ? "turn_cancelled" : "turn_finished");
  const refused = fence(call) ?? pendingMigration(call);
  if (refused !== null) return refused;
  const folded = fold(world, turn, brought);
  if ("code" in folded) return folded;
  const outputs = folded.steps.map(({ output }) => output);
  if (isTooLarge(turn, [ending.state, ending.result, ...outputs], null, call.engineSaysTooLarge))
    return refuse("over-limit", "turn_too_large");
  turn.steps.push(...folded.steps);
  if (folded.steps.length > 0) world.deeds.push("steps folded");
  letGo(turn, "completed");
  turn.status = "completed";
  turn.operation = null;
  turn.error = null;
  turn.result = ending.result;
  turn.state_after = ending.state;
  turn.completion = ending;
  turn.finished_at_ms = world.nowMs;
  instance.state = ending.state;
  instance.finished += 1;
  if (continuation !== null) turn.continued_to = follow(world, instance, turn, continuation.message);
  touch(world, instance, turn);
  return done(call);
}

/** S22: the steps that are new, or why one of them has no place. */
function fold(
  world: World,
  turn: Turn,
  brought: readonly Request[],
): Refusal | { readonly steps: readonly Step[] } {
  const steps: Step[] = [];
  for (const one of brought) {
    const all = [...turn.steps, ...steps];
    const saved = all[Number(one.position)];
    const step = plainStep(world, one);
    if (saved !== undefined && isSame(saved, step)) continue;
    const refused = misplaced(all, Number(one.position), step.key);
    if (refused !== null) return refused;
    steps.push(step);
  }
  return { steps };
}

/** The continuation stands behind everything that is queued; who waits for the turn's end waits for its end now. */
function follow(world: World, instance: Instance, turn: Turn, message: Json): number {
  const { nowMs } = world;
  const origin = { kind: "continuation", turn: turn.number, message_id: turn.message_id };
  const admitted = { id: `continue-${turn.number}`, message, origin };
  const next = append(instance, admitted, { nowMs, receivedMs: nowMs, readyMs: nowMs });
  next.reply_to = turn.reply_to;
  return next.number;
}

export function fail(call: Call): Answer {
  const { world, instance, turn, token, request } = call;
  const retryAtMs = typeof request.retry_at_ms === "number" ? request.retry_at_ms : null;
  const error = String(request.error);
  // S7.
  const end = retryAtMs === null ? "failed" : "deferred";
  if (turn.last?.token === token && turn.last.end === end && turn.error === error) return done(call);
  const refused = fence(call);
  if (refused !== null) return refused;
  if (retryAtMs !== null && retryAtMs < world.nowMs + RETRY_AHEAD_MS)
    return refuse("invalid", "retry_too_soon");
  letGo(turn, end);
  turn.error = error;
  if (retryAtMs !== null) {
    turn.status = "waiting";
    turn.waiting_for = request.reason === "capacity" ? "capacity" : "retry";
    turn.ready_at_ms = retryAtMs;
  } else if (request.non_retryable === true || isSpent(instance, turn)) {
    failForGood(world, instance, turn);
  } else {
    turn.status = "queued";
    turn.ready_at_ms = world.nowMs + backoffMs(turn);
  }
  touch(world, instance, turn);
  return done(call);
}
