/**
 * What senders and people ask, in the exact model: create, send, signal, control.
 *
 *   S5   a skipped turn keeps the status `failed`. Retry forgives the attempts before it, so that the turn has all of them
 *        again and its back-off begins anew.
 *   S10  a person acts on a turn as views show it: one whose last attempt ran out of time is failed, whether somebody has
 *        claimed it since or not. If the action does not fit, the turn stays as it was.
 *   S19  a message id is taken as long as its turn is kept, and as long as the message waits for its time; a child's reply
 *        has its place beside the 64 signals of others.
 *
 * A message, a signal or a creation that is repeated is answered with what is there now, not with what was answered
 * first. Controls answer the instance as they leave it; what follows a commit (the move to history) may show or not.
 *
 * Source: seed 000 "Message API", "LLM runs, signals and progress" (signals), contract sections 2 and 3.
 */
import type { Json } from "../../../src/std/json.ts";
import { same } from "../../checkers/same.ts";
import { expire, isOver, isSpent, letGo } from "./attempts.ts";
import type { Request } from "./fields.ts";
import { type Answer, answer, NO_INSTANCE, NO_TURN, refuse } from "./refusal.ts";
import { showInstance, showTurn } from "./show.ts";
import { isTooLarge } from "./size.ts";
import {
  append,
  headOf,
  type Instance,
  isFinished,
  newCounter,
  pendingOf,
  type Signal,
  type Step,
  type Turn,
  touch,
  touchInstance,
  turnOf,
  type World,
} from "./world.ts";

const MOST_PENDING = 128;
const MOST_SIGNALS = 64;

export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : null;
}

/** The fields have been checked. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

export function instanceOf(world: World, id: unknown): Instance | undefined {
  return world.instances.get(String(id));
}

export function createInstance(world: World, request: Request): Answer {
  const creation = jsonOf({
    workflow_type: request.workflow_type,
    version: request.version,
    state: request.state ?? null,
    lease_ms: request.lease_ms ?? 60_000,
    max_attempts: request.max_attempts ?? 3,
    on_exhausted: request.on_exhausted ?? "block",
  });
  const known = instanceOf(world, request.id);
  if (known === undefined && isFull(world)) return GRAPH_FULL;
  if (known === undefined)
    return answer(showInstance(world, newInstance(world, String(request.id), request, creation), true));
  if (!same(known.creation, creation)) return refuse("conflict", "instance_conflict");
  return answer(showInstance(world, known, true));
}

export const GRAPH_FULL = refuse("over-limit", "graph_full");

/** Whether the graph takes no more instances. */
export function isFull({ instances, rules }: World): boolean {
  return instances.size >= rules.mostInstances;
}

/** The fields have been checked. */
export function newInstance(world: World, id: string, request: Request, creation: Json): Instance {
  const instance: Instance = {
    id,
    workflow_type: String(request.workflow_type),
    version: String(request.version),
    lease_ms: Number(request.lease_ms ?? 60_000),
    max_attempts: Number(request.max_attempts ?? 3),
    on_exhausted: String(request.on_exhausted ?? "block"),
    creation,
    created_at_ms: world.nowMs,
    updated_at_ms: world.nowMs,
    paused: false,
    state: jsonOf(request.state ?? null),
    turns: [],
    deferred: [],
    headFrom: 0,
    finished: 0,
    counter: newCounter(),
    incarnation: null,
    children: new Map(),
    toldThrough: 0,
    pruned: 0,
    prunedAtLeast: 0,
    prunedAtMost: 0,
    blobs: new Map(),
    firstDeadlineMs: 0,
  };
  world.instances.set(id, instance);
  return instance;
}

/** A message id has one turn: also one that waits for its time, or is finished. */
export function sendMessage(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const id = String(request.id);
  const message = jsonOf(request.message);
  const earlier = instance.turns.findLast((turn) => turn.message_id === id && turn.number > instance.pruned);
  if (earlier !== undefined)
    return same(earlier.message, message)
      ? answer(showTurn(world, instance, earlier))
      : refuse("conflict", "message_conflict");
  if (pendingOf(instance) >= MOST_PENDING) return refuse("over-limit", "inbox_full");
  const { nowMs } = world;
  const admitted = { id, message, origin: jsonOf(request.origin ?? null) };
  const turn = append(instance, admitted, { nowMs, receivedMs: nowMs, readyMs: nowMs });
  touchInstance(world, instance);
  return answer(showTurn(world, instance, turn));
}

export function signal(world: World, request: Request, engineCode: string | null): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const turn = turnOf(instance, request.turn);
  if (turn === undefined) return NO_TURN;
  const sent = { id: String(request.id), name: String(request.name), value: jsonOf(request.value) };
  const refused = receive(world, instance, turn, sent, engineCode === "turn_too_large");
  return refused ?? answer(showTurn(world, instance, turn));
}

/** The turn receives it, or has it already (null); a reply of a child has its place beside the 64. */
export function receive(
  world: World,
  instance: Instance,
  turn: Turn,
  sent: Pick<Signal, "id" | "name" | "value">,
  engineSaysTooLarge: boolean,
): Answer | null {
  const known = turn.signals.find(({ id }) => id === sent.id);
  if (known !== undefined) {
    const repeated = known.name === sent.name && same(known.value, sent.value);
    return repeated ? null : refuse("conflict", "signal_conflict");
  }
  if (isFinished(turn)) return refuse("conflict", "turn_finished");
  const isReply = sent.id.startsWith("reply-");
  const others = turn.signals.filter(({ id }) => !id.startsWith("reply-")).length;
  if (!isReply && others >= MOST_SIGNALS) return refuse("over-limit", "too_many_signals");
  const wait = turn.steps.at(-1);
  const ends =
    turn.waiting_for === "signal" && wait?.signal_name === sent.name && world.nowMs < (wait.wake_at_ms ?? 0);
  const added = ends ? [sent.value, { received: true, value: sent.value }] : [sent.value];
  if (isTooLarge(turn, added, turn.operation, engineSaysTooLarge))
    return refuse("over-limit", "turn_too_large");
  const received: Signal = { ...sent, at_ms: world.nowMs, consumed_by: null };
  turn.signals.push(received);
  if (ends) {
    take(received, wait);
    turn.status = "queued";
    turn.waiting_for = null;
    turn.ready_at_ms = world.nowMs;
  }
  touch(world, instance, turn);
  return null;
}

/** A wait takes a signal. */
export function take(signal: Signal, wait: Step): void {
  signal.consumed_by = wait.key;
  wait.output = { received: true, value: signal.value };
}

export function control(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const { action } = request;
  const number = typeof request.turn === "number" ? request.turn : null;
  if (action === "pause" || action === "resume") {
    const woken = action === "resume" && wake(world, instance, null);
    if (woken || instance.paused !== (action === "pause")) {
      instance.paused = action === "pause";
      touchInstance(world, instance);
    }
  } else if (action === "wake") wake(world, instance, number);
  else {
    const turn = turnOf(instance, number);
    if (turn === undefined) return NO_TURN;
    const done = onTurn(world, instance, turn, String(action));
    if (!done) return refuse("conflict", "turn_not_in_state");
  }
  return answer(showInstance(world, instance, false));
}

/** A wait that counts no attempt ends; a wake may name its turn. */
function wake(world: World, instance: Instance, number: number | null): boolean {
  const head = headOf(instance);
  if (head === null || (number !== null && head.number !== number)) return false;
  if (head.waiting_for !== "retry" && head.waiting_for !== "capacity") return false;
  head.status = "queued";
  head.waiting_for = null;
  head.ready_at_ms = world.nowMs;
  touch(world, instance, head);
  return true;
}

export function cancel(world: World, instance: Instance, turn: Turn): void {
  letGo(turn, "cancelled");
  turn.status = "cancelled";
  turn.waiting_for = null;
  turn.finished_at_ms = world.nowMs;
  instance.finished += 1;
  touch(world, instance, turn);
}

/** False: the action does not fit the turn. */
function onTurn(world: World, instance: Instance, turn: Turn, action: string): boolean {
  if (action === "cancel_turn") {
    if (turn.status === "cancelled") return true;
    if (isFinished(turn)) return false;
    cancel(world, instance, turn);
    return true;
  }
  if (action === "skip" && turn.skipped) return true;
  if (isFinished(turn)) return false;
  // S10: the attempt that is over is taken off the turn only if the action then fits.
  if (isOver(world, turn) && isSpent(instance, turn)) {
    const skips = instance.on_exhausted === "skip";
    if (skips && action === "retry") return false;
    expire(world, instance, turn);
    if (skips) return true;
  }
  if (turn.status !== "failed") return false;
  if (action === "skip") {
    turn.skipped = true;
    instance.finished += 1;
  } else {
    turn.status = "queued";
    turn.forgiven = turn.attempt;
    turn.ready_at_ms = world.nowMs;
    turn.finished_at_ms = null;
  }
  touch(world, instance, turn);
  return true;
}
