/**
 * Planted bugs of attempts: leases, tokens, steps, failures and what a worker is handed.
 *
 * The fence is one function that every command has to ask, and a lease is one number that several of them move; so
 * most mistakes here are one call or one field in one command, and the others go on as they should.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const ATTEMPTS: readonly PlantedBug[] = [
  // Who holds a turn. A token is unique to an attempt; a lease decides only how long nobody else may come.
  {
    name: "token-names-the-attempt",
    catalogue: "B07, B33",
    file: "src/engine/claims.ts",
    find: "const fresh = this.#ports.ids.next();",
    replace:
      "const head = inboxHead(instance);\n      const fresh = [instance.id, head?.number, head?.attempt].join();",
    about: "A token names instance, turn and attempt, so two nodes that claim at once make the same one.",
    caughtBy: ["I03-tokens-unique", "I04-single-holder"],
  },
  {
    name: "live-lease-taken",
    catalogue: "B34, B49",
    file: "src/protocol/claim.ts",
    find: "return end !== null && end.at_ms <= nowMs;",
    replace: "return end !== null;",
    about: "A claim takes a turn from an attempt whose lease has not ended.",
    caughtBy: ["I22-lease-honoured"],
  },
  {
    name: "ended-lease-left-alone",
    catalogue: "B38, B39",
    file: "src/protocol/claim.ts",
    find: "return end !== null && end.at_ms <= nowMs;",
    replace: "return end !== null && end.at_ms + 240_000 <= nowMs;",
    about: "A turn whose lease has ended is left to the one that is gone for four more minutes.",
    caughtBy: ["I20-takeover", "I11-progress"],
  },
  {
    name: "lease-end-not-checked",
    catalogue: "B40, B02",
    file: "src/protocol/fence.ts",
    find: "if (end === null || end.at_ms > moment.now_ms) return null;",
    replace: "if (end === null || end.at_ms > 0) return null;",
    about: "A worker goes on writing after its lease has ended, as long as nobody else came.",
    caughtBy: ["I22-lease-honoured"],
  },
  // Renewals. The document hardly shows these: a renewal that stores nothing new looks like none at all, so
  // it takes a checker that reads the answers.
  {
    name: "heartbeat-extends-nothing",
    catalogue: "B35, B39",
    file: "src/protocol/heartbeat.ts",
    find: "deadline_ms: moment.now_ms + instance.lease_ms }",
    replace: "deadline_ms: turn.holder.deadline_ms }",
    about: "A renewal is accepted and the lease ends as if it had not been sent.",
    caughtBy: ["I22-lease-granted"],
  },
  // Counting. Each of these lets one message keep workers busy for longer than its instance allows.
  {
    name: "attempt-not-counted",
    catalogue: "B74",
    file: "src/protocol/claim.ts",
    find: "attempt: ended.attempt + (goesOn ? 0 : 1),",
    replace: "attempt: ended.attempt + (goesOn || head.holder !== null ? 0 : 1),",
    about: "An attempt whose lease ran out is not counted, so a message that kills its worker runs for ever.",
    caughtBy: ["I04-single-holder", "I24-linearizable"],
  },
  {
    name: "one-attempt-too-many",
    catalogue: "B74",
    file: "src/protocol/claim.ts",
    find: "if (!goesOn && isExhausted(ended, instance))",
    replace: "if (!goesOn && isExhausted({ ...ended, attempt: ended.attempt - 1 }, instance))",
    about: "A turn whose last allowed attempt expired gets another one.",
    caughtBy: ["I17-bounded", "I24-linearizable"],
  },
  {
    name: "failed-for-good-tried-again",
    catalogue: "B74",
    file: "src/protocol/fail.ts",
    find: "if (request.non_retryable === true || isExhausted(turn, instance))",
    replace: "if (isExhausted(turn, instance))",
    about: "A failure that its worker called final is tried again.",
    caughtBy: ["I24-linearizable", "I09-terminal-once"],
  },
  // Waiting between attempts.
  {
    name: "back-off-not-doubled",
    catalogue: "B29, B80",
    file: "src/protocol/attempt.ts",
    find: "DEFAULTS.backoffFirstMs * 2 ** (failures - 1)",
    replace: "DEFAULTS.backoffFirstMs * failures ** 0",
    about: "Every failed attempt waits one second, however many there were.",
    caughtBy: ["I10-no-early-attempt"],
  },
  // What an attempt leaves and what the next one gets. Each breaks the promise that a saved step is not
  // done again, or done under an id by which the outside world can tell.
  {
    name: "steps-lost-with-attempt",
    catalogue: "B45, B72",
    file: "src/protocol/claim.ts",
    find: 'steps: ended.waiting_for === "signal" ? timedOut(ended.steps) : ended.steps,',
    replace: "steps: [],",
    about: "A new attempt begins without the steps that the last one saved.",
    caughtBy: ["I05-no-lost-update", "I08-replay"],
  },
  // The fence, command by command. Only `complete` is in the core list; a review that finds it there easily
  // overlooks that every command needs its own.
  {
    name: "step-without-token-check",
    catalogue: "B30, B37",
    file: "src/protocol/checkpoint.ts",
    find: "const fenced = fenceFailure(turn, request, moment) ?? placeFailure(turn, request);",
    replace:
      "const fenced =\n    (turn.holder === null ? fenceFailure(turn, request, moment) : null) ?? placeFailure(turn, request);",
    about: "A step is saved for whoever sends it while anybody holds the turn.",
    caughtBy: ["I04-no-foreign-write", "I19-attempt-fence"],
  },
  {
    name: "failure-without-token-check",
    catalogue: "B75, B37",
    file: "src/protocol/fail.ts",
    find: "const fenced = fenceFailure(turn, request, moment);",
    replace: "const fenced = turn.holder === null ? fenceFailure(turn, request, moment) : null;",
    about: "An attempt that lost its turn ends the attempt of its successor.",
    caughtBy: ["I04-no-foreign-write", "I19-attempt-fence"],
  },
  // What a task says. The document is right and the worker is told something else.
  {
    name: "effect-id-of-the-attempt",
    catalogue: "B45, B72",
    file: "src/protocol/view.ts",
    find: "turn.message_id}`;",
    replace: "turn.message_id + turn.attempt}`;",
    about: "Each attempt has effect ids of its own, so the outside world cannot tell a repeat.",
    caughtBy: ["I06-steps-once", "I08-replay"],
  },
  {
    name: "state-of-another-turn",
    catalogue: "B37, B60",
    file: "src/protocol/view.ts",
    find: "state: copyJson(instance.state),\n    turn: turnView(instance.id, turn),",
    replace:
      "state: copyJson(turn.attempt > 1 ? (instance.turns[0]?.state_after ?? instance.state) : instance.state),\n    turn: turnView(instance.id, turn),",
    about: "A later attempt is handed the state that the oldest kept turn left.",
    caughtBy: ["I19-attempt-fence", "I24-linearizable", "I05-state-is-fold"],
  },
];
