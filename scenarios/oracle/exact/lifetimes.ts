/**
 * Ends of things in the exact model: instances and graphs that are deleted, and the values that go with them.
 *
 *   S15  who deletes an instance ends the work that others wait for first, and tells them.
 *   S16  a blob may be named, and is there, as long as a kept turn, the state or a message on its way names it, or its
 *        number is not removed; afterwards the engine's word counts.
 *   S17  a full page of a list may name a next one although only deleted ids follow.
 */
import { Expectation } from "./expectation.ts";
import { reply } from "./families.ts";
import type { Request } from "./fields.ts";
import { type Answer, answer, NO_INSTANCE, refuse } from "./refusal.ts";
import { cancel, instanceOf, jsonOf } from "./senders.ts";
import { type Instance, isFinished, type World } from "./world.ts";

export function deleteInstance(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return answer({ deleted: false });
  for (const turn of instance.turns.slice(instance.toldThrough)) {
    if (turn.reply_to === null || turn.continued_to !== null) continue;
    if (!isFinished(turn)) cancel(world, instance, turn);
    reply(world, instance, turn, turn.reply_to);
  }
  end(world, instance);
  return answer({ deleted: true });
}

function end(world: World, instance: Instance): void {
  world.instances.delete(instance.id);
  world.deleted.add(instance.id);
  if (instance.incarnation !== null) world.ended.add(instance.incarnation);
}

export function createGraph(world: World): Answer {
  if (!world.rules.hasGraphs) return refuse("invalid", "graph_fixed");
  const created = !world.graph.live;
  if (created) world.graph = { epoch: world.graph.epoch + 1, live: true };
  return answer({ epoch: world.graph.epoch, created });
}

export function deleteGraph(world: World): Answer {
  if (!world.rules.hasGraphs) return refuse("invalid", "graph_fixed");
  const deleted = world.graph.live;
  for (const instance of [...world.instances.values()]) end(world, instance);
  world.graph.live = false;
  world.deleted.clear();
  return answer({ deleted });
}

const REFERENCE = /^blob:(\d{12})-[0-9a-f]{8}-[A-Za-z0-9_-]{1,64}$/;

export function putBlob(world: World, request: Request): Answer {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const next = instance.turns.length + 1;
  const reference = new Expectation("a new name", (name) => {
    if (typeof name !== "string" || instance.blobs.has(name) || tagOf(name) !== next) return false;
    instance.blobs.set(name, jsonOf(request.value));
    return true;
  });
  return answer({ workflow_id: instance.id, reference });
}

/** The number in the name; null: it is no name of a blob. */
function tagOf(name: unknown): number | null {
  const tag = typeof name === "string" ? REFERENCE.exec(name)?.[1] : undefined;
  return tag === undefined ? null : Number(tag);
}

export function getBlob(world: World, request: Request, engineCode: string | null): Answer {
  const { reference } = request;
  if (tagOf(reference) === null) return refuse("invalid", "invalid_reference");
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined) return NO_INSTANCE;
  const name = String(reference);
  const value = instance.blobs.get(name);
  const missing = value === undefined || (engineCode === "blob_not_found" && isGivenUp(instance, name));
  if (missing) return refuse("not-found", "blob_not_found");
  return answer({ workflow_id: instance.id, reference: name, value });
}

/** Names of the instance's blobs in a request that may have been given up (S16). */
export function givenUpIn(world: World, request: Request): readonly string[] {
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined || instance.blobs.size === 0) return [];
  const text = JSON.stringify(request);
  return [...instance.blobs.keys()].filter((name) => text.includes(name) && isGivenUp(instance, name));
}

function isGivenUp(instance: Instance, name: string): boolean {
  if ((tagOf(name) ?? 0) > instance.pruned) return false;
  const { state, deferred, turns, pruned } = instance;
  const kept = turns.slice(pruned).map(({ reply_to: _, ...turn }) => turn);
  return !JSON.stringify({ state, deferred, kept }).includes(name);
}
