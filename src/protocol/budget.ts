/**
 * The budget of a graph: how many instances it may have, and how many bytes of current state.
 *
 *   P47  a creation is refused at the limit of instances, and when its bytes would take the graph past what is open to
 *        new work: the budget without its last sixteenth.
 *   P48  a message, a signal and what a turn sends back are refused once that is reached; a step and a report of
 *        progress once the whole budget is. So what was admitted can still be worked off, and what ends work or only
 *        moves it on (claim, renewal, sleep, wait, completion, failure, control) is never refused. A repeat is
 *        answered as ever: it writes nothing.
 *   P49  finished turns do not count: they are on their way to history.
 *
 * Usage is read from the scheduling index. That lags, so writes at the same time can pass a budget by a few: it bounds
 * the graph, it is no account. Whole numbers of UTF-8 bytes. Source: seed 000 "Message API" and "Storage".
 */
import { type Failure, failure } from "../vocabulary/errors.ts";
import type { SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";
import { instanceText } from "../vocabulary/instance-text.ts";
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

const RESERVED_PART = 16;
const BYTES = new WeakMap<Instance, number>();

/** What the instance takes of the budget: its document without the turns that have finished (P49). Counted once. */
export function currentBytes(instance: Instance): number {
  const known = BYTES.get(instance);
  if (known !== undefined) return known;
  let bytes = Buffer.byteLength(instanceText(instance));
  for (const turn of instance.turns) if (!isFinished(turn)) bytes += Buffer.byteLength(turnText(turn));
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
  const open = openBytes(max_state_bytes);
  const bytes = used.bytes + currentBytes(decision.next);
  return bytes > open ? refuse(tooMuchState(bytes, open)) : decision;
}

/** P48: the decision to admit something, or the refusal when it would write and there is no room for new work. */
export function unlessClosed<Reply>(
  decision: Decision<Instance, Reply>,
  used: Usage,
  { max_state_bytes }: Budget,
): Decision<Instance, Reply> {
  return belowBytes(decision, used.bytes, openBytes(max_state_bytes));
}

/** P48: the decision to save something of a running turn, or the refusal when it would write and the budget is reached. */
export function unlessFull<Reply>(
  decision: Decision<Instance, Reply>,
  used: Usage,
  { max_state_bytes }: Budget,
): Decision<Instance, Reply> {
  return belowBytes(decision, used.bytes, max_state_bytes);
}

function belowBytes<Reply>(
  decision: Decision<Instance, Reply>,
  bytes: number,
  limit: number,
): Decision<Instance, Reply> {
  return decision.kind !== "write" || bytes < limit ? decision : refuse(tooMuchState(bytes, limit));
}

/** What new work may fill (P47): the rest is for the work that is there. */
function openBytes(max: number): number {
  return max - Math.floor(max / RESERVED_PART);
}

function tooMuchState(bytes: number, limit: number): Failure {
  const message = `the graph would hold ${bytes} bytes of current state, the limit is ${limit}; complete turns, delete instances, or keep large values outside`;
  return failure("over-limit", "graph_full", message);
}
