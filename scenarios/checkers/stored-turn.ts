/**
 * What a stored turn leaves unsaid: a field that is not there holds what it holds in nearly every turn.
 *
 * From the published format (`src/vocabulary/turn-text.ts`), by a table of its own. Whether the fields are what they
 * ought to be is for `shapes.ts`, which looks at the turn afterwards.
 */
import { isObject } from "./shapes.ts";

const NONE: readonly never[] = [];

/** Every field that may be left out, in the order in which filled turns have them. */
const TURN_UNSAID = {
  migrations: NONE,
  origin: null,
  waiting_for: null,
  forgiven_attempts: 0,
  steps: NONE,
  signals: NONE,
  operation: null,
  holder: null,
  last_attempt: null,
  result: null,
  state_after: null,
  completion_digest: null,
  error: null,
  skipped: false,
  finished_at_ms: null,
  reply_to: null,
  continued_to: null,
};
const STEP_UNSAID = { delay_ms: null, wake_at_ms: null, signal_name: null, child_id: null };

/** The turn with everything said; what is no turn at all stays as it is. */
export function filledTurn(value: unknown): unknown {
  if (!isObject(value)) return value;
  const turn = { ...TURN_UNSAID, ...value };
  return Array.isArray(turn.steps) && turn.steps.length > 0
    ? { ...turn, steps: turn.steps.map(filledStep) }
    : turn;
}

function filledStep(value: unknown): unknown {
  return isObject(value) ? { ...STEP_UNSAID, ...value } : value;
}

/** The instance with all its turns filled. */
export function filledInstance(value: unknown): unknown {
  if (!isObject(value) || !Array.isArray(value.turns)) return value;
  return { ...value, turns: value.turns.map(filledTurn) };
}
