/**
 * Planted bugs of waits: sleeps, signals, operations, and attempts that are put off.
 *
 * A wait is a promise about a time and about a value, kept by whoever claims next; so most mistakes here are one
 * comparison, one field that is carried on, or one that is not.
 *
 * Some are about what a worker is told only in an answer; there the checker reads the answer, and the document is right.
 *
 * Where the document alone shows it, a checker of the stored versions sees the bug at once; where it is about a time,
 * only one that knows what the deciding node's clock can have shown. Those about repeats need answers that get lost.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const WAITS: readonly PlantedBug[] = [
  // Signals: each in one place, the oldest first, and the deadline decided once.
  {
    name: "taken-signal-received-again",
    catalogue: "B63, B69",
    file: "src/protocol/signal.ts",
    find: "const earlier = turn.signals.find((one) => one.id === request.id);",
    replace: "const earlier = turn.signals.find((one) => one.id === request.id && one.consumed_by === null);",
    about: "An event id that was taken by a step is received a second time.",
    caughtBy: ["I12-signal-conserved", "I24-linearizable"],
  },
  // The next two show only when a turn has more than one signal of a name.
  {
    name: "newest-signal-taken",
    catalogue: "B63",
    file: "src/protocol/wait-signal.ts",
    find: "turn.signals.findIndex(",
    replace: "turn.signals.findLastIndex(",
    about: "A wait takes the newest signal of its name instead of the oldest.",
    caughtBy: ["I12-signal-conserved", "I24-linearizable"],
  },
  {
    name: "taken-signal-stays",
    catalogue: "B64",
    file: "src/protocol/wait-signal.ts",
    find: "signals: turn.signals.with(at, { ...signal, consumed_by: wait.key }),",
    replace:
      "signals: turn.signals.with(at, { ...signal, consumed_by: turn.waiting_for === null ? null : wait.key }),",
    about: "A wait that finds a signal takes its value and leaves it for the next wait.",
    caughtBy: ["I12-signal-conserved", "I24-linearizable"],
  },
  // Signal and deadline decide on one document; which of them comes first is a matter of one comparison.
  {
    name: "signal-ends-wait-too-late",
    catalogue: "B63, B64",
    file: "src/protocol/signal.ts",
    find: "moment.now_ms < wait.wake_at_ms",
    replace: "moment.now_ms <= wait.wake_at_ms + 60_000",
    about: "A signal that comes at or after the deadline ends the wait all the same.",
    caughtBy: ["I12-signal-conserved"],
  },
  {
    name: "signal-does-not-end-wait",
    catalogue: "B64, B53",
    file: "src/protocol/signal.ts",
    find: "const next = endsWait(turn, name, moment) ? woken(buffered, moment) : buffered;",
    replace:
      "const next = endsWait(turn, name, moment) && turn.attempt > 1 ? woken(buffered, moment) : buffered;",
    about: "A signal that comes in time is kept, and the wait runs out with nothing.",
    caughtBy: ["I12-signal-conserved"],
  },
  // After the move the identity knows nothing of the turn, and history has to be asked.
  {
    name: "moved-signal-not-recognised",
    catalogue: "B65, B69",
    file: "src/engine/messages.ts",
    find: ": (repeatedSignal(moved.reply, own) ?? signal(instance, own, moment));",
    replace: ": signal(instance, own, moment);",
    about: "A signal that is sent again after its turn moved to history is refused.",
    caughtBy: ["I12-signal-conserved", "I24-linearizable"],
  },
  // Sleeps, and attempts that go on after them.
  {
    name: "sleep-counted-from-last-change",
    catalogue: "B54, B56",
    file: "src/protocol/checkpoint.ts",
    find: "const step = stepOf(request, moment);",
    replace:
      "const made = stepOf(request, moment);\n  const step = made.delay_ms === null ? made : { ...made, wake_at_ms: turn.created_at_ms + made.delay_ms };",
    about: "A sleep is counted from when its message was admitted.",
    caughtBy: ["I10-no-early-attempt"],
  },
  // Only an execution counts an attempt: two ways to get that wrong, and one to forget whose the suspension was.
  {
    name: "suspended-attempt-counted",
    catalogue: "B74",
    file: "src/protocol/attempt.ts",
    find: 'return turn.holder === null && (end === "suspended" || end === "deferred");',
    replace: 'return turn.holder === null && end === "deferred";',
    about: "Each sleep and each wait for a signal spends an attempt.",
    caughtBy: ["I04-single-holder", "I24-linearizable"],
  },
  {
    name: "put-off-attempt-counted",
    catalogue: "B74",
    file: "src/protocol/attempt.ts",
    find: 'return turn.holder === null && (end === "suspended" || end === "deferred");',
    replace: 'return turn.holder === null && end === "suspended";',
    about: "A worker that is turned away spends an attempt each time.",
    caughtBy: ["I04-single-holder", "I24-linearizable"],
  },
  {
    name: "suspension-not-recognised",
    catalogue: "B70, B45",
    file: "src/protocol/steps.ts",
    find: "return turn.holder?.token === request.token || turn.last_attempt?.token === request.token;",
    replace: "return turn.holder?.token === request.token;",
    about: "A sleep whose answer was lost is refused when it is sent again.",
    caughtBy: ["I16-horizon", "I24-linearizable"],
  },
  // Operations: limits that stand, and what the next attempt gets.
  {
    name: "renewal-extends-operation",
    catalogue: "B35, B39",
    file: "src/protocol/heartbeat.ts",
    find: "return writeTurn(instance, { ...turn, holder }, moment);",
    replace:
      "const operation = turn.operation && { ...turn.operation, deadline_ms: moment.now_ms + turn.operation.timeout_ms };\n  return writeTurn(instance, { ...turn, operation, holder }, moment);",
    about: "A renewed lease gives the operation its whole limit again.",
    caughtBy: ["I05-no-lost-update"],
  },
  // The limits of an operation stand beside the lease: whoever renews one must not renew the other.
  // A limit that nobody looks at is seen by whoever writes after it, and by the index that is told of another end.
  {
    name: "operation-has-no-limit",
    catalogue: "B38, B39",
    file: "src/protocol/attempt.ts",
    find: "if (operation === null || operation.token !== holder.token) return { at_ms, limit };",
    replace:
      "if (operation === null || operation.token !== holder.token || at_ms > 0) return { at_ms, limit };",
    about: "An operation that hangs goes on for as long as its worker renews the lease.",
    caughtBy: ["I22-lease-honoured", "I14-index-derived"],
  },
  {
    name: "resume-checkpoint-lost",
    catalogue: "B45, B72",
    file: "src/protocol/operation.ts",
    find: "checkpoint: before !== null && before.key === key ? before.checkpoint : null,",
    replace: "checkpoint: null,",
    about: "The next attempt at an operation begins from nothing.",
    caughtBy: ["I19-operations", "I24-linearizable"],
  },
  {
    name: "operation-outlives-its-step",
    catalogue: "B45",
    file: "src/protocol/checkpoint.ts",
    find: "operation: null }",
    replace: "operation: turn.operation }",
    about: "A report that comes after its step was saved is still taken.",
    caughtBy: ["I19-operations", "I24-linearizable"],
  },
  // What a view of waiting work shows, and where the work came from.
  {
    name: "continuation-keeps-the-origin",
    catalogue: "B65",
    file: "src/protocol/complete.ts",
    find: 'const origin: Origin = { kind: "continuation", turn: turn.number, message_id: turn.message_id };',
    replace:
      'const origin: Origin = turn.origin ?? { kind: "continuation", turn: turn.number, message_id: turn.message_id };',
    about:
      "A continuation has the origin of the message that was continued, so it looks as if that had come again.",
    caughtBy: ["I05-no-lost-update", "I24-linearizable"],
  },
  {
    name: "inbox-shows-cancelled-turns",
    catalogue: "B67",
    file: "src/protocol/inbox-view.ts",
    find: "const unfinished = instance.turns.filter((turn) => !isFinished(turn));\n  const behind",
    replace:
      'const unfinished = instance.turns.filter((turn) => !isFinished(turn) || turn.status === "cancelled");\n  const behind',
    about: "The inbox lists turns that were cancelled behind the one that runs.",
    caughtBy: ["I24-linearizable"],
  },
  {
    name: "emptied-inbox-listed",
    catalogue: "B58",
    file: "src/protocol/inbox-view.ts",
    find: "if (ages.length === 0) return null;",
    replace: "",
    about:
      "The inbox of a type lists an instance that has nothing to do any more, because the index still has it.",
    caughtBy: ["I24-linearizable"],
  },
  {
    name: "signals-go-to-the-continuation",
    catalogue: "B65",
    file: "src/protocol/complete.ts",
    find: "return queuedTurn(instance, { id, message, origin, reply_to: turn.reply_to }, moment);",
    replace:
      "const signals = turn.signals.filter((one) => one.consumed_by === null);\n  return { ...queuedTurn(instance, { id, message, origin, reply_to: turn.reply_to }, moment), signals };",
    about: "Signals that nobody took go over to the turn's continuation.",
    caughtBy: ["I12-signal-conserved", "I24-linearizable", "I05-no-lost-update"],
  },
  {
    name: "no-back-off-after-operation",
    catalogue: "B29, B80",
    file: "src/protocol/attempt.ts",
    find: 'ready_at_ms: limit === "lease" ? turn.ready_at_ms :',
    replace: 'ready_at_ms: limit !== "progress" ? turn.ready_at_ms :',
    about: "An operation that ran too long is tried again at once.",
    caughtBy: ["I10-no-early-attempt"],
  },
  // Requests that were on their way for long: an old report, a sleep that another attempt has left behind, a failure in
  // the words of a deferral. Nobody sends these on purpose; the workers of the simulation do.
  {
    name: "older-report-accepted",
    catalogue: "B45, B72",
    file: "src/protocol/progress.ts",
    find: "if (sequence <= operation.sequence) {",
    replace: "if (sequence === operation.sequence) {",
    about: "A report that was on its way for long takes the place of a later one.",
    caughtBy: ["I19-operations", "I24-linearizable"],
  },
  {
    name: "repeated-sleep-shown-as-running",
    catalogue: "B70, B30",
    file: "src/protocol/checkpoint.ts",
    find: 'return { ...turn, status: "waiting", waiting_for: saved.kind, holder: null };',
    replace: "return turn;",
    about:
      "An attempt that repeats its sleep is shown the turn as another attempt has it, and goes on beside it.",
    caughtBy: ["I16-horizon", "I24-linearizable"],
  },
  {
    name: "failure-taken-for-a-deferral",
    catalogue: "B70, B74",
    file: "src/protocol/fail.ts",
    find: "if (last?.token === request.token && last.end === end && turn.error === request.error) return answer(turn);",
    replace: "if (last?.token === request.token && turn.error === request.error) return answer(turn);",
    about: "A failure with the words of an earlier deferral is acknowledged and does nothing.",
    caughtBy: ["I19-attempt-fence", "I24-linearizable"],
  },
  // One millisecond: it shows only where a clock stands still for long.
  {
    name: "signal-taken-at-the-deadline",
    catalogue: "B63, B64",
    file: "src/protocol/signal.ts",
    find: "moment.now_ms < wait.wake_at_ms",
    replace: "moment.now_ms <= wait.wake_at_ms",
    about: "A signal that is received in the very millisecond of the deadline ends the wait.",
    caughtBy: ["I12-signal-conserved"],
  },
];
