/**
 * What stored turns and instances leave unsaid: a field that is not there holds what it nearly always holds.
 *
 * From the published format (`src/vocabulary/turn-text.ts`, `instance-text.ts`), by a table of its own. Whether the fields are what they
 * ought to be is for `shapes.ts`, which looks at them afterwards. Written out, because it runs for each turn of
 * each version: all filled ones have one shape.
 */
import type { Instance, Step, Turn } from "../../src/index.ts";
import { isObject } from "./shapes.ts";

const NONE: readonly never[] = [];
const NO_BLOBS = {};
const DEFAULT_LAYOUT = { segment_turns: 32, page_turns: 256 };

/** The turn with everything said; what is no turn at all stays as it is. */
export function filledTurn(value: unknown): unknown {
  if (!isObject(value)) return value;
  return {
    number: value.number,
    message_id: value.message_id,
    message: value.message,
    version: value.version,
    migrations: value.migrations ?? NONE,
    origin: value.origin ?? null,
    status: value.status,
    waiting_for: value.waiting_for ?? null,
    attempt: value.attempt,
    forgiven_attempts: value.forgiven_attempts ?? 0,
    created_at_ms: value.created_at_ms,
    updated_at_ms: value.updated_at_ms,
    ready_at_ms: value.ready_at_ms,
    steps: Array.isArray(value.steps) ? value.steps.map(filledStep) : (value.steps ?? NONE),
    signals: value.signals ?? NONE,
    operation: value.operation ?? null,
    holder: value.holder ?? null,
    last_attempt: value.last_attempt ?? null,
    result: value.result ?? null,
    state_after: value.state_after ?? null,
    completion_digest: value.completion_digest ?? null,
    error: value.error ?? null,
    skipped: value.skipped ?? false,
    finished_at_ms: value.finished_at_ms ?? null,
    reply_to: value.reply_to ?? null,
    continued_to: value.continued_to ?? null,
    sequence: value.sequence,
  } satisfies { readonly [field in keyof Turn]: unknown };
}

function filledStep(value: unknown): unknown {
  if (!isObject(value)) return value;
  return {
    key: value.key,
    kind: value.kind,
    output: value.output,
    at_ms: value.at_ms,
    delay_ms: value.delay_ms ?? null,
    wake_at_ms: value.wake_at_ms ?? null,
    signal_name: value.signal_name ?? null,
    child_id: value.child_id ?? null,
  } satisfies { readonly [field in keyof Step]: unknown };
}

/** The instance with everything said, also of its turns. */
export function filledInstance(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.turns)) return value;
  return {
    id: value.id,
    workflow_type: value.workflow_type,
    version: value.version,
    incarnation: value.incarnation,
    life: value.life ?? 1,
    lease_ms: value.lease_ms,
    max_attempts: value.max_attempts,
    on_exhausted: value.on_exhausted ?? "block",
    initial_digest: value.initial_digest,
    created_at_ms: value.created_at_ms,
    updated_at_ms: value.updated_at_ms,
    paused: value.paused ?? false,
    state: value.state,
    completed_turns: value.completed_turns,
    next_turn: value.next_turn,
    history_through: value.history_through ?? 0,
    history_pruned_through: value.history_pruned_through ?? 0,
    history_erased_through: value.history_erased_through ?? 0,
    history_marks: value.history_marks ?? NONE,
    history_layout: value.history_layout ?? DEFAULT_LAYOUT,
    history_ids: value.history_ids ?? "",
    blobs: value.blobs ?? NO_BLOBS,
    turns: value.turns.map(filledTurn),
    deferred: value.deferred ?? NONE,
  } satisfies { readonly [field in keyof Instance]: unknown };
}
