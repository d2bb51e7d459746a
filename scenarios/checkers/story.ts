/**
 * Histories made by hand, to show that a checker can fail. Only tests use it.
 *
 * A story begins as a sound little run: `order-1` is created, gets a message, is claimed, saves its one step,
 * completes, moves to history and is indexed. A test changes one place of it and asks a checker.
 *
 *   T1  times are virtual milliseconds from 0 and the clocks agree, unless the story skews one.
 *   T2  bodies are written here from the published format, stamps included; an edit may break any of it.
 *   T3  identity versions are named by what they do; further ones can be added at the end.
 */

import type {
  CallRecord,
  FaultKind,
  Incident,
  RunHistory,
  StoreOperation,
  Version,
} from "../../sim/index.ts";
import type { IndexEntry, Instance, Step, Turn, WriteStamp } from "../../src/index.ts";
import { sha256 } from "../../src/std/hash.ts";
import type { Json } from "../../src/std/json.ts";
import type { Effect } from "../systems/outside.ts";
import { completion, initialState, payloadOf, stepKey, stepOutput } from "../workloads/handler.ts";
import type { InstancePlan, MessagePlan } from "../workloads/workload.ts";
import { Facts } from "./facts.ts";
import { Decoder } from "./records.ts";
import { entryFor } from "./schedule.ts";

/** T3: the versions of the identity in the sound run. */
export type Moment = "created" | "admitted" | "claimed" | "saved" | "completed" | "dropped";

/** One write as the story tells it. */
interface Put {
  key: string;
  atMs: number;
  by: string;
  format: string;
  /** Without its stamp, which is made when the story is told. */
  document: unknown;
  stamped: boolean;
  stamp: Partial<WriteStamp>;
  /** Damages the body on its way. */
  damage: (body: string) => string;
}

const SPACE = { tenant: "local", graph: "main", epoch: "1" };
export const MESSAGE: MessagePlan = {
  id: "message-1",
  steps: 1,
  stepMs: 0,
  depth: 0,
  retryable: 0,
  fatal: false,
  duplicates: 0,
  duplicateAfterMs: 0,
  sendAtMs: 0,
};
export const PLAN: InstancePlan = {
  id: "order-1",
  workflow_type: "order",
  version: "v1",
  initialCount: 0,
  max_attempts: 3,
  lease_ms: 1_000,
  messages: [MESSAGE],
};
/** Of the id of the one message. */
const MARK = "neuI";
/** The token of the first attempt. */
export const TOKEN = "token-1";
const EFFECT = "local/main/1/order-1/life-1/1/message-1/step-0";
const HIDDEN_WITHIN_MS = 500;

export class Story {
  readonly decoder = new Decoder(SPACE);
  readonly calls: CallRecord[] = [];
  readonly effects: Effect[] = [];
  readonly incidents: Incident[] = [];
  readonly damaged: string[] = [];
  healedAtMs: number | null = 200;
  endedAtMs = 10_000;
  /** Whether the index is told by hand; otherwise it follows each identity version 5 ms later. */
  index: { atMs: number; entries: { [id: string]: IndexEntry } }[] | null = null;
  readonly #puts: Put[] = [];
  readonly #identity = new Map<Moment, Put>();

  constructor() {
    soundVersions(this);
    soundCalls(this);
    const attempt = { workflowId: "order-1", turn: 1, token: TOKEN, worker: "worker-1" };
    this.effects.push({ ...attempt, effectId: EFFECT, key: stepKey(0), atMs: 35 });
  }

  /** Adds a version of the identity, applied at `atMs`; `moment` names it for edits. */
  identity(value: Instance, atMs: number, moment: Moment | null = null, by = "node-1"): Put {
    const put = this.put(this.decoder.identityKey(value.id), "baton.instance.v1", value, atMs, by);
    put.stamped = true;
    if (moment !== null) this.#identity.set(moment, put);
    return put;
  }

  /** Adds an object under any key. */
  put(key: string, format: string, document: unknown, atMs: number, by = "node-1"): Put {
    const put = {
      key,
      atMs,
      by,
      format,
      document,
      stamped: false,
      stamp: {},
      damage: (body: string) => body,
    };
    this.#puts.push(put);
    return put;
  }

  /** The put of a moment, to change its time, writer or stamp. */
  at(moment: Moment): Put {
    const put = this.#identity.get(moment);
    if (put === undefined) throw new Error(`no moment ${moment}`);
    return put;
  }

  /** The document of a moment. */
  value(moment: Moment): Instance {
    const { document } = this.at(moment);
    // The documents of moments are put there by `identity`, which takes instances only.
    return document as Instance;
  }

  edit(moment: Moment, edit: (instance: Instance) => Instance): void {
    this.at(moment).document = edit(this.value(moment));
  }

  /** The same edit of each turn of the moment; there is one. */
  editTurn(moment: Moment, edit: Partial<Turn>): void {
    this.edit(moment, (value) => ({ ...value, turns: value.turns.map((turn) => ({ ...turn, ...edit })) }));
  }

  /** The puts under keys that contain the text. */
  under(text: string): Put[] {
    return this.#puts.filter((put) => put.key.includes(text));
  }

  /** Takes a version out, as if it had never been written. */
  remove(put: Put | undefined): void {
    if (put !== undefined) this.#puts.splice(this.#puts.indexOf(put), 1);
  }

  /** Adds a call to `node-1`, answered 9 ms later. */
  call(operation: string, request: unknown, sentAtMs: number, reply: unknown, faults: FaultKind[] = []) {
    const record: CallRecord = {
      id: this.calls.length + 1,
      from: "client",
      fromIncarnation: 1,
      to: "node-1",
      operation,
      request,
      sentAtMs,
      repliedAtMs: null,
      answeredAtMs: sentAtMs + 9,
      outcome: "answered",
      reply,
      faults,
    };
    this.calls.push(record);
    return record;
  }

  /** The first call of that operation, replaced by an edited one. */
  editCall(operation: string, edit: Partial<CallRecord>): void {
    const at = this.calls.findIndex((call) => call.operation === operation);
    const call = this.calls[at];
    if (call !== undefined) this.calls[at] = { ...call, ...edit };
  }

  /** The history as it would have been recorded. */
  told(): { history: RunHistory; facts: Facts } {
    const chains = new Map<string, Version[]>();
    const operations: StoreOperation[] = [];
    for (const put of this.#everything()) store(put, chains, operations);
    const { calls, incidents, healedAtMs, endedAtMs } = this;
    const history = { operations, chains, calls, incidents, healedAtMs, endedAtMs };
    const workload = { instances: [PLAN] };
    const setup = {
      space: SPACE,
      workload,
      effects: this.effects,
      damaged: this.damaged,
      epochMs: 0,
      hiddenWithinMs: HIDDEN_WITHIN_MS,
    };
    return { history, facts: new Facts(history, setup, this.decoder) };
  }

  /** All puts in the order of the store, the index among them. */
  #everything(): Put[] {
    const puts = [...this.#puts].sort((a, b) => a.atMs - b.atMs);
    for (const { atMs, entries } of this.index ?? this.#soundIndex(puts)) {
      const put = this.put(this.decoder.indexKey(), "baton.index.v1", { entries }, atMs);
      put.stamped = true;
      puts.push(put);
      this.remove(put);
    }
    return puts.sort((a, b) => a.atMs - b.atMs);
  }

  /** The index follows each version of the identity 5 ms later. */
  #soundIndex(puts: readonly Put[]): NonNullable<Story["index"]> {
    const versions = puts.filter(({ key }) => key === this.decoder.identityKey("order-1"));
    return versions.map(({ atMs, document }, i) => ({
      atMs: atMs + 5,
      // The documents under this key are instances, see `value`.
      entries: { "order-1": entryFor(document as Instance, i + 1) },
    }));
  }
}

/** Applies a put to its chain, with the operation that made it. */
function store(put: Put, chains: Map<string, Version[]>, operations: StoreOperation[]): void {
  const chain = chains.get(put.key) ?? [];
  chains.set(put.key, chain);
  const body = put.damage(bodyOf(put, chain));
  const etag = `etag-${chain.length + 1}`;
  const before = chain.at(-1);
  const operation: StoreOperation = {
    id: operations.length + 1,
    process: put.by,
    incarnation: 1,
    kind: "put",
    key: put.key,
    condition: before === undefined ? { kind: "if-absent" } : { kind: "if-match", etag: before.etag },
    body,
    sentAtMs: put.atMs - 1,
    appliedAtMs: put.atMs,
    verdict: "applied",
    version: chain.length,
    answeredAtMs: put.atMs + 1,
    outcome: { kind: "ok", etag },
    faults: [],
  };
  operations.push(operation);
  chain.push({ key: put.key, index: chain.length, body, etag, atMs: put.atMs, operation });
}

/** The published format. */
function bodyOf(put: Put, chain: readonly Version[]): string {
  const sequence = chain.length + 1;
  const ids = chain.map((_, i) => `${put.key}-${i + 1}`).reverse();
  const stamp = { sequence, write_id: `${put.key}-${sequence}`, lineage: ids.slice(0, 8), ...put.stamp };
  const payload = JSON.stringify(put.stamped ? { stamp, value: put.document } : put.document);
  return `{"format":"${put.format}","sha256":"${sha256(payload)}","document":${payload}}`;
}

/** The stored side of the sound run. */
function soundVersions(story: Story): void {
  const created: Instance = {
    id: "order-1",
    workflow_type: "order",
    version: "v1",
    incarnation: "life-1",
    life: 1,
    history_erased_through: 0,
    history_marks: [],
    history_layout: { segment_turns: 1, page_turns: 1 },
    history_ids: "",
    blobs: {},
    lease_ms: PLAN.lease_ms,
    max_attempts: PLAN.max_attempts,
    on_exhausted: "block",
    initial_digest: "digest",
    created_at_ms: 9,
    updated_at_ms: 9,
    paused: false,
    state: initialState(PLAN),
    completed_turns: 0,
    next_turn: 1,
    history_through: 0,
    history_pruned_through: 0,
    turns: [],
    deferred: [],
  };
  const queued = queuedTurn(1, MESSAGE.id, 19);
  const holder = { worker: "worker-1", token: TOKEN, deadline_ms: 29 + PLAN.lease_ms };
  const running: Turn = { ...queued, status: "running", attempt: 1, holder };
  const output = stepOutput(EFFECT);
  const saved: Turn = { ...running, steps: [savedStep(stepKey(0), output, 39)] };
  const { state, result } = completion(initialState(PLAN), payloadOf(MESSAGE), [output]);
  const completed: Turn = {
    ...saved,
    status: "completed",
    holder: null,
    last_attempt: { worker: "worker-1", token: TOKEN, end: "completed" },
    state_after: state,
    result,
    finished_at_ms: 49,
  };
  const admitted = { ...created, next_turn: 2, turns: [queued] };
  const finished = { ...admitted, state, completed_turns: 1, turns: [completed] };
  story.identity(created, 10, "created");
  story.identity(admitted, 20, "admitted");
  story.identity({ ...admitted, turns: [running] }, 30, "claimed");
  story.identity({ ...admitted, turns: [saved] }, 40, "saved");
  story.identity(finished, 50, "completed");
  story.identity({ ...finished, history_through: 1, history_ids: MARK, turns: [] }, 70, "dropped");
  const owner = { workflow_id: "order-1", incarnation: "life-1" };
  story.put(story.decoder.segmentKey("order-1", 1), "baton.segment.v1", { ...owner, turns: [completed] }, 60);
}

/** A step with its output. */
export function savedStep(key: string, output: Json, atMs: number): Step {
  return {
    key,
    kind: "step",
    output,
    at_ms: atMs,
    delay_ms: null,
    wake_at_ms: null,
    signal_name: null,
    child_id: null,
  };
}

/** A turn as it enters the inbox. */
export function queuedTurn(number: number, messageId: string, atMs: number): Turn {
  return {
    number,
    message_id: messageId,
    message: payloadOf(MESSAGE),
    version: "v1",
    migrations: [],
    origin: null,
    status: "queued",
    waiting_for: null,
    attempt: 0,
    forgiven_attempts: 0,
    created_at_ms: atMs,
    updated_at_ms: atMs,
    ready_at_ms: atMs,
    steps: [],
    signals: [],
    operation: null,
    holder: null,
    last_attempt: null,
    result: null,
    state_after: null,
    completion_digest: null,
    error: null,
    skipped: false,
    finished_at_ms: null,
    reply_to: null,
    continued_to: null,
    sequence: 1,
  };
}

/** The callers' side of the sound run. */
function soundCalls(story: Story): void {
  const lease = { workflow_id: "order-1", turn: 1, token: TOKEN };
  const output = stepOutput(EFFECT);
  const ok = (value: unknown) => ({ ok: true, value });
  const { id, workflow_type, version, lease_ms, max_attempts } = PLAN;
  const creation = { id, workflow_type, version, lease_ms, max_attempts, state: initialState(PLAN) };
  story.call("createInstance", creation, 5, ok({ id }));
  const send = { workflow_id: "order-1", id: MESSAGE.id, message: payloadOf(MESSAGE) };
  story.call("sendMessage", send, 15, ok(story.value("admitted").turns[0]));
  const { turns, state } = story.value("claimed");
  const deadline_ms = turns[0]?.holder?.deadline_ms;
  const task = { token: TOKEN, state, turn: { ...turns[0], workflow_id: "order-1", deadline_ms } };
  const workflows = [{ workflow_type: "order", version: "v1" }];
  story.call("claim", { worker: "worker-1", workflows }, 25, ok(task));
  story.call("sendMessage", send, 34, ok(turns[0]));
  const step = { ...lease, position: 0, key: stepKey(0), kind: "step", output };
  story.call("checkpoint", step, 36, ok(story.value("saved").turns[0]));
  const done = completion(initialState(PLAN), payloadOf(MESSAGE), [output]);
  story.call("complete", { ...lease, ...done }, 46, ok(story.value("completed").turns[0]));
}
