/**
 * The tables of the contract as data: every route of message workflows with its fields, and every schema of its answers.
 *
 * Copied by hand from the contract, and on purpose not made from this server's schemas: it is what they are held against.
 * `!` after a name: required; `?null`: may be null; what a field's type says more than its name stands after the colon.
 */

export interface RouteFacts {
  readonly method: "get" | "post";
  readonly path: string;
  /** Of the query or the body. */
  readonly fields: readonly string[];
  /** Named answers, or the fields of one. */
  readonly answer: string | readonly string[];
}

const lease = ["workflow_id!:string", "turn!:integer", "token!:string"];
const step = [...lease, "position!:integer", "key!:string"];

const post = (path: string, fields: readonly string[], answer: RouteFacts["answer"]): RouteFacts => ({
  method: "post",
  path: `/v1/workflows/${path}`,
  fields,
  answer,
});
const get = (path: string, fields: readonly string[], answer: RouteFacts["answer"]): RouteFacts => ({
  method: "get",
  path: `/v1/workflows/${path}`,
  fields,
  answer,
});

/** Contract sections 2, 3 and 7; seed 000 "Message API". */
export const ROUTE_FACTS: readonly RouteFacts[] = [
  post(
    "instances",
    [
      "id!:string",
      "workflow_type!:string",
      "version!:string",
      "state:any",
      "lease_ms:integer",
      "max_attempts:integer",
    ],
    "WorkflowInstance",
  ),
  get("instances", ["after", "limit"], ["instances!", "next_after"]),
  get("instances/get", ["id"], "WorkflowInstance"),
  post(
    "instances/message",
    ["workflow_id!:string", "id!:string", "message!:any", "origin:object"],
    "WorkflowTurn",
  ),
  post(
    "instances/control",
    ["workflow_id!:string", "action!:enum pause resume retry skip cancel_turn wake", "turn:integer?null"],
    "WorkflowInstance",
  ),
  post("instances/delete", ["workflow_id!:string"], ["deleted!"]),
  get("instances/history", ["id", "after", "limit"], ["turns!", "next_after"]),
  get("instances/turn", ["id", "turn"], "WorkflowTurn"),
  get(
    "instances/inbox",
    ["id", "after", "limit", "payloads"],
    ["pending_messages!", "oldest_received_at_ms!"],
  ),
  get("inbox", ["workflow_type", "version", "after", "limit"], ["identities!", "with_messages!"]),
  post("turns/claim", ["worker!:string", "workflows!:array", "wait_ms:integer"], ["task"]),
  post(
    "turns/operation",
    [...step, "kind!:enum step model tool", "timeout_ms:integer", "heartbeat_timeout_ms:integer?null"],
    "WorkflowTurn",
  ),
  post(
    "turns/progress",
    [...lease, "key!:string", "sequence!:integer", "details!:any", "checkpoint!:any"],
    "WorkflowTurn",
  ),
  post(
    "turns/checkpoint",
    [...step, "kind!:enum step sleep", "output:any", "delay_ms:integer?null"],
    "WorkflowTurn",
  ),
  post("turns/wait-signal", [...step, "name!:string", "timeout_ms!:integer"], "WorkflowTurn"),
  post(
    "turns/signal",
    ["workflow_id!:string", "turn!:integer", "id!:string", "name!:string", "value!:any"],
    "WorkflowTurn",
  ),
  post("turns/heartbeat", lease, "WorkflowTurn"),
  post(
    "turns/complete",
    [...lease, "state!:any", "result:any", "continuation:object?null", "usage:any"],
    "WorkflowTurn",
  ),
  post(
    "turns/fail",
    [...lease, "error!:string", "non_retryable:boolean", "retry_at_ms:integer?null", "usage:any"],
    "WorkflowTurn",
  ),
];

const turnEnum = "enum queued running waiting completed failed cancelled";

/** Contract sections 1.1 and 4. */
export const SCHEMA_FACTS: { readonly [schema: string]: readonly string[] } = {
  WorkflowInstance: [
    ...["id!:string", "workflow_type!:string", "version!:string", "state!:any"],
    "status!:enum idle queued running waiting failed paused",
    ...["created_at_ms!:integer", "updated_at_ms!:integer", "sequence!:integer", "completed_turns!:integer"],
    ...["pending_messages!:integer", "history_through!:integer", "history_pruned_through:integer"],
    "current_turn:WorkflowTurn?null",
  ],
  WorkflowTurn: [
    ...["workflow_id!:string", "number!:integer", "message_id!:string", "message!:any", "version!:string"],
    ...[`status!:${turnEnum}`, "attempt!:integer", "created_at_ms!:integer", "updated_at_ms!:integer"],
    ...["ready_at_ms!:integer", "steps!:array", "result!:any", "state_after!:any", "sequence!:integer"],
    ...["signals:array", "operation:TurnOperation?null", "worker:string?null", "deadline_ms:integer?null"],
    ...["error:string?null", "finished_at_ms:integer?null", "continued_to:integer?null"],
  ],
  WorkflowTurnStep: [
    ...["key!:string", "kind!:enum step sleep signal", "output!:any", "at_ms!:integer"],
    ...["delay_ms:integer?null", "wake_at_ms:integer?null", "signal_name:string?null"],
  ],
  TurnOperation: [
    ...["key!:string", "kind!:enum step model tool", "attempt!:integer", "started_at_ms!:integer"],
    ...["deadline_ms!:integer", "timeout_ms!:integer", "heartbeat_timeout_ms:integer?null"],
    ...["last_heartbeat_ms!:integer", "sequence!:integer", "details!:any", "checkpoint!:any"],
  ],
  TurnSignal: ["id!:string", "name!:string", "value!:any", "at_ms!:integer", "consumed_by:string?null"],
  TurnTask: [
    ...["workflow_type!:string", "state!:any", "turn!:WorkflowTurn", "token!:string", "lease_ms!:integer"],
    "effect_prefix!:string",
  ],
  ProgressView: [
    ...["phase!:string", "done!:integer", "total:integer?null", "unit:string?null"],
    ...["started_at!:string", "heartbeat_at!:string"],
  ],
};

/** What the inbox shows of a turn (contract section 7). */
export const INBOX_ENTRY =
  "turn message_id status received_at_ms ready_at_ms attempt message_bytes origin error progress".split(" ");

export const ERROR_FIELDS = [
  ...["type!:string", "code!:string", "message!:string", "request_id!:string?null", "doc_url!:string?null"],
  ...["param:string?null", "retryable:boolean", "retry_after_seconds:integer"],
];

/** Declared of every operation (contract section 1). */
export const STATUSES = ["200", "400", "401", "403", "404", "409", "429", "500", "503"];
