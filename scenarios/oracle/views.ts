/**
 * Whether an answer says of an instance or a turn what the model says.
 *
 * Two degrees. The answer of a command may have been read after others had followed it, so only what stays for good
 * is held against the model there. The answer of a read shows one moment: all of it has to fit. So does a claimed task,
 * but for signals that came since.
 *
 *   V1  of a turn that an attempt holds a reader may also say that it is queued or failed: by the clock of the node
 *       that was asked, the attempt's time may be over. Of a turn that waits it may say that it is queued.
 *   V2  an attempt number above the model's needs that many claims which were never answered; so does a turn that
 *       runs where the model has an attempt that waited.
 *
 * Times are not looked at, apart from those that are fixed once (`learn-times.ts`).
 */
import { same } from "../checkers/same.ts";
import { isObject } from "../checkers/shapes.ts";
import {
  allows,
  goesOn,
  headOf,
  isFinished,
  type ModelInstance,
  type ModelOperation,
  type ModelStep,
  type ModelTurn,
} from "./model.ts";

export type Fields = { readonly [field: string]: unknown };

/** What never changes of a turn, whatever follows. */
export function namesTurn(view: unknown, number: number, turn: ModelTurn): view is Fields {
  if (!isObject(view) || view.number !== number || !same(view.message, turn.message)) return false;
  return showsMessage(view, turn);
}

function showsMessage(view: Fields, turn: ModelTurn): boolean {
  const { message_id, origin = null } = view;
  if (turn.messageId === null) {
    if (typeof message_id !== "string" || !message_id.startsWith("continue-")) return false;
  } else if (message_id !== turn.messageId) return false;
  if (!isObject(turn.origin) || turn.origin.kind !== "continuation") return same(origin, turn.origin);
  // The engine makes the id of a continuation, so the model knows that of its origin only when a sender chose it.
  if (!isObject(origin) || origin.kind !== "continuation" || origin.turn !== turn.origin.turn) return false;
  return turn.origin.message_id === null || origin.message_id === turn.origin.message_id;
}

/** What never changes of a turn that completed. */
export function showsCompletion(view: Fields, turn: ModelTurn): boolean {
  return (
    view.status === "completed" &&
    same(view.result, turn.result) &&
    same(view.state_after, turn.stateAfter) &&
    view.continued_to === turn.continuedTo
  );
}

/** Whether the view shows this step; of a wait whose end nobody saw, whatever it received. */
export function showsStep(shown: unknown, step: ModelStep): shown is Fields {
  return (
    isObject(shown) &&
    shown.key === step.key &&
    shown.kind === step.kind &&
    (shown.delay_ms ?? null) === step.delayMs &&
    (shown.signal_name ?? null) === step.signalName &&
    (same(shown.output, step.output) || (step.kind === "signal" && step.output === null))
  );
}

/** Whether the view shows exactly these steps and signals. */
export function showsContent(view: Fields, turn: ModelTurn): boolean {
  const { steps, signals = [] } = view;
  if (!Array.isArray(steps) || steps.length !== turn.steps.length) return false;
  if (!Array.isArray(signals) || signals.length !== turn.signals.length) return false;
  if (!keepsContent(view, turn)) return false;
  return turn.signals.every(
    ({ consumedBy }, i) => consumedBy !== null || (signals[i]?.consumed_by ?? null) === null,
  );
}

/**
 * The same of a task that was claimed, perhaps with signals behind them that came since: a claim whose own write is no
 * longer remembered, for many have followed it, finds its token and is told of the attempt as it has become.
 */
export function showsTask(view: Fields, turn: ModelTurn): boolean {
  const { signals = [] } = view;
  if (!Array.isArray(signals)) return false;
  const since = signals.slice(turn.signals.length);
  const isNew = (signal: unknown) => isObject(signal) && (signal.consumed_by ?? null) === null;
  return (
    since.every(isNew) && showsContent({ ...view, signals: signals.slice(0, turn.signals.length) }, turn)
  );
}

/**
 * Whether the view shows these steps and signals, perhaps with others behind them: both only append, and who took a
 * signal never changes. What a step of the view received is the value of the one signal that names it.
 */
export function keepsContent(view: Fields, turn: ModelTurn): boolean {
  const shownSteps: readonly unknown[] = Array.isArray(view.steps) ? view.steps : [];
  const shownSignals: readonly unknown[] = Array.isArray(view.signals) ? view.signals : [];
  return (
    turn.steps.every((step, i) => showsStep(shownSteps[i], step)) &&
    turn.signals.every((signal, i) => {
      const shown = shownSignals[i];
      if (!isObject(shown) || shown.id !== signal.id || shown.name !== signal.name) return false;
      const taken = signal.consumedBy === null || shown.consumed_by === signal.consumedBy;
      return taken && same(shown.value, signal.value);
    }) &&
    shownSteps.every((step) => !isObject(step) || step.kind !== "signal" || receivesOne(step, shownSignals))
  );
}

function receivesOne(step: Fields, signals: readonly unknown[]): boolean {
  const takes = signals.filter((signal) => isObject(signal) && signal.consumed_by === step.key);
  const [one] = takes;
  if (!isObject(step.output) || step.output.received !== true) return takes.length === 0;
  return takes.length === 1 && isObject(one) && same(one.value, step.output.value);
}

export function showsOperation(shown: unknown, operation: ModelOperation | null): boolean {
  if (operation === null) return shown === null || shown === undefined;
  return (
    isObject(shown) &&
    shown.key === operation.key &&
    shown.kind === operation.kind &&
    shown.attempt === operation.attempt &&
    shown.timeout_ms === operation.timeoutMs &&
    (shown.heartbeat_timeout_ms ?? null) === operation.heartbeatMs &&
    shown.sequence === operation.sequence &&
    same(shown.details, operation.details) &&
    same(shown.checkpoint, operation.checkpoint)
  );
}

/** The whole turn as one moment shows it. */
export function showsTurn(view: unknown, number: number, turn: ModelTurn, instance: ModelInstance): boolean {
  if (!namesTurn(view, number, turn) || !showsContent(view, turn)) return false;
  if (typeof view.sequence !== "number" || view.sequence < turn.sequence) return false;
  if ((view.skipped ?? false) !== turn.skipped) return false;
  if (!showsOperation(view.operation, turn.operation)) return false;
  if (turn.outcome === "completed") return showsCompletion(view, turn);
  if ((view.result ?? null) !== null || (view.state_after ?? null) !== null) return false;
  return view.attempt === turn.attempt && showsStatus(view, turn, instance);
}

/** V1. */
export function showsStatus(view: Fields, turn: ModelTurn, instance: ModelInstance): boolean {
  const { status } = view;
  if ((view.waiting_for ?? null) !== (status === "waiting" ? turn.waiting : null)) return false;
  if (turn.outcome !== "open") return status === turn.outcome;
  const { holder } = turn;
  if (holder === null) return status === "queued" || (status === "waiting" && turn.waiting !== null);
  if (status === "running")
    return holder.worker === null || view.worker === undefined || view.worker === holder.worker;
  return status === (allows(instance, turn, turn.attempt + 1) ? "queued" : "failed");
}

/** Attempts that a view of the head shows beyond the model's (V2); 0 when it shows none or no number. */
export function silentIn(view: unknown, turn: ModelTurn): number {
  if (!isObject(view) || typeof view.attempt !== "number") return 0;
  if (turn.outcome !== "open" && turn.outcome !== "cancelled") return 0;
  const beyond = Math.max(0, view.attempt - turn.attempt);
  const runs = beyond > 0 || view.status === "running" || view.status === "failed";
  return goesOn(turn) && runs ? beyond + 1 : beyond;
}

/** What never changes of an instance, and what only rises. */
export function namesInstance(view: unknown, { creation, sequence }: ModelInstance): view is Fields {
  return (
    isObject(view) &&
    view.workflow_type === creation.workflow_type &&
    view.version === creation.version &&
    typeof view.sequence === "number" &&
    view.sequence >= sequence
  );
}

/** The instance as one moment shows it, its head apart. */
export function showsInstance(view: unknown, instance: ModelInstance): view is Fields {
  if (!namesInstance(view, instance)) return false;
  const finished = instance.turns.filter(isFinished).length;
  const { current_turn } = view;
  const empty = headOf(instance) === 0;
  return (
    same(view.state, instance.state) &&
    view.completed_turns === finished &&
    view.pending_messages === instance.turns.length - finished &&
    (current_turn === null) === empty &&
    showsInstanceStatus(view.status, current_turn, instance)
  );
}

export function showsInstanceStatus(status: unknown, head: unknown, instance: ModelInstance): boolean {
  if (instance.paused) return status === "paused";
  if (headOf(instance) === 0) return status === "idle";
  return isObject(head) && status === head.status;
}

/** An entry of an inbox, which shows the turn without its steps. */
export function showsEntry(
  entry: unknown,
  number: number,
  turn: ModelTurn,
  instance: ModelInstance,
): entry is Fields {
  if (!isObject(entry) || entry.turn !== number || !showsMessage(entry, turn)) return false;
  if (entry.message !== undefined && !same(entry.message, turn.message)) return false;
  if (entry.message_bytes !== Buffer.byteLength(JSON.stringify(turn.message))) return false;
  return entry.attempt === turn.attempt && showsStatus(entry, turn, instance);
}
