/**
 * Planted bugs of families: what is sent back, migrated, or given to a child.
 *
 * Each is a mistake about which of two writes comes first, or about what a name is made of: the steps of these protocols
 * are idempotent only because their names say what they are about.
 *
 * What is looked for: a name that changes from attempt to attempt, a reply that comes too early, twice, or to another
 * turn, a state that is migrated in part, and a message that is sent back for ever.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const FAMILIES: readonly PlantedBug[] = [
  // What a turn sends back.
  {
    name: "requeue-named-by-the-attempt",
    catalogue: "B33, B69",
    file: "src/protocol/requeue.ts",
    find: "const id = requeueId(turn.number, request.key);",
    replace: "const id = requeueId(turn.number, request.key + turn.attempt);",
    about: "Each attempt that sends the same work back makes a message of its own.",
    caughtBy: ["I06-requeued-once"],
  },
  {
    name: "requeue-never-gives-up",
    catalogue: "B74",
    file: "src/protocol/requeue.ts",
    find: "const attempt = 1 + Math.max(0, countOf(turn));",
    replace: "const attempt = 1 + Math.min(2, countOf(turn));",
    about: "Work that cannot be done is sent back for ever, with the last delay.",
    caughtBy: ["I06-requeued-once"],
  },
  {
    name: "deferred-lost-with-completion",
    catalogue: "B24, B30",
    file: "src/protocol/complete.ts",
    find: "{ ...decision.next, state: request.state };",
    replace: "{ ...decision.next, state: request.state, deferred: [] };",
    about: "The completion of the turn that sent work back forgets it.",
    caughtBy: ["I06-requeued-once"],
  },
  // Versions.
  {
    name: "migration-of-a-begun-turn",
    catalogue: "B60, B72",
    file: "src/protocol/claim.ts",
    find: "if (migrates && head.steps.length > 0) return nothing(null);",
    replace: "if (migrates && head.steps.length > 64) return nothing(null);",
    about: "A turn whose steps the old version saved is given to the new one.",
    caughtBy: ["I08-migration"],
  },
  {
    name: "old-version-served-after-migration",
    catalogue: "B60",
    file: "src/protocol/claim.ts",
    find: "if (ofType.some((one) => one.version === work.version)) return work.version;",
    replace: "if (ofType.some((one) => one.version <= work.version)) return work.version;",
    about: "A worker of the old version is given an instance that has gone over to the new one.",
    caughtBy: ["I08-migration", "crash"],
  },
  {
    name: "migration-keeps-the-old-state",
    catalogue: "B37, B60",
    file: "src/protocol/migrate.ts",
    find: "writeTurn({ ...instance, version: to, state },",
    replace: "writeTurn({ ...instance, version: to },",
    about: "The version changes and the state stays as the old version left it.",
    caughtBy: ["I08-migration"],
  },
  // Children and their replies.
  {
    name: "child-named-by-the-attempt",
    catalogue: "B33, B72",
    file: "src/protocol/start-child.ts",
    find: "const hash = sha256(",
    replace: "const hash = sha256(String(turn.attempt) +",
    about: "Each attempt at a step starts a child of its own.",
    caughtBy: ["I12-child-replies"],
  },
  {
    name: "reply-not-waited-for",
    catalogue: "B63, B66",
    file: "src/documents/history.ts",
    find: "    const told = await this.tell(instance, moved);\n    if (!told.ok) return told;\n",
    replace: "    await this.tell(instance, moved);\n",
    about: "The child's turn leaves for history although its parent could not be told.",
    caughtBy: ["I12-child-replies"],
  },
  {
    name: "reply-to-the-newest-turn",
    catalogue: "B66",
    file: "src/protocol/reply.ts",
    find: "turn: to.turn, id, name: to.name, value };",
    replace: "turn: parent.next_turn - 1, id, name: to.name, value };",
    about: "A reply is given to the newest turn of the parent instead of the one that waits.",
    caughtBy: ["I12-child-replies"],
  },
  {
    name: "admitted-requeue-forgotten",
    catalogue: "B69",
    file: "src/protocol/requeue.ts",
    find: "const turn = instance.turns.find((one) => one.message_id === id);",
    replace: "const turn = instance.turns.find((one) => one.message_id === id && one.number < 0);",
    about: "What is sent back again after it became a turn is stored a second time.",
    caughtBy: ["crash", "I06-requeued-once"],
  },
  {
    name: "continued-child-replies",
    catalogue: "B65, B66",
    file: "src/protocol/reply.ts",
    find: "if (to === null || turn.continued_to !== null) return null;",
    replace: "if (to === null) return null;",
    about: "A child that goes on in another turn replies before its work is done.",
    caughtBy: ["I12-child-replies"],
  },
  // What a migration ends, and who makes it. The first needs a worker that died in an operation before the turn had a step,
  // the second one that asks for what it was not told.
  {
    name: "operation-outlives-migration",
    catalogue: "B37, B60",
    file: "src/protocol/migrate.ts",
    find: "    operation: null,",
    replace: "    operation: turn.operation,",
    about: "The new code is handed where the old code was in its operation.",
    caughtBy: ["I08-migration"],
  },
  {
    name: "migration-that-nobody-asked-for",
    catalogue: "B37, B60",
    file: "src/protocol/migrate.ts",
    find: "if (migratesTo !== to || instance.version !== from) {",
    replace: "if ((migratesTo ?? to) !== to || instance.version !== from) {",
    about: "An attempt that was not claimed for a migration makes one.",
    caughtBy: ["I08-migration"],
  },
  // Due times of four minutes and of one in one inbox: a pause has to be longer than both before their order shows.
  {
    name: "deferred-admitted-as-sent",
    catalogue: "B65, B29",
    file: "src/protocol/deferred.ts",
    find: "due.sort((a, b) => a.due_at_ms - b.due_at_ms);",
    replace: "",
    about: "What was sent back becomes turns in the order of sending, not in that of its due times.",
    caughtBy: ["I06-requeued-once"],
  },
];
