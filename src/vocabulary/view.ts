/**
 * What callers see: the instance and turn of the HTTP contract, field for field.
 *
 * A token is never in a view. Source: contract section 4.
 */
import type { Json } from "../std/json.ts";
import type { InstanceStatus } from "./instance.ts";
import type { StepKind, TurnStatus } from "./turn.ts";

export interface StepView {
  readonly key: string;
  readonly kind: StepKind;
  readonly output: Json;
  readonly at_ms: number;
}

export interface TurnView {
  readonly workflow_id: string;
  readonly number: number;
  readonly message_id: string;
  readonly message: Json;
  readonly version: string;
  readonly status: TurnStatus;
  readonly attempt: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly ready_at_ms: number;
  readonly steps: readonly StepView[];
  readonly result: Json;
  readonly state_after: Json;
  readonly sequence: number;
  readonly worker: string | null;
  readonly deadline_ms: number | null;
  readonly error: string | null;
  readonly finished_at_ms: number | null;
  readonly continued_to: number | null;
}

export interface InstanceView {
  readonly id: string;
  readonly workflow_type: string;
  readonly version: string;
  readonly state: Json;
  readonly status: InstanceStatus;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly sequence: number;
  readonly completed_turns: number;
  /** Unfinished messages, the running one included. */
  readonly pending_messages: number;
  readonly history_through: number;
  /** The head of the inbox, or null when it is empty. */
  readonly current_turn: TurnView | null;
}

/** A claimed turn, as the worker gets it. */
export interface Task {
  readonly workflow_type: string;
  /** The committed state the turn starts from. */
  readonly state: Json;
  readonly turn: TurnView;
  readonly token: string;
  readonly lease_ms: number;
  /** Stable over attempts and recovery; a step's effect id is this, `/`, its key. */
  readonly effect_prefix: string;
}

export interface InstancePage {
  readonly instances: readonly InstanceView[];
  readonly next_after: string | null;
}

export interface HistoryPage {
  readonly turns: readonly TurnView[];
  readonly next_after: number | null;
}
