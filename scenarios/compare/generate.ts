/**
 * Random commands that make sense of the model: mostly the right turn, token and place, often enough a wrong one.
 *
 *   G1  a command is drawn from its own seed and resolved against the model as it stands, so a list of seeds with some left
 *       out still asks for what is there.
 *   G2  names are made of seeds and instances are meant by name, so that a command asks for the same thing when others
 *       before it are left out.
 *   G3  what cannot succeed now is mostly exchanged for what makes it possible: an instance before anything else, a message
 *       before a claim, a claim before work, the passing of time before a claim that is too early.
 *   G4  one of the last requests is asked again now and then, as it was or with one field changed: repeats, and repeats that
 *       are none.
 *   G5  at most one thing is wrong in a request by itself: which of two the engine names first is nobody's business.
 *
 * The generator knows the model and no engine. A claim waits only where a message goes with it (`episode.ts`, E2).
 */
import { isOver } from "../oracle/exact/attempts.ts";
import type { Caller, Command } from "../oracle/exact/model.ts";
import { momentsOf } from "../oracle/exact/show.ts";
import { headOf, type Instance, type Turn, type World } from "../oracle/exact/world.ts";
import { Draws } from "./draws.ts";
import { foldedSteps, served, versionOf } from "./handoffs.ts";
import type { Profile } from "./profiles.ts";
import { detailsOf, originOf, someValue, withWrongField } from "./values.ts";

/** What an episode remembers of its own commands. */
export interface Memory {
  /** The last ones that were no reads. */
  readonly recent: Command[];
  /** Ids that were given to messages and signals. */
  readonly names: string[];
}

type Request = { readonly [field: string]: unknown };

interface Scene {
  readonly draws: Draws;
  readonly world: World;
  readonly memory: Memory;
  readonly profile: Profile;
}

const KIB = 1024;
const RECENT = 24;

/** How long time passes, or a command. */
export function generate(
  seed: number,
  world: World,
  memory: Memory,
  profile: Profile,
): { readonly passMs: number } | Command {
  const draws = new Draws(seed);
  const scene = { draws, world, memory, profile };
  const kind = steered(scene, kindOf(draws, profile));
  if (kind === "time") return { passMs: passing(scene) };
  const earlier = kind === "again" ? repeated(scene) : undefined;
  const operation = earlier?.operation ?? (kind === "again" ? "claim" : kind);
  const own = earlier?.request ?? (REQUESTS[operation] ?? claim)(scene);
  const other = earlier !== undefined && draws.chance(50) ? otherwise(scene, own) : own;
  const right = draws.chance(profile.namingPercent) ? namingBlob(scene, other) : other;
  const caller = callerOf(draws, profile);
  memory.recent.push({ caller, operation, request: right });
  if (memory.recent.length > RECENT) memory.recent.shift();
  // One thing is wrong at most: which of two is named is nobody's business.
  const isWrong = other === own && draws.chance(profile.wrongPercent);
  return { caller, operation, request: isWrong ? withWrongField(draws, operation, right) : right };
}

/** One of the last; often a completion that was given the next turn, because that is told again only while it is held. */
function repeated({ draws, memory, world }: Scene): Command | undefined {
  const any = draws.oneOf(memory.recent);
  if (!draws.chance(40)) return any;
  const holds = ({ workflow_id, turn }: Request) => {
    const instance = world.instances.get(String(workflow_id));
    return instance !== undefined && headOf(instance)?.holder?.grantedBy === turn;
  };
  return memory.recent.find(({ operation, request }) => operation === "complete" && holds(request)) ?? any;
}

/** By the weights of the profile. */
function kindOf(draws: Draws, { weights }: Profile): string {
  let total = 0;
  for (const kind in weights) total += weights[kind] ?? 0;
  let left = draws.below(total);
  for (const kind in weights) {
    left -= weights[kind] ?? 0;
    if (left < 0) return kind;
  }
  return "claim";
}

/** Mostly what can succeed: an instance before anything else, a message before a claim, a claim before work. */
function steered({ draws, world, profile }: Scene, kind: string): string {
  if (!world.graph.live && draws.chance(60)) return "createGraph";
  if (draws.chance(10) || kind === "createInstance") return kind;
  const { size } = world.instances;
  if (size < Math.min(2, profile.instances)) return "createInstance";
  if (!WORK.has(kind)) return kind;
  if (anyThat(world, migrates) && draws.chance(40)) return "migrate";
  if (kind === "progress" && !anyThat(world, operates)) return "operation";
  if (anyThat(world, isHeld)) return kind;
  if (anyThat(world, isReady)) return "claim";
  return draws.pick(
    anyThat(world, isAhead) ? ["time", "time", "claim", "sendMessage"] : ["sendMessage", "control"],
  );
}

/** Whether there is work that may become ready by itself. */
const isAhead: Wanted = (_, instance) => {
  const head = headOf(instance);
  return head !== null && !instance.paused && head.status !== "failed";
};

/** Whether a claim would find the head ready. */
const isReady: Wanted = (world, instance) => {
  const head = headOf(instance);
  if (head === null || !isAhead(world, instance)) return false;
  return head.holder === null ? head.ready_at_ms <= world.nowMs : isOver(world, head);
};

/** What only the holder of a turn can do. */
const WORK = new Set(
  "heartbeat operation progress checkpoint waitSignal complete fail requeue migrate startChild".split(" "),
);

/** Mostly an ordinary key. */
function callerOf(draws: Draws, { keyPercent }: Profile): Caller {
  if (draws.chance(keyPercent)) return "key";
  return draws.pick(["own", "own", "person"]);
}

/** To just before, at or just after a moment that matters, or some time. */
function passing({ draws, world }: Scene): number {
  const moments = [...world.instances.values()].flatMap((instance) => momentsOf(instance));
  const next = draws.chance(60)
    ? Math.min(...moments.filter((at) => at > world.nowMs))
    : draws.oneOf(moments);
  const toNext = (next ?? 0) + draws.below(3) - 1 - world.nowMs;
  if (draws.chance(75) && toNext > 0 && Number.isFinite(toNext)) return toNext;
  return draws.pick([1, 1, 10, 100, 100, 1_000, 1_000, 5_000, 61_000, 500_000]);
}

/** One field of another request's kind: a repeat that is none. */
function otherwise({ draws, profile }: Scene, request: Request): Request {
  const fields = Object.keys(request).filter(
    (field) => !["workflow_id", "workflows", "wait_ms"].includes(field),
  );
  const field = draws.oneOf(fields);
  if (field === undefined) return request;
  const value = request[field];
  if (field === "token") return { ...request, token: "nobody" };
  if (field === "kind") return request;
  if (field === "next")
    return { ...request, next: draws.chance(30) ? undefined : served(draws, profile.types) };
  if (field === "steps") return { ...request, steps: undefined };
  if (typeof value === "number") return { ...request, [field]: value + draws.pick([1, -1, 1_000]) };
  if (VALUES.includes(field))
    return { ...request, [field]: someValue(draws, profile.largePercent, 32 * KIB) };
  return field === "error" ? { ...request, error: "otherwise" } : request;
}

/** The request with the name of a blob in place of a value. */
function namingBlob(scene: Scene, request: Request): Request {
  const field = VALUES.find((name) => request[name] !== undefined);
  const instance = scene.world.instances.get(String(request.workflow_id));
  if (field === undefined || instance === undefined || request.kind === "sleep") return request;
  return { ...request, [field]: { named: [referenceOf(scene, instance)] } };
}

/** Fields that hold any JSON. */
const VALUES = ["state", "message", "value", "output", "result", "checkpoint"];

/** Mostly by its name, so that the same seed means the same instance when others are left out. */
function instanceOf({ draws, world, profile }: Scene): Instance | undefined {
  const named = world.instances.get(`i${draws.below(profile.instances)}`);
  const other = draws.next();
  if (named !== undefined && other % 5 > 0) return named;
  return [...world.instances.values()][other % world.instances.size];
}

/** Whether an attempt holds the head and its time is not over. */
const isHeld: Wanted = (world, instance) => {
  const head = headOf(instance);
  return head?.holder != null && !isOver(world, head);
};

type Wanted = (world: World, instance: Instance) => boolean;

/** Mostly an instance of the kind that is wanted, if there is one. */
function instanceThat(scene: Scene, wanted: Wanted): Instance | undefined {
  const { draws, world } = scene;
  const first = instanceOf(scene);
  if (first === undefined || wanted(world, first) || draws.chance(8)) return first;
  for (const one of world.instances.values()) if (wanted(world, one)) return one;
  return first;
}

/** Whether there is a turn to name. */
const hasTurns: Wanted = (_, { turns }) => turns.length > 0;

/** Whether the attempt that holds the head runs an operation. */
const operates: Wanted = (world, instance) => {
  const head = headOf(instance);
  return isHeld(world, instance) && head !== null && head.operation?.token === head.holder?.token;
};

/** Whether the attempt that holds the head has to migrate first. */
const migrates: Wanted = (world, instance) =>
  isHeld(world, instance) && headOf(instance)?.holder?.migratesTo != null;

const canWork: Wanted = (world, instance) => isHeld(world, instance) && !migrates(world, instance);

function anyThat(world: World, wanted: Wanted): boolean {
  for (const instance of world.instances.values()) if (wanted(world, instance)) return true;
  return false;
}

/** Now and then an id that nobody has. */
function idOf(scene: Scene, instance: Instance | undefined): string {
  return instance === undefined || scene.draws.chance(2) ? "nowhere" : instance.id;
}

/** Mostly the head; else one that is finished, that waits, or that is not there. */
function turnOf({ draws }: Scene, instance: Instance | undefined): number {
  const head = instance === undefined ? null : headOf(instance);
  if (head !== null && draws.chance(80)) return head.number;
  return 1 + draws.below((instance?.turns.length ?? 0) + 1);
}

/** A fresh name, made of the seed, or one that was given before. */
function nameOf({ draws, memory }: Scene, prefix: string): string {
  const known = memory.names[draws.below(Math.max(1, memory.names.length))];
  const fresh = `${prefix}${draws.below(100_000)}`;
  if (draws.chance(12) && known !== undefined) return known;
  memory.names.push(fresh);
  return fresh;
}

/** The name of a blob, mostly of the instance. */
function referenceOf({ draws, world }: Scene, instance: Instance | undefined): string {
  const names = [...world.instances.values()].flatMap(({ blobs }) => [...blobs.keys()]);
  const [oldest, ...others] = [...(instance?.blobs.keys() ?? [])];
  const own = draws.chance(85) ? (draws.chance(50) ? oldest : draws.oneOf(others)) : undefined;
  return own ?? draws.oneOf(names) ?? draws.pick(["blob:", "blob:000000000001-00000000-none"]);
}

interface Attempt {
  readonly lease: Request;
  readonly turn: Turn | undefined;
}

/** Mostly the attempt that holds the head of an instance where the call can succeed. */
function attemptOf(scene: Scene, wanted: Wanted = canWork): Attempt {
  const { draws } = scene;
  const instance = instanceThat(scene, wanted);
  const head = instance === undefined ? null : headOf(instance);
  const number = head !== null && draws.chance(90) ? head.number : turnOf(scene, instance);
  const turn = instance?.turns[number - 1];
  const tokens = [turn?.last?.token, turn?.operation?.token, "nobody"];
  const token = (draws.chance(90) ? turn?.holder?.token : undefined) ?? draws.oneOf(tokens) ?? "nobody";
  return { lease: { workflow_id: idOf(scene, instance), turn: number, token }, turn };
}

/** Where the next step goes, and under which key. */
function placeOf(
  { draws }: Scene,
  turn: Turn | undefined,
): { readonly position: number; readonly key: string } {
  const next = turn?.steps.length ?? 0;
  const position = draws.chance(92) ? next : draws.below(next + 3);
  const own = turn?.operation?.key;
  const key =
    own !== undefined && draws.chance(80) ? own : `k${draws.chance(92) ? next : draws.below(next + 2)}`;
  return { position, key };
}

/** What an instance is made of. */
function creation({ draws, profile }: Scene): Request {
  const request: { [field: string]: unknown } = {
    workflow_type: draws.pick(profile.types),
    version: versionOf(draws),
    state: someValue(draws, profile.largePercent, 64 * KIB),
  };
  if (draws.chance(80)) request.lease_ms = draws.pick([1_000, 5_000, 60_000]);
  if (draws.chance(70)) request.max_attempts = draws.pick([1, 2, 3]);
  return request;
}

/** Ids come from a small pool, so that creations meet what is there. */
function createInstance(scene: Scene): Request {
  const { draws } = scene;
  const reserved = scene.profile.keyPercent < 100 && draws.chance(15);
  const id = reserved ? "calibration" : `i${draws.below(scene.profile.instances)}`;
  const request = { id, ...creation(scene) };
  return draws.chance(40) ? { ...request, on_exhausted: draws.pick(["block", "skip"]) } : request;
}

function claim({ draws, profile }: Scene): Request {
  return served(draws, profile.types);
}

function sendMessage(scene: Scene): Request {
  const { draws, profile } = scene;
  const id = nameOf(scene, "m");
  const message = someValue(draws, profile.largePercent, 32 * KIB);
  const request = { workflow_id: idOf(scene, instanceOf(scene)), id, message };
  return draws.chance(30) ? { ...request, origin: originOf(draws) } : request;
}

/** Mostly for an instance that has nothing to do, by a worker of its version. */
function handOver(scene: Scene): Request {
  const { draws } = scene;
  const instance = instanceThat(scene, (_, one) => headOf(one) === null);
  const send = { ...sendMessage(scene), workflow_id: idOf(scene, instance) };
  const asked = claim(scene);
  if (instance === undefined || draws.chance(25)) return { claim: asked, send };
  const { workflow_type, version } = instance;
  return { claim: { ...asked, workflows: [{ workflow_type, version }] }, send };
}

const REQUESTS: { readonly [operation: string]: (scene: Scene) => Request } = {
  createInstance,
  claim,
  sendMessage,
  handOver,
  signal: (scene) => {
    const { draws, profile } = scene;
    const instance = instanceThat(scene, hasTurns);
    const id = nameOf(scene, "e");
    const value = someValue(draws, profile.largePercent, 32 * KIB);
    const turn = turnOf(scene, instance);
    return { workflow_id: idOf(scene, instance), turn, id, name: draws.pick(["go", "go", "stop"]), value };
  },
  control: (scene) => {
    const { draws } = scene;
    const instance = instanceThat(scene, hasTurns);
    const action = draws.pick(["pause", "resume", "resume", "retry", "retry", "skip", "cancel_turn", "wake"]);
    const isOnTurn = action === "retry" || action === "skip" || action === "cancel_turn";
    const named = action === "wake" && draws.chance(50) ? 1 + draws.below(4) : turnOf(scene, instance);
    const turn = isOnTurn || draws.chance(30) ? { turn: named } : {};
    return { workflow_id: idOf(scene, instance), action, ...turn };
  },
  heartbeat: (scene) => attemptOf(scene).lease,
  operation: (scene) => {
    const { draws } = scene;
    const { lease, turn } = attemptOf(scene);
    const { position, key } = placeOf(scene, turn);
    const request = { ...lease, position, key, kind: draws.pick(["step", "model", "tool"]) };
    const timeout_ms = draws.pick([100, 1_000, 5_000, 24 * 3_600_000]);
    if (draws.chance(15)) return request;
    return draws.chance(50)
      ? { ...request, timeout_ms }
      : { ...request, timeout_ms, heartbeat_timeout_ms: draws.pick([100, timeout_ms, null]) };
  },
  progress: (scene) => {
    const { draws, profile } = scene;
    const { lease, turn } = attemptOf(scene, operates);
    const running = turn?.operation;
    const key = running !== null && running !== undefined && draws.chance(95) ? running.key : "other";
    const sequence = Math.max(1, (running?.sequence ?? 0) + draws.pick([1, 1, 1, 1, 5, 0, -1]));
    const details = detailsOf(draws, profile.largePercent);
    return { ...lease, key, sequence, details, checkpoint: someValue(draws, profile.largePercent, 32 * KIB) };
  },
  checkpoint: (scene) => {
    const { draws, profile } = scene;
    const { lease, turn } = attemptOf(scene);
    const place = placeOf(scene, turn);
    if (draws.chance(20) && profile.name !== "many steps") {
      const output = draws.chance(50) ? { output: null } : {};
      return { ...lease, ...place, kind: "sleep", ...output, delay_ms: draws.pick([0, 1, 500, 60_000]) };
    }
    return { ...lease, ...place, kind: "step", output: someValue(draws, profile.largePercent, 64 * KIB) };
  },
  waitSignal: (scene) => {
    const { draws } = scene;
    const { lease, turn } = attemptOf(scene);
    const name = draws.pick(["go", "go", "stop"]);
    return { ...lease, ...placeOf(scene, turn), name, timeout_ms: draws.pick([1, 500, 5_000, 60_000]) };
  },
  complete: (scene) => {
    const { draws, profile } = scene;
    const state = someValue(draws, profile.largePercent, 64 * KIB);
    const { lease, turn } = attemptOf(scene);
    const request = { ...lease, state };
    const continuation = { message: someValue(draws, profile.largePercent, 32 * KIB) };
    const result = draws.chance(70) ? { result: someValue(draws, profile.largePercent, 64 * KIB) } : {};
    return {
      ...request,
      ...result,
      ...(draws.chance(25) ? { continuation } : draws.pick([{}, { continuation: null }])),
      ...(draws.chance(35) ? { steps: foldedSteps(draws, turn, profile.largePercent) } : {}),
      ...(draws.chance(50) ? { next: claim(scene) } : {}),
    };
  },
  fail: (scene) => {
    const { draws, world } = scene;
    const request = { ...attemptOf(scene).lease, error: draws.pick(["boom", "bang", ""]) };
    if (draws.chance(60)) return draws.chance(40) ? { ...request, non_retryable: draws.chance(70) } : request;
    const retry_at_ms = world.nowMs + draws.pick([999, 1_000, 1_001, 30_000, 500_000]);
    if (draws.chance(8))
      return { ...request, retry_at_ms, ...draws.pick([{ non_retryable: true }, { reason: "rain" }]) };
    return draws.chance(30) ? { ...request, retry_at_ms, reason: "capacity" } : { ...request, retry_at_ms };
  },
  requeue: (scene) => {
    const { draws, profile } = scene;
    const instances = [{ instance: draws.pick(["a", "b"]), error: "later" }];
    const request = { ...attemptOf(scene).lease, key: draws.pick(["r1", "r2"]), instances };
    return draws.chance(30)
      ? { ...request, message: someValue(draws, profile.largePercent, 32 * KIB) }
      : request;
  },
  migrate: (scene) => {
    const { draws, profile } = scene;
    const { lease, turn } = attemptOf(scene, migrates);
    const to = turn?.holder?.migratesTo ?? turn?.migrations.at(-1)?.to ?? draws.pick(["v1", "v2"]);
    const from = draws.chance(85) ? (turn?.migrations.at(-1)?.from ?? (to === "v2" ? "v1" : "v2")) : "v3";
    return { ...lease, from, to, state: someValue(draws, profile.largePercent, 64 * KIB) };
  },
  startChild: (scene) => {
    const { draws, profile } = scene;
    const { lease, turn } = attemptOf(scene);
    const message = someValue(draws, profile.largePercent, 32 * KIB);
    const timeout_ms = draws.pick([500, 60_000, 500_000]);
    return { ...lease, ...placeOf(scene, turn), ...creation(scene), message, timeout_ms };
  },
  deleteInstance: (scene) => ({ workflow_id: idOf(scene, instanceOf(scene)) }),
  createGraph: () => ({}),
  deleteGraph: () => ({}),
  reconcile: () => ({}),
  putBlob: (scene) => {
    const { draws, profile } = scene;
    return {
      workflow_id: idOf(scene, instanceOf(scene)),
      value: someValue(draws, profile.largePercent, 8 * KIB),
    };
  },
  getBlob: (scene) => {
    const instance = instanceOf(scene);
    return { workflow_id: idOf(scene, instance), reference: referenceOf(scene, instance) };
  },
  getInstance: (scene) => ({ id: idOf(scene, instanceOf(scene)) }),
  getTurn: (scene) => {
    const instance = instanceThat(scene, hasTurns);
    return { workflow_id: idOf(scene, instance), turn: turnOf(scene, instance) };
  },
  history: (scene) => {
    const page = scene.draws.pick<Request>([
      {},
      { after: 1 },
      { limit: 1 },
      { after: 2, limit: 2 },
      { after: null },
    ]);
    return { workflow_id: idOf(scene, instanceOf(scene)), ...page };
  },
  inbox: (scene) => {
    const page = scene.draws.pick<Request>([
      {},
      { after: 1 },
      { limit: 1 },
      { after: 2, limit: 2, payloads: true },
    ]);
    return { workflow_id: idOf(scene, instanceOf(scene)), ...page };
  },
  typeInbox: ({ draws, profile }) => {
    const page = draws.pick<Request>([
      {},
      { version: "v1" },
      { after: "i1" },
      { limit: 1 },
      { version: null, limit: 2 },
    ]);
    return { workflow_type: draws.pick(profile.types), ...page };
  },
  listInstances: ({ draws }) =>
    draws.pick<Request>([{}, { after: "i1" }, { limit: 1 }, { after: "i0", limit: 2 }]),
};
