/**
 * The exact model: message workflows with a clock, one command after another, in plain mutable objects.
 *
 * Written from seed 000 and the contract, apart from the engine's code. `scenarios/compare` gives it and the engine the
 * same commands at the same times and compares every answer. It has no store, no index, no conditions and no faults: an
 * instance is an object, a command changes it.
 *
 * Where the documents are silent the model decides by their spirit; each decision has a number and stands in the file
 * that holds it: S1, S6 to S9, S18 and S22 in `workers.ts`, S2 and S3 in `attempts.ts`, S4 in `show.ts`, S5, S10 and S19 in
 * `senders.ts`, S11 in `size.ts`, S12 in `families.ts`, S13 in `model.ts`, S14 in `retention.ts`, S15 and S16 in
 * `lifetimes.ts`, S17 in `reads.ts`, S20 and S21 in `grants.ts`.
 *
 * Does not own what a store, a lost answer or a second node can do to a call: that is the simulator's.
 */
import type { Json } from "../../../src/std/json.ts";

export interface Step {
  readonly key: string;
  readonly kind: "step" | "sleep" | "signal";
  output: Json;
  readonly at_ms: number;
  readonly delay_ms: number | null;
  readonly wake_at_ms: number | null;
  readonly signal_name: string | null;
  readonly child_id: string | null;
}

export interface Signal {
  readonly id: string;
  readonly name: string;
  readonly value: Json;
  readonly at_ms: number;
  consumed_by: string | null;
}

export interface Operation {
  readonly key: string;
  readonly kind: string;
  readonly attempt: number;
  readonly token: string;
  readonly started_at_ms: number;
  readonly deadline_ms: number;
  readonly timeout_ms: number;
  readonly heartbeat_timeout_ms: number | null;
  last_heartbeat_ms: number;
  sequence: number;
  details: Json;
  checkpoint: Json;
}

export interface Holder {
  readonly worker: string;
  readonly token: string;
  deadline_ms: number;
  /** The version that it has to migrate to first. */
  migratesTo: string | null;
  /** The turn whose completion began the attempt (S20); null: a claim of its own did, or a message's admission. */
  readonly grantedBy: number | null;
}

export interface Last {
  readonly worker: string;
  readonly token: string;
  readonly end: "completed" | "failed" | "expired" | "suspended" | "deferred" | "cancelled";
}

/** The turn that waits for the end of this one. */
export interface ReplyTo {
  readonly workflow_id: string;
  /** The instance itself: a later one under the same id is another one. */
  readonly parent: Instance;
  readonly turn: number;
  readonly name: string;
}

export type TurnStatus = "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";

export interface Turn {
  readonly number: number;
  readonly message_id: string;
  readonly message: Json;
  version: string;
  readonly migrations: { readonly from: string; readonly to: string; readonly at_ms: number }[];
  readonly origin: Json;
  status: TurnStatus;
  waiting_for: "sleep" | "signal" | "retry" | "capacity" | null;
  attempt: number;
  forgiven: number;
  readonly created_at_ms: number;
  updated_at_ms: number;
  ready_at_ms: number;
  readonly steps: Step[];
  readonly signals: Signal[];
  operation: Operation | null;
  holder: Holder | null;
  last: Last | null;
  result: Json;
  state_after: Json;
  /** What completed it. */
  completion: {
    readonly state: Json;
    readonly result: Json;
    readonly continuation: Json;
    readonly steps: Json;
  } | null;
  /** The text of a failure, or `OWN_WORDS` when the engine chose it. */
  error: string | null;
  skipped: boolean;
  finished_at_ms: number | null;
  reply_to: ReplyTo | null;
  continued_to: number | null;
  readonly counter: Counter;
}

/** A change counter: the engine's number that was seen last, and how many changes there were by then and by now. */
export interface Counter {
  seen: number;
  seenChanges: number;
  changes: number;
}

export function newCounter(): Counter {
  return { seen: 0, seenChanges: 0, changes: 1 };
}

export interface Deferred {
  readonly id: string;
  readonly message: Json;
  readonly origin: Json;
  readonly received_at_ms: number;
  readonly due_at_ms: number;
}

export interface Instance {
  readonly id: string;
  readonly workflow_type: string;
  version: string;
  readonly lease_ms: number;
  readonly max_attempts: number;
  readonly on_exhausted: string;
  /** What an identical creation asks. */
  readonly creation: Json;
  readonly created_at_ms: number;
  updated_at_ms: number;
  paused: boolean;
  state: Json;
  /** Turn n at index n - 1. */
  readonly turns: Turn[];
  deferred: Deferred[];
  /** All turns before this index are finished. */
  headFrom: number;
  finished: number;
  readonly counter: Counter;
  /** Finished turns up to this number are gone; the engine has chosen it if it is above `prunedAtLeast`. */
  pruned: number;
  prunedAtLeast: number;
  prunedAtMost: number;
  /** Values that were put beside it, by the name that the engine gave them. */
  readonly blobs: Map<string, Json>;
  /** The engine's name of this life, as answers showed it; null: none has. */
  incarnation: string | null;
  /** The children that its turns have started, by turn and step. */
  readonly children: Map<string, string>;
  /** Finished turns up to this number have told whoever waits for their end. */
  toldThrough: number;
  /** When the lease that began the present attempt would have ended without a renewal. */
  firstDeadlineMs: number;
}

/** What a graph's configuration says, as far as it matters here. */
export interface Rules {
  readonly mostInstances: number;
  /** The newest finished turns that are kept whatever their age; 0 keeps all. */
  readonly keepTurns: number;
  readonly keepMs: number;
  /** Whether the graph has to be created first. */
  readonly hasGraphs: boolean;
}

/** A claim that waits for work, with what the engine gave it, and what it had to be given; null: nothing. */
export interface Waiting {
  readonly request: { readonly [field: string]: unknown };
  readonly given: unknown;
  expected: { readonly [field: string]: unknown } | null;
}

export class World {
  nowMs: number;
  readonly rules: Rules;
  readonly instances = new Map<string, Instance>();
  /** Names of lives that have ended: none comes again. */
  readonly ended = new Set<string>();
  /** Replies of children of which only the engine knows whether, and how, they fit into the turn that waits. */
  readonly openReplies: { parent: Instance; turn: Turn; id: string; name: string }[] = [];
  /** The claim that waits, if one does. */
  waiting: Waiting | null = null;
  /** Rare things that the last commands came to, for a comparison that has to have seen each. */
  readonly deeds: string[] = [];
  /** Ids whose instance was deleted. */
  readonly deleted = new Set<string>();
  /** How often the graph was created, and whether it is there. */
  graph: { epoch: number; live: boolean };

  constructor(nowMs: number, rules: Rules) {
    this.nowMs = nowMs;
    this.rules = rules;
    this.graph = { epoch: 0, live: !rules.hasGraphs };
  }
}

export function isFinished(turn: Turn): boolean {
  return turn.status === "completed" || turn.status === "cancelled" || turn.skipped;
}

/** The turn with that number, unless retention has taken it. */
export function turnOf(instance: Instance, number: unknown): Turn | undefined {
  return typeof number === "number" && number > instance.pruned ? instance.turns[number - 1] : undefined;
}

/** The first unfinished turn; turns before it have moved to history. */
export function headOf(instance: Instance): Turn | null {
  const { turns } = instance;
  for (let turn = turns[instance.headFrom]; turn !== undefined; turn = turns[instance.headFrom]) {
    if (!isFinished(turn)) return turn;
    instance.headFrom += 1;
  }
  return null;
}

export function pendingOf(instance: Instance): number {
  return instance.turns.length - instance.finished + instance.deferred.length;
}

/** Something of the turn changes now. */
export function touch(world: World, instance: Instance, turn: Turn): void {
  turn.updated_at_ms = world.nowMs;
  turn.counter.changes += 1;
  touchInstance(world, instance);
}

export function touchInstance(world: World, instance: Instance): void {
  instance.updated_at_ms = world.nowMs;
  instance.counter.changes += 1;
}

/** A new turn at the end of the inbox. */
export function append(
  instance: Instance,
  admitted: { readonly id: string; readonly message: Json; readonly origin: Json },
  times: { readonly nowMs: number; readonly receivedMs: number; readonly readyMs: number },
): Turn {
  const turn: Turn = {
    number: instance.turns.length + 1,
    message_id: admitted.id,
    message: admitted.message,
    version: instance.version,
    migrations: [],
    origin: admitted.origin,
    status: "queued",
    waiting_for: null,
    attempt: 0,
    forgiven: 0,
    created_at_ms: times.receivedMs,
    updated_at_ms: times.nowMs,
    ready_at_ms: times.readyMs,
    steps: [],
    signals: [],
    operation: null,
    holder: null,
    last: null,
    result: null,
    state_after: null,
    completion: null,
    error: null,
    skipped: false,
    finished_at_ms: null,
    reply_to: null,
    continued_to: null,
    counter: newCounter(),
  };
  instance.turns.push(turn);
  instance.counter.changes += 1;
  return turn;
}
