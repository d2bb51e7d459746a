/**
 * Planted bugs of the engine's core: one each for the promises that everything else rests on.
 *
 * Each names the checkers of which one must see it; which of them does first depends on the run. The lists beside this
 * one grow it by area: `writes`, `attempts`, `moves`, and `ambient` for what goes past the ports.
 *
 * Kept small: the edit is the bug, its sentence says what a
 * person would have believed.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const CORE: readonly PlantedBug[] = [
  // Attempts and history: the two promises that a user notices first.
  {
    name: "complete-without-token-check",
    catalogue: "B30, B37, B75",
    file: "src/protocol/complete.ts",
    find: "const fenced = fenceFailure(turn, request, moment);",
    replace: "const fenced = null;",
    about: "A completion is accepted from any attempt, also from one that lost its lease.",
    caughtBy: ["I04-no-foreign-write", "I19-attempt-fence", "I09-terminal-once", "I04-single-holder"],
  },
  {
    name: "history-dropped-before-written",
    catalogue: "B43, B77",
    file: "src/documents/history.ts",
    find: "const last = await this.#objects.segments.write(instance, segment);",
    replace:
      "const last = ok(segment.at(-1)?.number ?? end);\n      void this.#objects.segments.write(instance, segment);",
    about: "The identity drops finished turns without waiting for their segment.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "own-412-applied-again",
    catalogue: "B01, B04",
    file: "src/documents/write-once.ts",
    find: 'if (found.kind === "ok")',
    replace:
      'if (meaning.kind === "refused") await ports.store.put(key, body, { kind: "none" });\n    if (found.kind === "ok")',
    about: "A refusal of the own history write is taken for a loss, and the object is written again.",
    caughtBy: ["I13-one-home"],
  },
  // Clocks, and the order of the three objects that one commit touches.
  {
    name: "lease-judged-by-wrong-clock",
    catalogue: "B34",
    file: "src/protocol/claim.ts",
    find: "deadline_ms: moment.now_ms + instance.lease_ms,",
    replace: "deadline_ms: head.ready_at_ms + instance.lease_ms,",
    about: "A lease is counted from the time that the sender's node wrote, not from the claiming node's own.",
    caughtBy: ["I10-no-early-attempt", "I22-lease-honoured"],
  },
  {
    name: "message-index-not-consulted",
    catalogue: "B69, B70",
    file: "src/documents/history.ts",
    find: "return here.length + away.length === 0 ? ok(null)",
    replace: "return here.length + away.length >= 0 ? ok(null)",
    about: "A message id is looked for in the inbox only, not among the turns that have moved.",
    caughtBy: ["I06-one-turn-per-message"],
  },
  {
    name: "index-entry-removed-before-commit",
    catalogue: "B53, B77",
    file: "src/documents/instances.ts",
    find: "const decision = await decided(carrying, command, moment);",
    replace:
      'const decision = await decided(carrying, command, moment);\n      if (decision.kind === "write") await this.#index.mend(new Map([[id, { ...entryOf(instance, { sequence: moment.sequence, write_id: "", lineage: [] }), status: "idle", ready_at_ms: null }]]));',
    about:
      "Before a commit the index says that there is nothing to do, and what follows the commit may be missed.",
    caughtBy: ["I14-index-converges", "I11-progress"],
  },
  // Unknown outcomes. The first two differ only in what the caller may believe.
  {
    name: "unknown-told-as-settled",
    catalogue: "B11, B12",
    file: "src/documents/conditional-write.ts",
    find: "if (this.#unsettled.length === 0 && !this.#blind) return settledFailure;",
    replace: "if (!this.#blind || this.#blind) return settledFailure;",
    about: "With an own write still in flight, the caller is told that nothing happened.",
    caughtBy: ["I01-honest-refusals", "I05-acknowledged"],
  },
  {
    name: "late-write-forgotten",
    catalogue: "B11, B12",
    file: "src/documents/conditional-write.ts",
    find: "if (this.#unsettled.length > 0 && current !== null) return this.#write(current, current.value, null);",
    replace: "this.#unsettled = [];",
    about: "A refusal is answered although an own earlier write can still land: no barrier is written.",
    caughtBy: ["I01-honest-refusals"],
  },
  // Conditions and status codes.
  {
    name: "unconditional-write",
    catalogue: "B30, B37",
    file: "src/documents/conditional-write.ts",
    find: "const condition = base === null ? IF_ABSENT : ifMatch(base.etag);",
    replace: 'const condition = base === null ? IF_ABSENT : ({ kind: "none" } as const);',
    about: "The identity is written whatever it holds now.",
    caughtBy: ["I05-no-lost-update", "I02-write-order"],
  },
  {
    name: "conflict-taken-for-applied",
    catalogue: "B10, B15",
    file: "src/documents/status-table.ts",
    find: 'case "conflict":\n    case "unknown-outcome":\n      return { kind: "unknown", waitMs: 0 };',
    replace:
      'case "conflict":\n      return { kind: "applied", etag: "" };\n    case "unknown-outcome":\n      return { kind: "unknown", waitMs: 0 };',
    about: "A 409 is reported as success.",
    caughtBy: ["I05-acknowledged"],
  },
  // Once, in order, not too early, and with its successor.
  {
    name: "repeated-send-admitted-twice",
    catalogue: "B69, B73",
    file: "src/protocol/send.ts",
    find: "if (earlier !== undefined) return repeatedSend(earlier, request);",
    replace:
      'if (earlier !== undefined && earlier.status !== "queued") return repeatedSend(earlier, request);',
    about: "A message that is sent again while its turn is queued is admitted a second time.",
    caughtBy: ["I06-one-turn-per-message", "crash"],
  },
  {
    name: "back-off-forgotten",
    catalogue: "B54, B56",
    file: "src/protocol/claim.ts",
    find: 'if (head.status === "queued" || head.status === "waiting") return head.ready_at_ms <= nowMs;',
    replace: 'if (head.status === "queued" || head.status === "waiting") return true;',
    about: "A turn is claimed before its back-off has passed.",
    caughtBy: ["I10-no-early-attempt"],
  },
  {
    name: "continuation-lost",
    catalogue: "B65",
    file: "src/protocol/complete.ts",
    find: "return write({ ...next, next_turn: next_turn + 1, turns: [...turns, successor] }, decision.reply);",
    replace: "return write({ ...next, next_turn, turns }, decision.reply);",
    about: "The continuation is answered but not stored.",
    caughtBy: ["I05-acknowledged", "I05-state-is-fold", "I11-progress"],
  },
];
