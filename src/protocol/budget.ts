/**
 * The budget of a graph: how many instances it may have, and how many bytes of current state.
 *
 *   P47  a creation is refused at the limit of instances, and when its bytes would take the graph past the budget.
 *   P48  a write that brings content in (message, signal, step, progress) is refused once the budget is reached. What
 *        ends work or only moves it on (claim, renewal, completion, failure, control) never is, so a full graph can be
 *        worked off. A repeat is answered as ever: it writes nothing.
 *   P49  finished turns do not count: they are on their way to history.
 *
 * Usage is read from the scheduling index. That lags, so writes at the same time can pass a budget by a few: it bounds
 * the graph, it is no account. Whole numbers of UTF-8 bytes. Source: seed 000 "Message API" and "Storage".
 */
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { isFinished } from "../vocabulary/turn.ts";
import { turnText } from "../vocabulary/turn-text.ts";
import { type Decision, refuse } from "./decision.ts";

export interface Budget {
  readonly max_instances: number;
  readonly max_state_bytes: number;
}

export interface Usage {
  readonly instances: number;
  readonly bytes: number;
}

export function usageOf(index: SchedulingIndex): Usage {
  let bytes = 0;
  for (const entry of index.values()) bytes += entry.bytes ?? 0;
  return { instances: index.size, bytes };
}

const BYTES = new WeakMap<Instance, number>();

/** What the instance takes of the budget: its document without the turns that have finished (P49). Counted once. */
export function currentBytes(instance: Instance): number {
  const known = BYTES.get(instance);
  if (known !== undefined) return known;
  const { turns, ...rest } = instance;
  let bytes = Buffer.byteLength(JSON.stringify(rest));
  for (const turn of turns) if (!isFinished(turn)) bytes += Buffer.byteLength(turnText(turn));
  BYTES.set(instance, bytes);
  return bytes;
}

/** P47: the decision to create, or the refusal when there is no room for what it would write. */
export function withinBudget<Reply>(
  decision: Decision<Instance, Reply>,
  used: Usage,
  budget: Budget,
): Decision<Instance, Reply> {
  if (decision.kind !== "write") return decision;
  const { max_instances, max_state_bytes } = budget;
  if (used.instances >= max_instances) {
    const message = `the graph has ${used.instances} instances, the limit is ${max_instances}; delete some that are done with, or use another graph`;
    return refuse(failure("over-limit", "graph_full", message));
  }
  const bytes = used.bytes + currentBytes(decision.next);
  return bytes > max_state_bytes ? refuse(tooMuchState(bytes, max_state_bytes)) : decision;
}

/** P48: the decision, or the refusal when it would write and the budget is reached. */
export function unlessFull<Reply>(
  decision: Decision<Instance, Reply>,
  used: Usage,
  { max_state_bytes }: Budget,
): Decision<Instance, Reply> {
  if (decision.kind !== "write" || used.bytes < max_state_bytes) return decision;
  return refuse(tooMuchState(used.bytes, max_state_bytes));
}

function tooMuchState(bytes: number, limit: number): Failure {
  const message = `the graph would hold ${bytes} bytes of current state, the limit is ${limit}; complete turns, delete instances, or keep large values outside`;
  return failure("over-limit", "graph_full", message);
}
