/**
 * The reference model of one workflow instance: what the engine promises of message workflows, in the plainest form.
 *
 * Written from the description of the engine (seed 000 "Message workflows", "LLM runs, signals and progress", contract
 * sections 2 to 4) and the types of its vocabulary, apart from its code. Sequential and in memory; a state is a value,
 * a command makes another one.
 *
 *   M1  a message becomes a turn at the end of the inbox, numbered 1, 2, 3 …; a repeat of its id changes nothing, keeps
 *       the first origin, and with another payload it is refused.
 *   M2  only the first unfinished turn runs, and not while the instance is paused. A claim begins its next attempt, or
 *       goes on with one that waited, under a new token, from the saved state and the saved steps; no turn has more
 *       attempts than its instance allows, those before a person's `retry` apart.
 *   M3  only the present token writes to a turn or ends the attempt. Exact repeats are accepted.
 *   M4  a completion sets state, result and successor at once; a failure leaves the turn for another attempt, or ends
 *       it when asked so or when it was the last one. A turn that failed for good blocks the inbox, or is skipped.
 *   M5  the change counters of instance and turns rise with each change.
 *
 * Time is left out. A lease may end, a back-off, a sleep or a wait may pass, an operation may run out of time and a
 * call may be refused for its time at any moment; so the model never needs a clock, and says nothing about one. Times
 * that the description fixes once (when a sleep is over, an operation's end, a signal's receipt) are learned from the
 * first answer that shows them, and every later one must show the same.
 *
 * Steps, signals and operations are in `model-steps.ts`, what a person does in `model-controls.ts`. Not in it: limits of
 * size, more than one instance, deletion. With a clock, and exact: `exact`.
 */
import type { Json } from "../../src/std/json.ts";
import { same } from "../checkers/same.ts";

export interface ModelStep {
  readonly key: string;
  readonly kind: "step" | "sleep" | "signal";
  /** Of a wait for a signal: null until somebody saw how it ended. */
  readonly output: Json;
  readonly delayMs: number | null;
  readonly signalName: string | null;
  /** Learned: when a sleep or a wait is over. */
  readonly wakeAtMs: number | null;
  /** Of a wait: signals before this index cannot end it any more. */
  readonly from: number;
}

export interface ModelSignal {
  readonly id: string;
  readonly name: string;
  readonly value: Json;
  readonly consumedBy: string | null;
  /** Learned: its receipt. */
  readonly atMs: number | null;
}

/** The operation in progress, or the last one of an attempt that ended. */
export interface ModelOperation {
  readonly key: string;
  readonly kind: string;
  readonly attempt: number;
  readonly token: string;
  readonly timeoutMs: number;
  readonly heartbeatMs: number | null;
  readonly sequence: number;
  readonly details: Json;
  readonly checkpoint: Json;
  /** Learned: its end. */
  readonly deadlineMs: number | null;
}

/** An attempt that holds its turn. The token is null when nobody learned it: its claim was never answered. */
export interface ModelHolder {
  readonly token: string | null;
  readonly worker: string | null;
}

/** The attempt before the present one, and how it let go of its turn. */
export interface ModelEnded {
  readonly token: string | null;
  readonly by: "completed" | "failed" | "expired" | "suspended" | "deferred" | "cancelled";
}

export interface ModelTurn {
  /** Null for a continuation: the engine makes that id. */
  readonly messageId: string | null;
  readonly message: Json;
  readonly origin: Json;
  readonly outcome: "open" | "completed" | "failed" | "cancelled";
  /** Failed, and no longer in the way. */
  readonly skipped: boolean;
  /** The current or last attempt; 0 before the first. */
  readonly attempt: number;
  /** Attempts that a person's `retry` took off the count. */
  readonly forgiven: number;
  readonly holder: ModelHolder | null;
  readonly ended: ModelEnded | null;
  /** Why it waits; the wait may be over. */
  readonly waiting: "sleep" | "signal" | "retry" | "capacity" | null;
  readonly steps: readonly ModelStep[];
  readonly signals: readonly ModelSignal[];
  readonly operation: ModelOperation | null;
  readonly result: Json;
  readonly stateAfter: Json;
  readonly continuedTo: number | null;
  /** M5: the change counter is at least this. */
  readonly sequence: number;
}

export interface Creation {
  readonly workflow_type: string;
  readonly version: string;
  readonly state: Json;
  readonly lease_ms: number;
  readonly max_attempts: number;
  readonly on_exhausted: string;
}

export interface ModelInstance {
  readonly creation: Creation;
  readonly paused: boolean;
  readonly state: Json;
  /** Turn n stands at index n - 1. */
  readonly turns: readonly ModelTurn[];
  /** M5. */
  readonly sequence: number;
  /** Claims that were never answered and have been used to explain an attempt that nobody was told of. */
  readonly silentClaims: number;
}

/** Nobody has created the instance yet, or the instance. */
export type ModelState = "absent" | ModelInstance;

export function create(creation: Creation): ModelInstance {
  return { creation, paused: false, state: creation.state, turns: [], sequence: 1, silentClaims: 0 };
}

/** Whether an instance was created by just this request. */
export function createdBy(instance: ModelInstance, creation: Creation): boolean {
  return same(instance.creation, creation);
}

/** M1. */
export function admit(
  instance: ModelInstance,
  messageId: string | null,
  message: Json,
  origin: Json,
): ModelInstance {
  const sequence = instance.sequence + 1;
  const turn = queued(messageId, message, origin, sequence);
  return { ...instance, turns: [...instance.turns, turn], sequence };
}

function queued(messageId: string | null, message: Json, origin: Json, sequence: number): ModelTurn {
  return {
    messageId,
    message,
    origin,
    outcome: "open",
    skipped: false,
    attempt: 0,
    forgiven: 0,
    holder: null,
    ended: null,
    waiting: null,
    steps: [],
    signals: [],
    operation: null,
    result: null,
    stateAfter: null,
    continuedTo: null,
    sequence,
  };
}

/** The number of the turn of this message, or 0. */
export function turnOf(instance: ModelInstance, messageId: string): number {
  return instance.turns.findIndex((turn) => turn.messageId === messageId) + 1;
}

export function isFinished(turn: ModelTurn): boolean {
  return turn.outcome === "completed" || turn.outcome === "cancelled" || turn.skipped;
}

/** The number of the head of the inbox, or 0 when it is empty. */
export function headOf(instance: ModelInstance): number {
  return instance.turns.findIndex((turn) => !isFinished(turn)) + 1;
}

/** The instance with one turn changed: both counters rise. */
export function change(instance: ModelInstance, number: number, edit: Partial<ModelTurn>): ModelInstance {
  const sequence = instance.sequence + 1;
  return { ...learn(instance, number, { ...edit, sequence }), sequence };
}

/** The instance with something learned of a turn, which changes nothing. */
export function learn(instance: ModelInstance, number: number, edit: Partial<ModelTurn>): ModelInstance {
  const turns = instance.turns.map((turn, i) => (i === number - 1 ? { ...turn, ...edit } : turn));
  return { ...instance, turns };
}

/** Whether the next claim goes on with the attempt that waited. */
export function goesOn(turn: ModelTurn): boolean {
  return turn.holder === null && (turn.ended?.by === "suspended" || turn.ended?.by === "deferred");
}

/** The number of the attempt that the next claim begins or goes on with. */
export function nextAttempt(turn: ModelTurn): number {
  return goesOn(turn) ? turn.attempt : turn.attempt + 1;
}

/** Whether a turn may be at this attempt. */
export function allows(instance: ModelInstance, turn: ModelTurn, attempt: number): boolean {
  return attempt - turn.forgiven <= instance.creation.max_attempts;
}

/** M2: the next attempt of a turn begins, or goes on; one that holds it ends, because its time did. */
export function begin(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  holder: ModelHolder,
): ModelInstance {
  const ended = turn.holder === null ? turn.ended : ({ token: turn.holder.token, by: "expired" } as const);
  return change(instance, number, { attempt: nextAttempt(turn), holder, ended, waiting: null });
}

/** The same as part of a write that changed the instance already, the last one unless told: no counter rises again. */
export function beginAtOnce(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  holder: ModelHolder,
  sequence: number = instance.sequence,
): ModelInstance {
  const begun = learn(begin(instance, number, turn, holder), number, { sequence });
  return { ...begun, sequence: instance.sequence };
}

export interface Ending {
  readonly token: string;
  readonly state: Json;
  readonly result: Json;
  /** The message of the continuation; null: none. */
  readonly continuation: { readonly message: Json } | null;
  /** What it saves besides. */
  readonly steps: readonly {
    readonly position: number;
    readonly step: Omit<ModelStep, "wakeAtMs" | "from">;
  }[];
}

/** M4: the turn completes, and its successor stands behind all messages that are queued. */
export function complete(instance: ModelInstance, number: number, ending: Ending): ModelInstance {
  const { token, state, result, continuation } = ending;
  const continuedTo = continuation === null ? null : instance.turns.length + 1;
  const completed = change(instance, number, {
    outcome: "completed",
    holder: null,
    ended: { token, by: "completed" },
    operation: null,
    result,
    stateAfter: state,
    continuedTo,
  });
  const { turns, sequence } = completed;
  if (continuation === null) return { ...completed, state };
  const messageId = turns[number - 1]?.messageId ?? null;
  const origin = { kind: "continuation", turn: number, message_id: messageId };
  return { ...completed, state, turns: [...turns, queued(null, continuation.message, origin, sequence)] };
}

/** M4: the attempt failed. */
export function fail(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  token: string,
  forGood: boolean,
): ModelInstance {
  const ended = { token, by: "failed" } as const;
  if (!forGood && allows(instance, turn, turn.attempt + 1))
    return change(instance, number, { holder: null, ended });
  return failForGood(instance, number, ended);
}

export function failForGood(instance: ModelInstance, number: number, ended: ModelEnded): ModelInstance {
  const skipped = instance.creation.on_exhausted === "skip";
  return change(instance, number, { outcome: "failed", skipped, holder: null, ended });
}

/** The attempt lets go of its turn for a wait that counts none. */
export function defer(
  instance: ModelInstance,
  number: number,
  token: string,
  waiting: "retry" | "capacity",
): ModelInstance {
  return change(instance, number, { holder: null, ended: { token, by: "deferred" }, waiting });
}
