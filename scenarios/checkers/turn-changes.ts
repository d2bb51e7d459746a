/**
 * What one write changed in one turn.
 *
 *   G3  the fields that differ say which kind of change it was; a field that this kind does not touch, and that
 *       differs all the same, is a `forbidden` change. `updated_at_ms` and `sequence` may always differ.
 *       One write is one command, so several changes of a turn in one write are an attempt that ends and the next.
 *   G4  a turn that has finished never changes at all.
 *   G5  steps only append. The last one may get an output while it is a wait that is not over.
 *       A claim may end such a wait with nothing, a signal may end it with its value; nobody else may touch it.
 *   G6  signals only append, and each is consumed once, by the step that the same write saved or ended. Several in one
 *       write are as many changes, in their order; nothing else is changed with them.
 *   G7  a completion may save steps in its own write, each of them a change of its own before the end.
 */
import type { Holder, Operation, Signal, Step, Turn } from "../../src/index.ts";
import { forbidden, isOver, type What } from "./kinds.ts";
import { same } from "./same.ts";

/** Every field of a turn but the two that may always differ. */
const FIELDS = [
  "number",
  "message_id",
  "message",
  "version",
  "origin",
  "created_at_ms",
  "status",
  "waiting_for",
  "attempt",
  "forgiven_attempts",
  "ready_at_ms",
  "steps",
  "signals",
  "operation",
  "holder",
  "last_attempt",
  "result",
  "state_after",
  "completion_digest",
  "error",
  "skipped",
  "finished_at_ms",
  "continued_to",
  "migrations",
  "reply_to",
] as const;
type Field = (typeof FIELDS)[number];

const RELEASE: readonly Field[] = ["status", "holder", "last_attempt"];
const FAILURE: readonly Field[] = [...RELEASE, "ready_at_ms", "error", "finished_at_ms", "skipped"];
/** The fields that each kind of change may touch. */
const TOUCHES: { readonly [kind: string]: readonly Field[] } = {
  claimed: ["status", "waiting_for", "attempt", "holder", "steps", "version"],
  renewed: ["holder"],
  saved: ["steps", "operation", "signals"],
  migrated: ["version", "migrations", "operation", "holder"],
  started: ["operation"],
  progressed: ["operation"],
  signalled: ["signals", "steps", "status", "waiting_for", "ready_at_ms"],
  completed: [
    ...RELEASE,
    "result",
    "state_after",
    "operation",
    "completion_digest",
    "error",
    "finished_at_ms",
    "continued_to",
  ],
  failed: FAILURE,
  expired: FAILURE,
  suspended: [...RELEASE, "steps", "operation", "waiting_for", "ready_at_ms"],
  deferred: [...RELEASE, "waiting_for", "ready_at_ms", "error"],
  woken: ["status", "waiting_for", "ready_at_ms"],
  retried: ["status", "forgiven_attempts", "ready_at_ms", "finished_at_ms"],
  skipped: ["skipped"],
  cancelled: [...RELEASE, "waiting_for", "finished_at_ms"],
};

/** Appends the changes from `a` to `b`, two versions of one turn. */
export function turnChanges(a: Turn, b: Turn, out: What[]): void {
  if (isOver(a)) {
    if (!same(a, b)) out.push(forbidden(`turn ${a.number} changed after it finished`));
    return;
  }
  let now = a;
  for (const then of betweenSignals(a, b)) {
    oneChange(now, then, out);
    now = then;
  }
  oneChange(now, b, out);
}

/** G6: the turn after each signal but the last of several that one write brought. */
function betweenSignals(a: Turn, b: Turn): readonly Turn[] {
  const between: Turn[] = [];
  let now = a;
  for (let count = a.signals.length + 1; count < b.signals.length; count++) {
    const signals = [...now.signals, ...b.signals.slice(count - 1, count)];
    const ends = now.waiting_for === "signal" && signals.at(-1)?.consumed_by != null;
    now = { ...(ends ? b : now), signals };
    between.push(now);
  }
  return between;
}

/** Appends the changes from `a` to `b`, between which at most one signal came. */
function oneChange(a: Turn, b: Turn, out: What[]): void {
  const differing = FIELDS.filter((field) => !same(a[field], b[field]));
  if (differing.length === 0) return;
  const first = out.length;
  classify(a, b, out);
  if (b.attempt < a.attempt) out.push(forbidden(`turn ${a.number} counted an attempt back`));
  const kinds = out.slice(first).map(({ kind }) => kind);
  if (kinds.includes("forbidden")) return;
  for (const field of differing)
    if (!kinds.some((kind) => TOUCHES[kind]?.includes(field) === true))
      out.push(forbidden(`turn ${a.number}: ${field} changed with "${kinds.join(" and ")}"`));
}

/** Finds the changes by who held the turn before and who does after. */
function classify(a: Turn, b: Turn, out: What[]): void {
  if (!same(a.message, b.message) || a.message_id !== b.message_id || a.number !== b.number) {
    out.push(forbidden(`turn ${a.number} got another message`));
    return;
  }
  const wrong = stepFault(a, b) ?? signalFault(a, b);
  if (wrong !== null) out.push(forbidden(wrong));
  else if (b.status === "cancelled") out.push({ kind: "cancelled", was: a, turn: b, held: a.holder });
  else if (a.holder === null) freeChanges(a, b, out);
  else heldChanges(a, b, a.holder, out);
}

/** What happened to a turn that nobody held. */
function freeChanges(a: Turn, b: Turn, out: What[]): void {
  const signal = b.signals[a.signals.length];
  const grown = b.steps.length > a.steps.length;
  if (grown) out.push(forbidden(`turn ${a.number} got a step while nobody held it`));
  if (b.holder !== null) claimed(a, b, b.holder, out);
  else if (signal !== undefined) signalled(a, b, signal, out);
  else if (a.status === "failed" && b.status === "queued") out.push({ kind: "retried", was: a, turn: b });
  else if (a.status === "failed" && b.skipped) out.push({ kind: "skipped", was: a, turn: b });
  else if (isDeferred(a) && b.status === "queued") out.push({ kind: "woken", was: a, turn: b });
  else if (!grown)
    out.push(forbidden(`turn ${a.number} went from ${a.status} to ${b.status} while nobody held it`));
}

/** Whether the turn waits without spending an attempt: a person may end that. */
function isDeferred(turn: Turn): boolean {
  return turn.waiting_for === "retry" || turn.waiting_for === "capacity";
}

/** A claim of a turn that nobody held; a wait that nothing ended is over with it. */
function claimed(a: Turn, b: Turn, holder: Holder, out: What[]): void {
  const position = a.steps.length - 1;
  const step = b.steps[position];
  const waited = a.waiting_for === "signal" && step !== undefined;
  if (waited && same(step.output, { received: false, value: null }))
    out.push({ kind: "timed-out", was: a, turn: b, position, step });
  else if (waited || (b.steps.length === a.steps.length && !same(a.steps, b.steps)))
    out.push(forbidden(`turn ${a.number} was claimed and its last step is not a wait that timed out`));
  out.push({ kind: "claimed", was: a, turn: b, holder });
}

/** The turn received an event; one that ends a wait has to be the one that the wait takes. */
function signalled(a: Turn, b: Turn, signal: Signal, out: What[]): void {
  const woke = a.waiting_for === "signal" && b.waiting_for === null ? (b.steps.at(-1) ?? null) : null;
  if (woke === null) {
    if (a.status !== b.status || a.ready_at_ms !== b.ready_at_ms || !same(a.steps, b.steps))
      out.push(forbidden(`turn ${a.number} changed with a signal that ended no wait`));
  } else if (signal.consumed_by !== woke.key || b.status !== "queued")
    out.push(forbidden(`turn ${a.number} was woken by a signal that its wait did not take`));
  out.push({ kind: "signalled", was: a, turn: b, signal, woke });
}

/** What happened to a turn that an attempt held. */
function heldChanges(a: Turn, b: Turn, holder: Holder, out: What[]): void {
  const held = { was: a, turn: b, holder };
  if (b.holder !== null && b.holder.token === holder.token) {
    if (b.holder.worker !== holder.worker) out.push(forbidden(`turn ${a.number} changed its worker alone`));
    if (b.holder.deadline_ms !== holder.deadline_ms) out.push({ kind: "renewed", ...held });
    if (b.migrations.length > a.migrations.length) out.push({ kind: "migrated", ...held });
    appended(a, b, (position, step) => out.push({ kind: "saved", ...held, position, step }));
    const signal = b.signals[a.signals.length];
    if (signal !== undefined) out.push({ kind: "signalled", was: a, turn: b, signal, woke: null });
    if (b.operation !== null && !same(a.operation, b.operation))
      operated(a.operation, b.operation, held, out);
    return;
  }
  ended(held, out);
  if (b.holder !== null) out.push({ kind: "claimed", was: a, turn: b, holder: b.holder });
  else if (b.status === "running") out.push(forbidden(`turn ${a.number} is running and nobody holds it`));
}

interface Held {
  readonly was: Turn;
  readonly turn: Turn;
  readonly holder: Holder;
}

/** How the attempt let go, as the turn itself says. A wrong token is for I04 to see. */
function ended(held: Held, out: What[]): void {
  const { was, turn } = held;
  const end = turn.last_attempt?.end;
  if (turn.holder === null && end === "suspended") {
    let placed = 0;
    appended(was, turn, (position, step) => {
      placed++;
      out.push({ kind: "suspended", ...held, position, step });
    });
    if (placed !== 1) out.push(forbidden(`turn ${turn.number} was suspended with ${placed} new steps`));
  } else if (turn.status === "completed") {
    appended(was, turn, (position, step) => out.push({ kind: "saved", ...held, position, step }));
    out.push({ kind: "completed", ...held });
  } else if (turn.steps.length !== was.steps.length)
    out.push(forbidden(`turn ${turn.number} got a step as its attempt ended`));
  else if (turn.holder === null && (end === "failed" || end === "deferred")) out.push({ kind: end, ...held });
  else out.push({ kind: "expired", ...held });
  // A person may act on a turn whose last attempt ran out of time, although nobody came to claim it.
  if (turn.forgiven_attempts > was.forgiven_attempts) out.push({ kind: "retried", was, turn });
}

/** An operation started, or told of its progress: its own fields say which. */
function operated(before: Operation | null, now: Operation, held: Held, out: What[]): void {
  if (before === null || before.token !== now.token || before.key !== now.key) {
    out.push({ kind: "started", ...held, operation: now });
    return;
  }
  const { sequence, details, checkpoint, last_heartbeat_ms } = now;
  if (!same({ ...before, sequence, details, checkpoint, last_heartbeat_ms }, now))
    out.push(forbidden(`the limits of operation ${now.key} of turn ${held.turn.number} moved`));
  out.push({ kind: "progressed", ...held, operation: now });
}

function appended(a: Turn, b: Turn, each: (position: number, step: Step) => void): void {
  for (let position = a.steps.length; position < b.steps.length; position++) {
    const step = b.steps[position];
    if (step !== undefined) each(position, step);
  }
}

/** G5: what is wrong with the steps, or null. */
function stepFault(a: Turn, b: Turn): string | null {
  for (const [position, step] of a.steps.entries()) {
    const next = b.steps[position];
    if (next !== undefined && same(step, next)) continue;
    const waits = a.waiting_for === "signal" && position === a.steps.length - 1 && step.output === null;
    if (next === undefined || !waits || !same({ ...step, output: null }, { ...next, output: null }))
      return `a saved step of turn ${a.number} changed or was lost`;
  }
  return null;
}

/** G6: what is wrong with the signals, or null. */
function signalFault(a: Turn, b: Turn): string | null {
  if (b.signals.length > a.signals.length + 1) return `turn ${a.number} got several signals in one write`;
  let consumed = 0;
  for (const [position, next] of b.signals.entries()) {
    const signal = a.signals[position] ?? { ...next, consumed_by: null };
    if (same(signal, next)) continue;
    if (signal.consumed_by !== null || !same({ ...signal, consumed_by: next.consumed_by }, next))
      return `a signal of turn ${a.number} changed after its receipt`;
    if (b.steps.at(-1)?.key !== next.consumed_by)
      return `signal ${next.id} was taken by a step that does not wait`;
    consumed++;
  }
  if (b.signals.length < a.signals.length) return `a signal of turn ${a.number} was lost`;
  return consumed > 1 ? `one step of turn ${a.number} took several signals` : null;
}
