/**
 * Reads in the exact model: instances, turns, history, inboxes and lists.
 *
 *   S17  a full page of a list may name a next one although only deleted ids follow.
 *
 * Turns of history are shown as they ended; any other turn as it stands now (S4). Cancelled turns behind the head are in
 * neither history nor inbox until everything before them is finished, but can be read one by one.
 *
 * The inbox of a type asks an index that may lag; with one node over a sound store it does not, so it is compared like
 * everything else. Source: contract sections 2, 7; seed 000 "Inbox", "History retention".
 */
import { Expectation } from "./expectation.ts";
import type { Request } from "./fields.ts";
import { type Answer, answer, NO_INSTANCE, NO_TURN } from "./refusal.ts";
import { instanceOf } from "./senders.ts";
import {
  bytesOf,
  type Fields,
  instanceStatus,
  showEntry,
  showInstance,
  showTurn,
  showTurnNow,
  unfinishedOf,
} from "./show.ts";
import { headOf, type Instance, pendingOf, turnOf, type World } from "./world.ts";

const PAGE = 50;

export function getInstance(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.id);
  return instance === undefined ? NO_INSTANCE : answer(showInstance(world, instance, true));
}

export function getTurn(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const turn = turnOf(instance, request.turn);
  return turn === undefined ? NO_TURN : answer(showTurnNow(world, instance, turn));
}

/** Finished turns: those before the head. */
export function history(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const head = headOf(instance);
  const finished = head === null ? instance.turns.length : head.number - 1;
  const after = Math.max(instance.pruned, Number(request.after ?? 0));
  const through = Math.min(finished, after + Number(request.limit ?? PAGE));
  const turns = instance.turns
    .slice(after, Math.max(after, through))
    .map((turn) => showTurn(world, instance, turn));
  return answer({ turns, next_after: through < finished ? through : null });
}

export function inbox(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const after = Number(request.after ?? 0);
  const payloads = request.payloads === true;
  const behind = unfinishedOf(instance).filter(({ number }) => number > after);
  const page = behind.slice(0, Number(request.limit ?? PAGE));
  const receipts = receiptsOf(instance);
  return answer({
    workflow_id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    status: instanceStatus(world, instance),
    pending_messages: pendingOf(instance),
    oldest_received_at_ms: receipts.length === 0 ? null : Math.min(...receipts),
    newest_received_at_ms: receipts.length === 0 ? null : Math.max(...receipts),
    entries: page.map((turn) => showEntry(world, instance, turn, payloads)),
    deferred: after > 0 ? [] : instance.deferred.map((one) => showDeferred(one, payloads)),
    next_after: behind.length > page.length ? (page.at(-1)?.number ?? null) : null,
  });
}

function showDeferred(one: Instance["deferred"][number], payloads: boolean): Fields {
  const { id, received_at_ms, due_at_ms, origin, message } = one;
  const shown = { message_id: id, received_at_ms, due_at_ms, message_bytes: bytesOf(message), origin };
  return payloads ? { ...shown, message } : shown;
}

function receiptsOf(instance: Instance): readonly number[] {
  return [
    ...unfinishedOf(instance).map(({ created_at_ms }) => created_at_ms),
    ...instance.deferred.map(({ received_at_ms }) => received_at_ms),
  ];
}

export function typeInbox(world: World, request: Request): Answer {
  const { workflow_type, version = null, after = null } = request;
  const ofType = sorted(world).filter(
    (one) => one.workflow_type === workflow_type && (version === null || one.version === version),
  );
  // A paused instance is listed, whatever is in its inbox.
  const listed = ofType.filter((one) => one.paused || pendingOf(one) > 0);
  const behind = listed.filter(({ id }) => after === null || id > String(after));
  const page = behind.slice(0, Number(request.limit ?? PAGE));
  return answer({
    identities: ofType.length,
    with_messages: listed.length,
    instances: page.filter((one) => pendingOf(one) > 0).map((one) => summary(world, one)),
    next_after: behind.length > page.length ? (page.at(-1)?.id ?? null) : null,
  });
}

function summary(world: World, instance: Instance): Fields {
  const head = headOf(instance);
  return {
    workflow_id: instance.id,
    version: instance.version,
    status: instanceStatus(world, instance),
    pending_messages: pendingOf(instance),
    oldest_received_at_ms: Math.min(...receiptsOf(instance)),
    head: head && showEntry(world, instance, head, false),
  };
}

export function listInstances(world: World, request: Request): Answer {
  const { after = null } = request;
  const behind = sorted(world).filter(({ id }) => after === null || id > String(after));
  const limit = Number(request.limit ?? PAGE);
  const page = behind.slice(0, limit);
  const last = page.at(-1)?.id ?? null;
  return answer({
    instances: page.map((one) => showInstance(world, one, true)),
    next_after: behind.length > limit || page.length < limit ? nextOf(behind, page) : nextOrNone(world, last),
  });
}

function nextOf(behind: readonly Instance[], page: readonly Instance[]): string | null {
  return behind.length > page.length ? (page.at(-1)?.id ?? null) : null;
}

/** S17. */
function nextOrNone({ deleted }: World, last: string | null): Expectation | null {
  if (last === null || ![...deleted].some((id) => id > last)) return null;
  return new Expectation(`null or ${last}`, (value) => value === null || value === last);
}

function sorted(world: World): Instance[] {
  return [...world.instances.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
