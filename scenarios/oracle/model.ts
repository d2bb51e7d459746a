/**
 * The reference model of one workflow instance: what the engine's core promises, in the plainest form.
 *
 * Written from the description of the engine (seed 000 "Message workflows", contract sections 2 to 4) and the types
 * of its vocabulary, apart from its code. Sequential and in memory; a state is a value, a command makes another one.
 *
 *   M1  a message becomes a turn at the end of the inbox, numbered 1, 2, 3 …; a repeat of its id changes nothing,
 *       and with another payload it is refused.
 *   M2  only the first unfinished turn runs. A claim begins its next attempt under a new token and starts from the
 *       saved state and the saved steps; no turn has more attempts than its instance allows.
 *   M3  only the present token saves a step, at the next position, or ends the attempt. Exact repeats are accepted.
 *   M4  a completion sets state, result and successor at once; a failure leaves the turn for another attempt, or
 *       ends it when asked so or when it was the last one. A turn that failed for good blocks the inbox.
 *   M5  the change counters of instance and turns rise with each change.
 *
 * Time is left out. A lease may end, a back-off may pass and a call may be refused for its time at any moment; so
 * the model never needs a clock, and says nothing about one.
 *
 * Not in it: limits of size, more than one instance, pauses, deletion, sleeps and signals.
 */
import type { Json } from "../../src/std/json.ts";
import { same } from "../checkers/same.ts";

export interface ModelStep {
  readonly key: string;
  readonly output: Json;
}

/** An attempt that holds its turn. The token is null when nobody learned it: its claim was never answered. */
export interface ModelHolder {
  readonly token: string | null;
  readonly worker: string | null;
}

export interface ModelTurn {
  /** Null for a continuation: the engine makes that id. */
  readonly messageId: string | null;
  readonly message: Json;
  readonly outcome: "open" | "completed" | "failed";
  /** The current or last attempt; 0 before the first. */
  readonly attempt: number;
  readonly holder: ModelHolder | null;
  /** The attempt before the present one, and how it ended. */
  readonly ended: { readonly token: string | null; readonly by: "completed" | "failed" | "expired" } | null;
  readonly steps: readonly ModelStep[];
  readonly result: Json;
  readonly stateAfter: Json;
  readonly continuedTo: number | null;
  /** M5: the change counter is at least this. */
  readonly sequence: number;
}

export interface ModelInstance {
  readonly workflow_type: string;
  readonly version: string;
  readonly initial: Json;
  readonly lease_ms: number;
  readonly max_attempts: number;
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

export interface Creation {
  readonly workflow_type: string;
  readonly version: string;
  readonly state: Json;
  readonly lease_ms: number;
  readonly max_attempts: number;
}

export function create(creation: Creation): ModelInstance {
  const { workflow_type, version, state, lease_ms, max_attempts } = creation;
  return {
    workflow_type,
    version,
    initial: state,
    lease_ms,
    max_attempts,
    state,
    turns: [],
    sequence: 1,
    silentClaims: 0,
  };
}

/** Whether an instance was created by just this request. */
export function createdBy(instance: ModelInstance, creation: Creation): boolean {
  return (
    instance.workflow_type === creation.workflow_type &&
    instance.version === creation.version &&
    instance.lease_ms === creation.lease_ms &&
    instance.max_attempts === creation.max_attempts &&
    same(instance.initial, creation.state)
  );
}

/** M1. */
export function admit(instance: ModelInstance, messageId: string | null, message: Json): ModelInstance {
  const sequence = instance.sequence + 1;
  return { ...instance, turns: [...instance.turns, queued(messageId, message, sequence)], sequence };
}

function queued(messageId: string | null, message: Json, sequence: number): ModelTurn {
  return {
    messageId,
    message,
    outcome: "open",
    attempt: 0,
    holder: null,
    ended: null,
    steps: [],
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

/** The number of the head of the inbox, or 0 when it is empty. */
export function headOf(instance: ModelInstance): number {
  return instance.turns.findIndex((turn) => turn.outcome !== "completed") + 1;
}

/** The instance with one turn changed: both counters rise. */
export function change(instance: ModelInstance, number: number, edit: Partial<ModelTurn>): ModelInstance {
  const sequence = instance.sequence + 1;
  const turns = instance.turns.map((turn, i) => (i === number - 1 ? { ...turn, ...edit, sequence } : turn));
  return { ...instance, turns, sequence };
}

/** M2: the next attempt of a turn begins; one that holds it ends, because its lease did. */
export function begin(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  holder: ModelHolder,
): ModelInstance {
  const ended = turn.holder === null ? turn.ended : ({ token: turn.holder.token, by: "expired" } as const);
  return change(instance, number, { attempt: turn.attempt + 1, holder, ended });
}

/** M3: the step is saved, or null when it is neither the next one nor an exact repeat. */
export function save(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  position: number,
  step: ModelStep,
): ModelInstance | null {
  const saved = turn.steps[position];
  if (saved !== undefined) return same(saved, step) ? instance : null;
  if (position !== turn.steps.length || turn.steps.some(({ key }) => key === step.key)) return null;
  return change(instance, number, { steps: [...turn.steps, step] });
}

export interface Ending {
  readonly token: string;
  readonly state: Json;
  readonly result: Json;
  /** The message of the continuation; null: none. */
  readonly continuation: { readonly message: Json } | null;
}

/** M4: the turn completes, and its successor stands behind all messages that are queued. */
export function complete(instance: ModelInstance, number: number, ending: Ending): ModelInstance {
  const { token, state, result, continuation } = ending;
  const continuedTo = continuation === null ? null : instance.turns.length + 1;
  const completed = change(instance, number, {
    outcome: "completed",
    holder: null,
    ended: { token, by: "completed" },
    result,
    stateAfter: state,
    continuedTo,
  });
  const { turns, sequence } = completed;
  const followed = continuation === null ? turns : [...turns, queued(null, continuation.message, sequence)];
  return { ...completed, state, turns: followed };
}

/** M4: the attempt failed. */
export function fail(
  instance: ModelInstance,
  number: number,
  turn: ModelTurn,
  token: string,
  forGood: boolean,
): ModelInstance {
  const last = forGood || turn.attempt >= instance.max_attempts;
  return change(instance, number, {
    outcome: last ? "failed" : "open",
    holder: null,
    ended: { token, by: "failed" },
  });
}
