/**
 * Whether an answer says of an instance or a turn what the model says.
 *
 * Two degrees. The answer of a command may have been read after others had followed it, so only what stays for good
 * is held against the model there. The answer of a read, and a claimed task, show one moment: all of it has to fit.
 *
 *   V1  of a turn that an attempt holds a reader may also say that it is queued or failed: by the clock of the node
 *       that was asked, the lease may be over.
 *   V2  an attempt number above the model's needs that many claims which were never answered.
 *
 * Times are not looked at.
 */
import { same } from "../checkers/same.ts";
import { isObject } from "../checkers/shapes.ts";
import { headOf, type ModelInstance, type ModelTurn } from "./model.ts";

type Fields = { readonly [field: string]: unknown };

/** What never changes of a turn, whatever follows. */
export function namesTurn(view: unknown, number: number, turn: ModelTurn): view is Fields {
  if (!isObject(view) || view.number !== number || !same(view.message, turn.message)) return false;
  if (turn.messageId !== null) return view.message_id === turn.messageId;
  return typeof view.message_id === "string" && view.message_id.startsWith("continue-");
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

/** Whether the view shows exactly these steps. */
export function showsSteps(view: Fields, turn: ModelTurn): boolean {
  const { steps } = view;
  if (!Array.isArray(steps) || steps.length !== turn.steps.length) return false;
  return turn.steps.every(({ key, output }, i) => {
    const step: unknown = steps[i];
    return isObject(step) && step.key === key && same(step.output, output);
  });
}

/** The whole turn as one moment shows it. */
export function showsTurn(view: unknown, number: number, turn: ModelTurn, maxAttempts: number): boolean {
  if (!namesTurn(view, number, turn) || !showsSteps(view, turn)) return false;
  if (typeof view.sequence !== "number" || view.sequence < turn.sequence) return false;
  if (turn.outcome === "completed") return showsCompletion(view, turn);
  if (view.attempt !== turn.attempt) return false;
  const { holder } = turn;
  if (turn.outcome === "failed") return view.status === "failed";
  if (holder === null) return view.status === "queued";
  if (view.status === "running") return holder.worker === null || view.worker === holder.worker;
  return view.status === (turn.attempt < maxAttempts ? "queued" : "failed");
}

/** Attempts that a view of the head shows beyond the model's (V2); 0 when it shows none or no number. */
export function silentIn(view: unknown, turn: ModelTurn): number {
  if (!isObject(view) || typeof view.attempt !== "number" || turn.outcome !== "open") return 0;
  return Math.max(0, view.attempt - turn.attempt);
}

/** The instance as one moment shows it, its head apart. */
export function showsInstance(view: unknown, instance: ModelInstance): view is Fields {
  if (!isObject(view)) return false;
  const completed = instance.turns.filter(({ outcome }) => outcome === "completed").length;
  const { current_turn } = view;
  const empty = headOf(instance) === 0;
  return (
    view.workflow_type === instance.workflow_type &&
    view.version === instance.version &&
    same(view.state, instance.state) &&
    view.completed_turns === completed &&
    view.pending_messages === instance.turns.length - completed &&
    typeof view.sequence === "number" &&
    view.sequence >= instance.sequence &&
    (view.status === "idle") === empty &&
    (current_turn === null) === empty &&
    (!isObject(current_turn) || view.status === current_turn.status)
  );
}
