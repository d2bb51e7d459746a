/**
 * Codes of refusal: those that a comparison has to see, and those that it cannot.
 *
 *   W1  a test holds both lists against the engine's source, so that a new code needs a counterpart in the model, or a
 *       reason here.
 *   W2  a code that is seen and stands in neither list is a difference like any other: the model does not know it.
 *
 * Does not own what a code means (the engine's `errors.ts`), nor how a comparison is made (`episode.ts`): it is only the
 * list of what has to come up.
 */

/** Seen by a run that is long enough. */
export const SEEN_CODES: readonly string[] = [
  "blob_gone",
  "blob_not_found",
  "completion_conflict",
  "error_too_long",
  "graph_fixed",
  "graph_full",
  "graph_not_found",
  "inbox_full",
  "instance_conflict",
  "instance_not_found",
  "invalid_action",
  "invalid_boolean",
  "invalid_error",
  "invalid_instances",
  "invalid_json",
  "invalid_kind",
  "invalid_migrates_from",
  "invalid_name",
  "invalid_next",
  "invalid_number",
  "invalid_on_exhausted",
  "invalid_origin",
  "invalid_progress",
  "invalid_reason",
  "invalid_reference",
  "invalid_steps",
  "invalid_token",
  "lease_expired",
  "lease_lost",
  "message_conflict",
  "migration_pending",
  "no_migration",
  "no_operation",
  "no_workflows",
  "operation_conflict",
  "operation_expired",
  "progress_out_of_order",
  "reason_without_wait",
  "requeue_conflict",
  "reserved_message_id",
  "reserved_signal",
  "reserved_workflow_id",
  "reserved_workflow_type",
  "retry_of_final",
  "retry_too_soon",
  "signal_conflict",
  "sleep_with_output",
  "step_conflict",
  "step_key_conflict",
  "step_out_of_order",
  "step_with_delay",
  "too_many_signals",
  "too_many_steps",
  "turn_cancelled",
  "turn_finished",
  "turn_not_found",
  "turn_not_in_state",
  "turn_too_large",
  "value_too_large",
];

const FAULTS = "the store fails, or answers nothing";
const RACES = "another call comes between";
const DAMAGE = "an object is damaged";

/** Rare things that have to come up: what commands come to that share their write, as the model calls it. */
export const SEEN_DEEDS: readonly string[] = [
  "next turn given",
  "next turn told again",
  "steps folded",
  "turn handed over",
];

/** With the reason why one node that is asked one thing after another, over a sound store, never answers it. */
export const UNSEEN_CODES: { readonly [code: string]: string } = {
  all_refused: "stands for the refusals of a group; each caller hears its own",
  child_conflict: RACES,
  child_deleted: RACES,
  child_started: RACES,
  closed: "tells the sweeper that its list is closed; no caller hears it",
  erasure_unfinished: FAULTS,
  graph_deletion_unfinished: FAULTS,
  history_behind: FAULTS,
  history_moved_on: RACES,
  instance_recreated: RACES,
  list_endless: FAULTS,
  object_corrupt: DAMAGE,
  outcome_unknown: FAULTS,
  store_unavailable: FAULTS,
  too_many_blobs: "takes more commands than an episode has; the limits' own tests see it",
  work_waited_for: RACES,
};
