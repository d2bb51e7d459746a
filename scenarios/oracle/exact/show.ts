/**
 * What the exact model shows of instances and turns, field for field as in the contract (section 4).
 *
 *   S4   time that has run out shows in every read as the next claim will treat it: a turn whose attempt is over as queued
 *        or failed, one whose wait is over as queued. What a wait received is not known before that claim.
 *
 * The answer of a command shows the turn as the command leaves it, a read as it stands by now. Change counters are only
 * expected to stand still without a change and to rise with one; how far turns have moved is expected to be as far as
 * they have finished.
 *
 * Progress is shown when the details have a phase: the fields have been checked when they were reported, so the model
 * takes them as they are. Source: contract section 4; seed 000 "Progress convention", "Inbox".
 */
import type { Json } from "../../../src/std/json.ts";
import { rfc3339 } from "../../../src/std/rfc3339.ts";
import { endOf, isOver, isSpent } from "./attempts.ts";
import { Expectation } from "./expectation.ts";
import {
  type Counter,
  headOf,
  type Instance,
  isFinished,
  type Operation,
  pendingOf,
  type Turn,
  type TurnStatus,
  type World,
} from "./world.ts";

export type Fields = { readonly [field: string]: unknown };

/** How a reader sees the turn now (S4). */
export function statusNow(world: World, instance: Instance, turn: Turn): TurnStatus {
  if (turn.status === "waiting") return turn.ready_at_ms <= world.nowMs ? "queued" : "waiting";
  if (!isOver(world, turn)) return turn.status;
  return isSpent(instance, turn) ? "failed" : "queued";
}

/** The turn as the call that changed it is answered. */
export function showTurn(world: World, instance: Instance, turn: Turn): Fields {
  const { last, holder, operation, reply_to } = turn;
  return {
    workflow_id: instance.id,
    number: turn.number,
    message_id: turn.message_id,
    message: turn.message,
    version: turn.version,
    migrations: turn.migrations,
    origin: turn.origin,
    status: turn.status,
    waiting_for: turn.waiting_for,
    attempt: turn.attempt,
    created_at_ms: turn.created_at_ms,
    updated_at_ms: turn.updated_at_ms,
    ready_at_ms: turn.ready_at_ms,
    steps: turn.steps,
    signals: turn.signals,
    operation: operation === null ? null : { ...operation, token: undefined },
    progress: progressOf(operation),
    result: turn.result,
    state_after: turn.state_after,
    sequence: risen(turn, false),
    worker: holder?.worker ?? last?.worker ?? null,
    deadline_ms: holder?.deadline_ms ?? null,
    error: turn.error,
    skipped: turn.skipped,
    finished_at_ms: turn.finished_at_ms,
    reply_to: reply_to && {
      workflow_id: reply_to.workflow_id,
      incarnation: incarnationOf(world, reply_to.parent),
      turn: reply_to.turn,
      name: reply_to.name,
    },
    continued_to: turn.continued_to,
  };
}

/** The turn as a reader sees it now. */
export function showTurnNow(world: World, instance: Instance, turn: Turn): Fields {
  const shown = showTurn(world, instance, turn);
  const status = statusNow(world, instance, turn);
  if (status === turn.status) return shown;
  return { ...shown, status, waiting_for: null, deadline_ms: null };
}

export function instanceStatus(world: World, instance: Instance): string {
  if (instance.paused) return "paused";
  const head = headOf(instance);
  if (head === null) return instance.deferred.length === 0 ? "idle" : "waiting";
  return statusNow(world, instance, head);
}

/** `settled`: the answer is a read of its own, so that what follows a commit has been done. */
export function showInstance(world: World, instance: Instance, settled: boolean): Fields {
  const head = headOf(instance);
  const moved = head === null ? instance.turns.length : head.number - 1;
  const running = head !== null && statusNow(world, instance, head) === "running";
  return {
    id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    state: instance.state,
    status: instanceStatus(world, instance),
    created_at_ms: instance.created_at_ms,
    updated_at_ms: instance.updated_at_ms,
    sequence: risen(instance, instance.pruned > 0),
    completed_turns: instance.finished,
    pending_messages: pendingOf(instance),
    history_through: settled ? moved : atMost(moved),
    history_pruned_through: settled ? instance.pruned : atMost(moved),
    progress: running ? progressOf(head.operation) : null,
    current_turn: head && showTurnNow(world, instance, head),
  };
}

export function showEntry(world: World, instance: Instance, turn: Turn, payload: boolean): Fields {
  const status = statusNow(world, instance, turn);
  const entry = {
    turn: turn.number,
    message_id: turn.message_id,
    status,
    waiting_for: status === "waiting" ? turn.waiting_for : null,
    received_at_ms: turn.created_at_ms,
    ready_at_ms: turn.ready_at_ms,
    attempt: turn.attempt,
    message_bytes: bytesOf(turn.message),
    origin: turn.origin,
    error: turn.error,
    progress: status === "running" ? progressOf(turn.operation) : null,
  };
  return payload ? { ...entry, message: turn.message } : entry;
}

/** The unfinished turns, cancelled ones behind the head left out. */
export function unfinishedOf(instance: Instance): readonly Turn[] {
  headOf(instance);
  return instance.turns.slice(instance.headFrom).filter((turn) => !isFinished(turn));
}

export function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function progressOf(operation: Operation | null): Fields | null {
  const details = operation?.details;
  if (operation === null || typeof details !== "object" || details === null || Array.isArray(details))
    return null;
  const { phase, done, total, unit } = { phase: null, done: null, total: null, unit: null, ...details };
  if (phase === null) return null;
  return {
    phase,
    done,
    total,
    unit,
    started_at: rfc3339(operation.started_at_ms),
    heartbeat_at: rfc3339(operation.last_heartbeat_ms),
  };
}

/** Stands still without a change, unless the engine may have tidied up, and rises with one. */
function risen({ counter }: { readonly counter: Counter }, tidies: boolean): Expectation {
  const { changes, seenChanges, seen } = counter;
  const same = changes === seenChanges;
  const right = (value: number) => (same ? value === seen || (tidies && value > seen) : value > seen);
  return new Expectation(same ? String(seen) : `more than ${seen}`, (value) => {
    if (typeof value !== "number" || !right(value)) return false;
    counter.seen = value;
    counter.seenChanges = changes;
    return true;
  });
}

function atMost(moved: number): Expectation {
  return new Expectation(`at most ${moved}`, (value) => typeof value === "number" && value <= moved);
}

/** The engine names each life as it likes, always the same, and never like an earlier one. */
export function incarnationOf(world: World, instance: Instance): Expectation {
  return new Expectation(instance.incarnation ?? "a new name", (value) => isLife(world, instance, value));
}

export function isLife({ ended }: World, instance: Instance, value: unknown): boolean {
  if (typeof value !== "string" || value === "") return false;
  if (instance.incarnation === null && !ended.has(value)) instance.incarnation = value;
  return instance.incarnation === value;
}

/** When something of the instance next changes by itself, for the generator. */
export function momentsOf(instance: Instance): readonly number[] {
  const head = headOf(instance);
  const moments = instance.deferred.map(({ due_at_ms }) => due_at_ms);
  if (head === null) return moments;
  const { operation, holder } = head;
  moments.push(head.ready_at_ms);
  const end = endOf(head);
  if (end !== null) moments.push(end.atMs);
  if (holder !== null) moments.push(holder.deadline_ms);
  if (operation !== null) moments.push(operation.deadline_ms);
  return moments;
}
