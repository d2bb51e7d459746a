/**
 * The exact model as one function: a command and what the engine said to it, and what the engine had to say.
 *
 * The engine's answer is looked at for nothing but what only the engine can choose: the instance and the token of a
 * claim, the name of a child, a refusal for size between two bounds (`size.ts`).
 *
 *   S13  fields are checked before anything else, then who asks. What is stored is looked at afterwards: first whether the
 *        instance is there, then whether the caller may touch it, then the turn. A completion that asks for the next turn
 *        asks for its types as a claim does, before anything stored is looked at.
 */
import { give, type Outlook, reconcile } from "./claims.ts";
import { migrate, requeue, startChild, tell } from "./families.ts";
import { checkFields, isFields, type Request } from "./fields.ts";
import { completeAndClaim, sendToWaiting } from "./grants.ts";
import { createGraph, deleteGraph, deleteInstance, getBlob, givenUpIn, putBlob } from "./lifetimes.ts";
import { getInstance, getTurn, history, inbox, listInstances, typeInbox } from "./reads.ts";
import { type Answer, answer, type Refusal, refuse } from "./refusal.ts";
import { control, createInstance, instanceOf, signal } from "./senders.ts";
import * as workers from "./workers.ts";
import type { World } from "./world.ts";

/** Who asks: the operator's own worker, a person, or an ordinary key. */
export type Caller = "own" | "person" | "key";

export interface Command {
  readonly caller: Caller;
  readonly operation: string;
  readonly request: Request;
}

/** What the engine said: a value, or a refusal's code. */
export type Said =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string };

type Reading = (world: World, request: Request) => Answer;

/** Without a graph nothing else is there. */
const ON_GRAPHS = new Set(["createGraph", "deleteGraph", "reconcile"]);

const READS: { readonly [operation: string]: Reading } = {
  getInstance,
  getTurn,
  history,
  inbox,
  typeInbox,
  listInstances,
};

const TURN_WRITES: { readonly [operation: string]: (call: workers.Call) => Answer } = {
  heartbeat: workers.heartbeat,
  operation: workers.operation,
  progress: workers.progress,
  checkpoint: workers.checkpoint,
  waitSignal: workers.waitSignal,
  fail: workers.fail,
  migrate,
  requeue,
};

const RESERVED_IDS: readonly unknown[] = ["model-checks", "search-tuning", "model-trials", "calibration"];
const RESERVED_TYPE = refuse("forbidden", "reserved_workflow_type");

function isReserved(type: unknown): boolean {
  return typeof type === "string" && type.startsWith("lbb.");
}

/** What the engine has to answer; a text: why it may not answer as it did. */
export function execute(world: World, command: Command, said: Said, outlook: Outlook): Answer | string {
  const { operation, request } = command;
  if (!world.graph.live && !ON_GRAPHS.has(operation)) return refuse("not-found", "graph_not_found");
  const wrong = checkFields(operation, request) ?? forbidden(world, command);
  if (wrong !== null) return wrong;
  const givenUp = givenUpIn(world, request);
  if (!said.ok && said.code === "blob_gone")
    return givenUp.length > 0 ? refuse("conflict", "blob_gone") : "every blob that it names is there";
  const expected = decide(world, command, said, outlook);
  tell(world);
  return expected;
}

function decide(
  world: World,
  { caller, operation, request }: Command,
  said: Said,
  outlook: Outlook,
): Answer | string {
  const engineCode = said.ok ? null : said.code;
  const read = READS[operation];
  if (read !== undefined) return read(world, request);
  const write = TURN_WRITES[operation];
  if (write !== undefined) return workers.onTurn(world, request, engineCode, write);
  switch (operation) {
    case "createInstance":
      return createInstance(world, request);
    case "sendMessage":
      return sendToWaiting(world, request);
    case "signal":
      return signal(world, request, engineCode);
    case "control":
      return control(world, request);
    case "deleteInstance":
      return deleteInstance(world, request);
    case "createGraph":
      return createGraph(world);
    case "deleteGraph":
      return deleteGraph(world);
    case "putBlob":
      return putBlob(world, request);
    case "getBlob":
      return getBlob(world, request, engineCode);
    case "reconcile":
      return reconcile(world);
    case "complete":
      return completeAndClaim(world, request, engineCode, said.ok ? said.value : null);
    case "startChild": {
      const barred = caller !== "own" && isReserved(request.workflow_type) ? RESERVED_TYPE : null;
      const value = said.ok ? said.value : null;
      return workers.onTurn(world, request, engineCode, (call) => startChild(call, barred, value));
    }
    default:
      return claim(world, request, said, outlook);
  }
}

function claim(world: World, request: Request, said: Said, { ready }: Outlook): Answer | string {
  if (!said.ok) return answer("a task or none");
  if (said.value === null) {
    return ready === null ? answer(null) : `nothing was claimed although ${ready.id} is ready`;
  }
  const task = give(world, request, said.value);
  return typeof task === "string" ? task : answer(task);
}

/** S13: what the caller may not do, by the request or by the type of the instance; null: it may. */
function forbidden(world: World, { caller, operation, request }: Command): Refusal | null {
  if (caller === "own" || READS[operation] !== undefined || operation === "getBlob") return null;
  if (operation === "createInstance") {
    if (RESERVED_IDS.includes(request.id)) return refuse("forbidden", "reserved_workflow_id");
    return isReserved(request.workflow_type) ? RESERVED_TYPE : null;
  }
  if (operation === "claim") return asksReserved(request) ? RESERVED_TYPE : null;
  if (isFields(request.next) && asksReserved(request.next)) return RESERVED_TYPE;
  const instance = instanceOf(world, request.workflow_id);
  if (instance === undefined || !isReserved(instance.workflow_type)) return null;
  const isManaging = ["sendMessage", "signal", "control", "deleteInstance"].includes(operation);
  return caller === "person" && isManaging ? null : RESERVED_TYPE;
}

/** Whether a claim, or the part of a completion that is one, names a type that only the operator's own worker serves. */
function asksReserved({ workflows }: Request): boolean {
  const named: readonly unknown[] = Array.isArray(workflows) ? workflows : [];
  return named.some((one) => isFields(one) && isReserved(one.workflow_type));
}
