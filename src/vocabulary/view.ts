/**
 * What callers see: the instance and turn of the HTTP contract, field for field.
 *
 * A token is never in a view. Source: contract section 4.
 */
import type { Json } from "../std/json.ts";
import type { InstanceStatus } from "./instance.ts";
import type { Migration, Operation, Origin, ReplyTo, Signal, Step, TurnStatus, WaitReason } from "./turn.ts";

export type StepView = Step;

/** A running step. Its token is left out. */
export type OperationView = Omit<Operation, "token">;

/** Progress in the convention's shape, made from an operation's details when they follow it; never stored. */
export interface ProgressView {
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
  readonly unit: string | null;
  /** When the operation started, RFC 3339. */
  readonly started_at: string;
  /** The last report, RFC 3339. */
  readonly heartbeat_at: string;
}

export interface TurnView {
  readonly workflow_id: string;
  readonly number: number;
  readonly message_id: string;
  readonly message: Json;
  readonly version: string;
  readonly migrations: readonly Migration[];
  readonly origin: Origin | null;
  readonly status: TurnStatus;
  /** Why it waits, or null when it does not. */
  readonly waiting_for: WaitReason | null;
  readonly attempt: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly ready_at_ms: number;
  readonly steps: readonly StepView[];
  readonly signals: readonly Signal[];
  readonly operation: OperationView | null;
  /** Of the operation, while it runs or was the last one of a failed or retrying turn. */
  readonly progress: ProgressView | null;
  readonly result: Json;
  readonly state_after: Json;
  readonly sequence: number;
  readonly worker: string | null;
  readonly deadline_ms: number | null;
  readonly error: string | null;
  readonly skipped: boolean;
  readonly finished_at_ms: number | null;
  readonly reply_to: ReplyTo | null;
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
  /** Unfinished messages, the running one and those that are not due yet included. */
  readonly pending_messages: number;
  readonly history_through: number;
  /** Turns 1 to this were removed by retention; 0: none. */
  readonly history_pruned_through: number;
  /** Of the current turn, while it runs. */
  readonly progress: ProgressView | null;
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
  /** What has to be done to the state before anything else; null: nothing. */
  readonly migration: { readonly from: string; readonly to: string } | null;
}

/** A completed turn. */
export interface CompletedView extends TurnView {
  /** The next turn, claimed with the completion; null: none was. There only when the request asked for it. */
  readonly next?: Task | null;
}

export interface InstancePage {
  readonly instances: readonly InstanceView[];
  readonly next_after: string | null;
}

/** An unfinished turn as the inbox shows it. */
export interface InboxEntry {
  readonly turn: number;
  readonly message_id: string;
  readonly status: TurnStatus;
  readonly waiting_for: WaitReason | null;
  readonly received_at_ms: number;
  readonly ready_at_ms: number;
  readonly attempt: number;
  /** UTF-8 bytes of the message's JSON. */
  readonly message_bytes: number;
  readonly origin: Origin | null;
  readonly error: string | null;
  readonly progress: ProgressView | null;
  /** Only when payloads were asked for. */
  readonly message?: Json;
}

/** A message that is not due yet. */
export interface DeferredView {
  readonly message_id: string;
  readonly received_at_ms: number;
  readonly due_at_ms: number;
  readonly message_bytes: number;
  readonly origin: Origin;
  /** Only when payloads were asked for. */
  readonly message?: Json;
}

/** What became of the instances that a turn sent back. */
export interface RequeueView {
  readonly workflow_id: string;
  readonly turn: number;
  readonly message_id: string;
  /** The number of the next try, from 1. */
  readonly attempt: number;
  /** When it is due; null: they were sent back as often as may be, and are given up. */
  readonly due_at_ms: number | null;
}

/** The unfinished turns of one instance, oldest first. */
export interface InboxPage {
  readonly workflow_id: string;
  readonly workflow_type: string;
  readonly version: string;
  readonly status: InstanceStatus;
  readonly pending_messages: number;
  /** Over all unfinished turns; null when there is none. */
  readonly oldest_received_at_ms: number | null;
  readonly newest_received_at_ms: number | null;
  readonly entries: readonly InboxEntry[];
  /** On the first page; they count as pending. */
  readonly deferred: readonly DeferredView[];
  /** Turn number, exclusive. */
  readonly next_after: number | null;
}

/** An instance of a type that has pending messages. */
export interface InboxSummary {
  readonly workflow_id: string;
  readonly version: string;
  readonly status: InstanceStatus;
  readonly pending_messages: number;
  readonly oldest_received_at_ms: number;
  /** The head, without its payload; null when no message is due. */
  readonly head: InboxEntry | null;
}

export interface TypeInboxPage {
  /** Instances of the type that the scheduling index lists. */
  readonly identities: number;
  /** Those that it lists with a turn. */
  readonly with_messages: number;
  readonly instances: readonly InboxSummary[];
  readonly next_after: string | null;
}

export interface BlobReferenceView {
  readonly workflow_id: string;
  /** What a step's output, a state or a message names the blob by. */
  readonly reference: string;
}

export interface BlobView extends BlobReferenceView {
  readonly value: Json;
}

export interface GraphView {
  readonly epoch: number;
  /** Whether this very call began the epoch. */
  readonly created: boolean;
}

export interface DeletionView {
  /** Whether this very call ended the instance, or the graph. */
  readonly deleted: boolean;
}

export interface HistoryPage {
  readonly turns: readonly TurnView[];
  readonly next_after: number | null;
}
