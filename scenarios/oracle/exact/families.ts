/**
 * Work that turns give to others, in the exact model: messages sent back, migrations, children and their replies.
 *
 *   S12  a repeated start of a child is recognised by its step, key and time-out, like any wait; the child's content is that
 *        of the first start. What stands in the way of a child's birth (a full graph, a reserved type) is told before the
 *        parent waits, so nothing has happened then.
 *
 * The delays are 1, 4 and 16 minutes: how often a message was sent back goes with its origin, a sender's own `requeue`
 * origin included. A migration is the first word of the attempt that was claimed for it. A turn that somebody waits for
 * tells its end when it moves to history; a turn that continues leaves that to its continuation.
 *
 * Source: seed 000 "Safe writes, waits and failing instances" (requeue); the issue "Every promise of the message-workflow
 * engine", "Beyond the seed" (migrations, children).
 */
import type { Json } from "../../../src/std/json.ts";
import { same } from "../../checkers/same.ts";
import { type Answer, answer, type Refusal, refuse } from "./refusal.ts";
import { mustPrune } from "./retention.ts";
import { GRAPH_FULL, isFull, jsonOf, newInstance, receive } from "./senders.ts";
import { bytesOf, type Fields, showTurn } from "./show.ts";
import { fitOf } from "./size.ts";
import {
  type Call,
  fence,
  isOwn,
  pendingMigration,
  repeatedStep,
  save,
  savingRefusal,
  waitStep,
} from "./workers.ts";
import {
  append,
  headOf,
  type Instance,
  isFinished,
  pendingOf,
  type Turn,
  touch,
  touchInstance,
  type World,
} from "./world.ts";

const DELAYS_MS = [60_000, 240_000, 960_000];
const MOST_PENDING = 128;
const SIGNAL_BYTES = 32 * 1024;

/** The message's id is made of turn and key: however often it is asked for, it is one message. */
export function requeue(call: Call): Answer {
  const { world, instance, turn, request } = call;
  const id = `requeue-${turn.number}-${String(request.key)}`;
  const message = jsonOf(request.message === undefined ? { requeue: request.instances } : request.message);
  const { origin } = turn;
  const before = isRecord(origin) && origin.kind === "requeue" ? Number(origin.attempt ?? 0) : 0;
  const attempt = Math.max(0, before) + 1;
  const shown = (due_at_ms: number | null) =>
    answer({ workflow_id: instance.id, turn: turn.number, message_id: id, attempt, due_at_ms });
  const deferred = instance.deferred.find((one) => one.id === id);
  const admitted = instance.turns.find((one) => one.message_id === id);
  const dueMs = deferred?.due_at_ms ?? admitted?.ready_at_ms ?? null;
  const sent = deferred === undefined ? admitted?.message : deferred.message;
  const repeated = dueMs !== null && same(sent, message);
  if (repeated && isOwn(call)) return shown(dueMs);
  const refused = fence(call) ?? pendingMigration(call);
  if (refused !== null) return refused;
  if (repeated) return shown(dueMs);
  if (dueMs !== null) return refuse("conflict", "requeue_conflict");
  const delayMs = DELAYS_MS[attempt - 1];
  if (delayMs === undefined) return shown(null);
  if (pendingOf(instance) >= MOST_PENDING) return refuse("over-limit", "inbox_full");
  const due_at_ms = world.nowMs + delayMs;
  const from = { kind: "requeue", attempt, turn: turn.number, message_id: turn.message_id };
  instance.deferred.push({ id, message, origin: from, received_at_ms: world.nowMs, due_at_ms });
  touchInstance(world, instance);
  return shown(due_at_ms);
}

function isRecord(value: Json): value is { readonly [field: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Version, state and the note in the turn, at once. */
export function migrate(call: Call): Answer {
  const { world, instance, turn, request } = call;
  const { from, to } = request;
  const state = jsonOf(request.state);
  const last = turn.migrations.at(-1);
  const asked = last?.from === from && last?.to === to && same(instance.state, state);
  if (asked && isOwn(call) && !isFinished(turn) && instance.version === to)
    return answer(showTurn(world, instance, turn));
  const refused = fence(call);
  if (refused !== null) return refused;
  const { holder } = turn;
  if (holder === null || holder.migratesTo !== to || instance.version !== from)
    return refuse("conflict", "no_migration");
  holder.migratesTo = null;
  instance.version = String(to);
  instance.state = state;
  turn.version = instance.version;
  turn.migrations.push({ from: String(from), to: instance.version, at_ms: world.nowMs });
  turn.operation = null;
  touch(world, instance, turn);
  return answer(showTurn(world, instance, turn));
}

/** The parent waits for its child as for a signal; what stands in the child's way is asked before the parent waits. */
export function startChild(call: Call, barred: Refusal | null, engineAnswer: unknown): Answer {
  const { world, instance, turn, request } = call;
  const step = `${turn.number}/${String(request.key)}`;
  const known = instance.children.get(step);
  const id = known ?? childIn(engineAnswer, Number(request.position)) ?? "a child that nobody was told of";
  const name = `reply-${String(request.key)}`;
  const wait = waitStep(call, name, id);
  const early = repeatedStep(call, wait) ?? savingRefusal(call, wait);
  if (early !== null) return early;
  if (barred !== null) return barred;
  if (isFull(world)) return GRAPH_FULL;
  bear(world, instance, turn, request, id, name);
  instance.children.set(step, id);
  return save(call, wait);
}

/** The engine names the child. */
function childIn(engineAnswer: unknown, position: number): string | null {
  const steps: unknown = isFields(engineAnswer) ? engineAnswer.steps : null;
  const step: unknown = Array.isArray(steps) ? steps[position] : null;
  const id = isFields(step) ? step.child_id : null;
  return typeof id === "string" && id.startsWith("child-") ? id : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bear(
  world: World,
  parent: Instance,
  turn: Turn,
  request: Call["request"],
  id: string,
  name: string,
): void {
  // No creation by anybody else is the same as this one.
  const creation = { child: id };
  const child = newInstance(world, id, { ...request, on_exhausted: "skip" }, creation);
  const { nowMs } = world;
  const admitted = { id: "start", message: jsonOf(request.message), origin: null };
  const first = append(child, admitted, { nowMs, receivedMs: nowMs, readyMs: nowMs });
  first.reply_to = { workflow_id: parent.id, parent, turn: turn.number, name };
}

/** What follows each command: turns that have finished tell whoever waits for their end, once. */
export function tell(world: World): void {
  for (const child of world.instances.values()) {
    const head = headOf(child);
    const moved = head === null ? child.turns.length : head.number - 1;
    for (let turn = child.turns[child.toldThrough]; turn !== undefined && turn.number <= moved; ) {
      if (turn.reply_to !== null && turn.continued_to === null) reply(world, child, turn, turn.reply_to);
      child.toldThrough += 1;
      mustPrune(world, child);
      // Its move to history is a change of its own.
      child.counter.changes += 1;
      turn = child.turns[child.toldThrough];
    }
  }
}

/** The end of a turn, told to the one that waits for it, if that is still there. */
export function reply(world: World, child: Instance, turn: Turn, to: NonNullable<Turn["reply_to"]>): void {
  if (world.instances.get(to.workflow_id) !== to.parent) return;
  const waiting = to.parent.turns[to.turn - 1];
  if (waiting === undefined) return;
  const id = `reply-${child.id}-${turn.number}`;
  const whole = {
    workflow_id: child.id,
    turn: turn.number,
    status: turn.status,
    result: turn.result,
    error: turn.error,
  };
  const short = { ...whole, result: null, result_omitted: true };
  const values = bytesOf(whole) <= SIGNAL_BYTES ? [whole, short] : [short];
  for (const value of values) {
    // Its receipt may hold it twice: as a signal, and as what the wait received.
    const fit = fitOf(waiting, [value, { received: true, value }], waiting.operation);
    if (fit === "unsure") {
      world.openReplies.push({ parent: to.parent, turn: waiting, id, name: to.name });
      return;
    }
    if (fit === "too-large") continue;
    receive(world, to.parent, waiting, { id, name: to.name, value }, false);
    return;
  }
}
