/**
 * Calls and answers made by hand, for the tests of the oracle: a caller's view of one instance. Only tests use it.
 *
 * Calls follow each other, each 10 ms after the one before and answered 5 ms later, unless told otherwise.
 */
import type { CallRecord, RunHistory } from "../../sim/index.ts";

export const LEASE = { workflow_id: "order-1", turn: 1, token: "token-1" };
const CLAIM = { worker: "w", workflows: [{ workflow_type: "order", version: "v1" }] };
const CREATION = { id: "order-1", workflow_type: "order", version: "v1", state: 0, lease_ms: 1_000 };

/** A turn as a view shows it, with everything that does not matter left out. */
export function turnView(edit: { readonly [field: string]: unknown } = {}) {
  return {
    number: 1,
    message_id: "m-1",
    message: "first",
    status: "queued",
    attempt: 0,
    steps: [],
    result: null,
    state_after: null,
    worker: null,
    continued_to: null,
    sequence: 2,
    ...edit,
  };
}

/** Answers. */
export const ok = (value: unknown) => ({ ok: true, value });
export const refused = (kind: string) => ({ ok: false, error: { kind, code: kind } });
export const STEP = { key: "step-0", kind: "step", output: "done" };
const COMPLETED = { status: "completed", attempt: 1, steps: [STEP], result: "r", state_after: 1 };

export class Callers {
  readonly calls: CallRecord[] = [];
  #nowMs = 0;

  /** Adds a call; a null reply stays without an answer. */
  call(operation: string, request: unknown, reply: unknown, edit: Partial<CallRecord> = {}): this {
    this.#nowMs += 10;
    this.calls.push({
      id: this.calls.length + 1,
      from: "client",
      fromIncarnation: 1,
      to: "node-1",
      operation,
      request,
      sentAtMs: this.#nowMs,
      repliedAtMs: null,
      answeredAtMs: this.#nowMs + 5,
      outcome: reply === null ? "unknown-outcome" : "answered",
      reply,
      faults: [],
      ...edit,
    });
    return this;
  }

  /** The commands of the core, each with the answer that a sound engine gives to the first of its kind. */
  create(reply: unknown = ok({ id: "order-1" }), edit: object = {}): this {
    return this.call("createInstance", { ...CREATION, ...edit }, reply);
  }
  send(n: number, reply: unknown, message: unknown = n === 1 ? "first" : "second"): this {
    return this.call("sendMessage", { workflow_id: "order-1", id: `m-${n}`, message }, reply);
  }
  sent(n: number): this {
    const message = n === 1 ? "first" : "second";
    return this.send(n, ok(turnView({ number: n, message_id: `m-${n}`, message, sequence: n + 1 })));
  }
  claim(edit: object = {}, task: object = {}): this {
    const held = { workflow_id: "order-1", status: "running", worker: "w", attempt: 1, sequence: 3 };
    const shown = {
      workflow_type: "order",
      token: "token-1",
      state: 0,
      turn: turnView({ ...held, ...edit }),
    };
    return this.call("claim", CLAIM, ok({ ...shown, ...task }));
  }
  checkpoint(reply: unknown = ok(turnView({ attempt: 1, steps: [STEP], sequence: 4 }))): this {
    return this.call("checkpoint", { ...LEASE, position: 0, ...STEP }, reply);
  }
  complete(reply: unknown = ok(turnView(COMPLETED)), continuation: unknown = null): this {
    return this.call("complete", { ...LEASE, state: 1, result: "r", continuation }, reply);
  }
  /** One message from its creation to its completion. */
  whole(): this {
    return this.create().sent(1).claim().checkpoint().complete();
  }

  history(): RunHistory {
    const { calls } = this;
    return { operations: [], chains: new Map(), calls, incidents: [], healedAtMs: null, endedAtMs: 1_000 };
  }
}

/** The completed turn and the instance after it, as reads show them. */
export const DONE = turnView({ ...COMPLETED, sequence: 5 });
export const IDLE = {
  id: "order-1",
  workflow_type: "order",
  version: "v1",
  state: 1,
  status: "idle",
  sequence: 6,
  completed_turns: 1,
  pending_messages: 0,
  current_turn: null,
};
