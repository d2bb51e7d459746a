/**
 * The stored text of an instance without its turns, and the instance that a stored one means.
 *
 *   X3  as in `turn-text.ts`: a field that holds what it holds in nearly every instance is left out; `stored` and
 *       `instanceOf` are that table, once for each direction, and fields stand in the order of the table.
 *   X4  every object that `instanceOf` answers has one shape. Documents that come from many places as many shapes are
 *       slow to copy and to read; so each version passes here before it is written.
 *
 * The text is made once for each instance object, for it is written and counted; it lives as long as the object does.
 */
import { DEFAULT_LAYOUT } from "./history-layout.ts";
import type { Instance } from "./instance.ts";
import { type StoredTurn, some } from "./turn-text.ts";

type MayBeLeftOut =
  | "life"
  | "on_exhausted"
  | "paused"
  | "history_through"
  | "history_pruned_through"
  | "history_erased_through"
  | "history_marks"
  | "history_layout"
  | "history_ids"
  | "blobs"
  | "deferred";

/** An instance as it is stored. */
export type StoredInstance = Omit<Instance, MayBeLeftOut | "turns"> &
  Partial<Pick<Instance, MayBeLeftOut>> & { readonly turns: readonly StoredTurn[] };

const NONE: readonly never[] = [];
const NO_BLOBS: Instance["blobs"] = {};
const TEXTS = new WeakMap<Instance, string>();

/** JSON text of the instance, without the field `turns`. */
export function instanceText(instance: Instance): string {
  const known = TEXTS.get(instance);
  if (known !== undefined) return known;
  const text = JSON.stringify(stored(instance));
  TEXTS.set(instance, text);
  return text;
}

/** X3, writing. */
function stored(instance: Instance) {
  return {
    id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    incarnation: instance.incarnation,
    life: instance.life === 1 ? undefined : instance.life,
    lease_ms: instance.lease_ms,
    max_attempts: instance.max_attempts,
    on_exhausted: instance.on_exhausted === "block" ? undefined : instance.on_exhausted,
    initial_digest: instance.initial_digest,
    created_at_ms: instance.created_at_ms,
    updated_at_ms: instance.updated_at_ms,
    paused: instance.paused ? true : undefined,
    state: instance.state,
    completed_turns: instance.completed_turns,
    next_turn: instance.next_turn,
    history_through: unlessZero(instance.history_through),
    history_pruned_through: unlessZero(instance.history_pruned_through),
    history_erased_through: unlessZero(instance.history_erased_through),
    history_marks: some(instance.history_marks),
    history_layout: isDefault(instance.history_layout) ? undefined : instance.history_layout,
    history_ids: instance.history_ids === "" ? undefined : instance.history_ids,
    blobs: Object.keys(instance.blobs).length === 0 ? undefined : instance.blobs,
    turns: undefined,
    deferred: some(instance.deferred),
  } satisfies { readonly [field in keyof Instance]: unknown };
}

/** X3, reading; X4. */
export function instanceOf(instance: StoredInstance, turns: Instance["turns"]): Instance {
  return {
    id: instance.id,
    workflow_type: instance.workflow_type,
    version: instance.version,
    incarnation: instance.incarnation,
    life: instance.life ?? 1,
    lease_ms: instance.lease_ms,
    max_attempts: instance.max_attempts,
    on_exhausted: instance.on_exhausted ?? "block",
    initial_digest: instance.initial_digest,
    created_at_ms: instance.created_at_ms,
    updated_at_ms: instance.updated_at_ms,
    paused: instance.paused ?? false,
    state: instance.state,
    completed_turns: instance.completed_turns,
    next_turn: instance.next_turn,
    history_through: instance.history_through ?? 0,
    history_pruned_through: instance.history_pruned_through ?? 0,
    history_erased_through: instance.history_erased_through ?? 0,
    history_marks: instance.history_marks ?? NONE,
    history_layout: instance.history_layout ?? DEFAULT_LAYOUT,
    history_ids: instance.history_ids ?? "",
    blobs: instance.blobs ?? NO_BLOBS,
    turns,
    deferred: instance.deferred ?? NONE,
  };
}

/** The same instance, of that one shape (X4). */
export function shapedInstance(instance: Instance): Instance {
  const made = instanceOf(instance, instance.turns);
  const text = TEXTS.get(instance);
  if (text !== undefined) TEXTS.set(made, text);
  return made;
}

function unlessZero(value: number): number | undefined {
  return value === 0 ? undefined : value;
}

function isDefault({ segment_turns, page_turns }: Instance["history_layout"]): boolean {
  return segment_turns === DEFAULT_LAYOUT.segment_turns && page_turns === DEFAULT_LAYOUT.page_turns;
}
