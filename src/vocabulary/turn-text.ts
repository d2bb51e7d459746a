/**
 * The stored text of a turn, and the turn that a stored one means.
 *
 *   X1  a field that holds what it holds in nearly every turn (null, none, no, 0) is left out of the text, in steps
 *       too; reading fills it in. `stored` and `turnOf` are that table, once for each direction.
 *   X2  the same turn has the same text, whoever made the object: fields stand in the order of the table.
 *
 * The text is made once for each turn object: turns are immutable and mostly unchanged from one version of their
 * instance to the next, while the instance is written again and again. It lives as long as the turn does.
 *
 * Not owned: what a body looks like around a turn, and whether it can be trusted (`documents`).
 */
import type { Step, Turn } from "./turn.ts";

/** A step as it is stored. */
export type StoredStep = Pick<Step, "key" | "kind" | "output" | "at_ms"> & Partial<Step>;

type AlwaysThere =
  | "number"
  | "message_id"
  | "message"
  | "version"
  | "status"
  | "attempt"
  | "created_at_ms"
  | "updated_at_ms"
  | "ready_at_ms"
  | "sequence";

/** A turn as it is stored. */
export type StoredTurn = Pick<Turn, AlwaysThere> &
  Partial<Omit<Turn, "steps">> & { readonly steps?: readonly StoredStep[] };

const NONE: readonly never[] = [];
const TEXTS = new WeakMap<Turn, string>();

export function turnText(turn: Turn): string {
  const known = TEXTS.get(turn);
  if (known !== undefined) return known;
  const text = JSON.stringify(stored(turn));
  TEXTS.set(turn, text);
  return text;
}

/** X1, writing: `undefined` is no JSON, so `JSON.stringify` leaves the field out. */
function stored(turn: Turn) {
  return {
    number: turn.number,
    message_id: turn.message_id,
    message: turn.message,
    version: turn.version,
    migrations: some(turn.migrations),
    origin: turn.origin ?? undefined,
    status: turn.status,
    waiting_for: turn.waiting_for ?? undefined,
    attempt: turn.attempt,
    forgiven_attempts: turn.forgiven_attempts === 0 ? undefined : turn.forgiven_attempts,
    created_at_ms: turn.created_at_ms,
    updated_at_ms: turn.updated_at_ms,
    ready_at_ms: turn.ready_at_ms,
    steps: turn.steps.length === 0 ? undefined : turn.steps.map(storedStep),
    signals: some(turn.signals),
    operation: turn.operation ?? undefined,
    holder: turn.holder ?? undefined,
    last_attempt: turn.last_attempt ?? undefined,
    result: turn.result ?? undefined,
    state_after: turn.state_after ?? undefined,
    completion_digest: turn.completion_digest ?? undefined,
    error: turn.error ?? undefined,
    skipped: turn.skipped ? true : undefined,
    finished_at_ms: turn.finished_at_ms ?? undefined,
    reply_to: turn.reply_to ?? undefined,
    continued_to: turn.continued_to ?? undefined,
    sequence: turn.sequence,
  } satisfies { readonly [field in keyof Turn]: unknown };
}

function storedStep(step: Step) {
  return {
    key: step.key,
    kind: step.kind,
    output: step.output,
    at_ms: step.at_ms,
    delay_ms: step.delay_ms ?? undefined,
    wake_at_ms: step.wake_at_ms ?? undefined,
    signal_name: step.signal_name ?? undefined,
    child_id: step.child_id ?? undefined,
  } satisfies { readonly [field in keyof Step]: unknown };
}

/** X1, reading. All turns that it answers have one shape, see `instance-text.ts`. */
export function turnOf(turn: StoredTurn): Turn {
  return stampedTurn(turn, turn.updated_at_ms, turn.sequence);
}

/** The same for a turn that was changed just now: written at that time, under that sequence. */
export function stampedTurn(turn: StoredTurn, updated_at_ms: number, sequence: number): Turn {
  return {
    number: turn.number,
    message_id: turn.message_id,
    message: turn.message,
    version: turn.version,
    migrations: turn.migrations ?? NONE,
    origin: turn.origin ?? null,
    status: turn.status,
    waiting_for: turn.waiting_for ?? null,
    attempt: turn.attempt,
    forgiven_attempts: turn.forgiven_attempts ?? 0,
    created_at_ms: turn.created_at_ms,
    updated_at_ms,
    ready_at_ms: turn.ready_at_ms,
    steps: turn.steps === undefined ? NONE : turn.steps.map(stepOf),
    signals: turn.signals ?? NONE,
    operation: turn.operation ?? null,
    holder: turn.holder ?? null,
    last_attempt: turn.last_attempt ?? null,
    result: turn.result ?? null,
    state_after: turn.state_after ?? null,
    completion_digest: turn.completion_digest ?? null,
    error: turn.error ?? null,
    skipped: turn.skipped ?? false,
    finished_at_ms: turn.finished_at_ms ?? null,
    reply_to: turn.reply_to ?? null,
    continued_to: turn.continued_to ?? null,
    sequence,
  };
}

function stepOf(step: StoredStep): Step {
  return {
    key: step.key,
    kind: step.kind,
    output: step.output,
    at_ms: step.at_ms,
    delay_ms: step.delay_ms ?? null,
    wake_at_ms: step.wake_at_ms ?? null,
    signal_name: step.signal_name ?? null,
    child_id: step.child_id ?? null,
  };
}

/** The list, unless it is empty. */
export function some<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}
