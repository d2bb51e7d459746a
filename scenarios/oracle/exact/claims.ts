/**
 * Claims in the exact model: which turns may be given, and what becomes of one that is.
 *
 * Which of several instances gets the worker is the engine's choice, so the model takes the instance from its answer and
 * says whether it may be and what the task must show. When none is given, no instance may have been ready. A claim may
 * also end attempts whose time is over in instances of its versions that it passes; which ones it passed shows in them,
 * so the caller looks.
 */
import { endOf, expire, goesOn, isOver, isSpent } from "./attempts.ts";
import { Expectation } from "./expectation.ts";
import { isFields, type Request } from "./fields.ts";
import { type Answer, answer } from "./refusal.ts";
import { jsonOf } from "./senders.ts";
import { type Fields, isLife, showTurn } from "./show.ts";
import { append, headOf, type Instance, type Turn, touch, type World } from "./world.ts";

/** What the worker's code is to the instance: its own version, one that migrates to the given one, or none. */
function served(request: Request, instance: Instance): { readonly migratesTo: string | null } | null {
  const workflows: readonly unknown[] = Array.isArray(request.workflows) ? request.workflows : [];
  let migratesTo: string | null = null;
  for (const one of workflows) {
    if (!isFields(one) || one.workflow_type !== instance.workflow_type) continue;
    if (one.version === instance.version) return { migratesTo: null };
    const from = Array.isArray(one.migrates_from) ? one.migrates_from : [];
    if (from.includes(instance.version)) migratesTo ??= String(one.version);
  }
  return migratesTo === null ? null : { migratesTo };
}

/** The head as a claim would find it: a deferred message that is due stands at the end of an empty inbox. */
function dueOf(world: World, instance: Instance): boolean {
  return instance.deferred.some(({ due_at_ms }) => due_at_ms <= world.nowMs);
}

/** Whether a claim would give the instance's head to the worker now. */
export function isReady(world: World, request: Request, instance: Instance): boolean {
  const service = served(request, instance);
  if (service === null || instance.paused) return false;
  const head = headOf(instance);
  if (head === null) return dueOf(world, instance);
  if (service.migratesTo !== null && head.steps.length > 0) return false;
  if (head.status === "queued" || head.status === "waiting") return head.ready_at_ms <= world.nowMs;
  return isOver(world, head) && !endsOnly(world, instance, head);
}

/** Whether a claim that passes the head ends its attempt and begins none: it was the last, or a back-off follows (S3). */
function endsOnly(world: World, instance: Instance, head: Turn): boolean {
  return isOver(world, head) && (isSpent(instance, head) || endOf(head)?.byLease !== true);
}

/** What a claim finds before it is made. */
export interface Outlook {
  /** Instances in which it may end an attempt without giving the turn, in the order in which it passes them. */
  readonly mayEnd: readonly Instance[];
  /** An instance that it must not leave out when it gives none; null: there is none. */
  readonly ready: Instance | null;
}

export function outlookOf(world: World, request: Request): Outlook {
  const mayEnd: Instance[] = [];
  let ready: Instance | null = null;
  for (const instance of world.instances.values()) {
    const head = headOf(instance);
    if (isReady(world, request, instance)) {
      if (isKnown(world, instance)) ready = instance;
    } else if (head !== null && mayPass(request, instance, head) && endsOnly(world, instance, head))
      mayEnd.push(instance);
  }
  mayEnd.sort((a, b) => a.firstDeadlineMs - b.firstDeadlineMs || (a.id < b.id ? -1 : 1));
  return { mayEnd, ready };
}

function mayPass(request: Request, instance: Instance, head: Turn): boolean {
  const service = served(request, instance);
  return !instance.paused && service !== null && (service.migratesTo === null || head.steps.length === 0);
}

/**
 * Whether the hint that leads claims to the instance says that there is something to do. The hint about an attempt is
 * from its beginning: a renewal or an operation does not change it.
 */
export function isKnown(world: World, instance: Instance): boolean {
  return headOf(instance)?.status !== "running" || instance.firstDeadlineMs <= world.nowMs;
}

/** The periodic listing, after which every hint is right. How many were wrong is nobody's business. */
export function reconcile(world: World): Answer {
  for (const instance of world.instances.values()) {
    const head = headOf(instance);
    const end = head === null ? null : endOf(head);
    if (end !== null) instance.firstDeadlineMs = end.atMs;
  }
  const repaired = new Expectation("a number", (value) => typeof value === "number");
  return answer({ instances: world.instances.size, repaired, unread: 0 });
}

/** The claim passed the instance, and ended what was over. */
export function pass(world: World, instance: Instance): void {
  const head = headOf(instance);
  if (head === null) return;
  admitDue(world, instance);
  expire(world, instance, head);
}

/** What the claim's task must be, or why the engine may not give it, in words. */
export function give(world: World, request: Request, task: unknown): Fields | string {
  const turn = isFields(task) && isFields(task.turn) ? task.turn : {};
  const instance = world.instances.get(String(turn.workflow_id));
  if (instance === undefined) return "no such instance";
  if (!isReady(world, request, instance)) return `${instance.id} is not ready`;
  return giveHead(world, request, instance, task, null) ?? `${instance.id} has no unfinished turn`;
}

/** The head, which is ready, goes to the worker: its task; null: there is no head. `task`: the engine's, for its token. */
export function giveHead(
  world: World,
  request: Request,
  instance: Instance,
  task: unknown,
  grantedBy: number | null,
): Fields | null {
  admitDue(world, instance);
  const head = headOf(instance);
  if (head === null) return null;
  if (head.holder !== null) expire(world, instance, head);
  begin(world, instance, head, request, isFields(task) ? String(task.token) : "", grantedBy);
  const token = new Expectation(
    "a new token",
    (given) => typeof given === "string" && isNew(instance, head, given),
  );
  return showTask(world, instance, head, token);
}

/** What a worker is given with the turn that it holds. */
export function showTask(world: World, instance: Instance, head: Turn, token: Expectation | string): Fields {
  const { state, workflow_type, lease_ms } = instance;
  const migratesTo = head.holder?.migratesTo ?? null;
  return {
    workflow_type,
    state,
    turn: showTurn(world, instance, head),
    token,
    lease_ms,
    effect_prefix: effectPrefix(world, instance, head),
    migration: migratesTo === null ? null : { from: instance.version, to: migratesTo },
  };
}

function begin(
  world: World,
  instance: Instance,
  head: Turn,
  request: Request,
  token: string,
  grantedBy: number | null,
): void {
  const wait = head.steps.at(-1);
  if (head.waiting_for === "signal" && wait !== undefined) wait.output = { received: false, value: null };
  if (!goesOn(head)) head.attempt += 1;
  head.status = "running";
  head.waiting_for = null;
  head.version = instance.version;
  const deadline_ms = world.nowMs + instance.lease_ms;
  const migratesTo = served(request, instance)?.migratesTo ?? null;
  head.holder = { worker: String(request.worker), token, deadline_ms, migratesTo, grantedBy };
  instance.firstDeadlineMs = deadline_ms;
  touch(world, instance, head);
}

function isNew(instance: Instance, head: Turn, token: string): boolean {
  return (
    instance.turns.every(({ last, operation }) => last?.token !== token && operation?.token !== token) &&
    token !== "" &&
    head.holder?.token === token
  );
}

/** The scope of an effect id: the graph, the instance and its life, the turn and its message. */
function effectPrefix(world: World, instance: Instance, turn: Turn): Expectation {
  const end = `/${turn.number}/${turn.message_id}`;
  return new Expectation(`…/${instance.id}/<life>${end}`, (prefix) => {
    if (typeof prefix !== "string" || !prefix.endsWith(end)) return false;
    const [life, id] = prefix.slice(0, -end.length).split("/").reverse();
    return id === instance.id && isLife(world, instance, life);
  });
}

/** Deferred messages become turns with the claim that finds them due, in the order of their times. */
function admitDue(world: World, instance: Instance): void {
  const { nowMs } = world;
  const due = instance.deferred.filter(({ due_at_ms }) => due_at_ms <= nowMs);
  due.sort((a, b) => a.due_at_ms - b.due_at_ms);
  instance.deferred = instance.deferred.filter(({ due_at_ms }) => due_at_ms > nowMs);
  for (const one of due)
    append(
      instance,
      { ...one, message: jsonOf(one.message) },
      { nowMs, receivedMs: one.received_at_ms, readyMs: one.due_at_ms },
    );
}
