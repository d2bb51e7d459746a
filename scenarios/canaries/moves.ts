/**
 * Planted bugs of what follows a commit: history, the memory of message ids, the scheduling index and the listing.
 *
 * All of it comes after the answer was decided, so mistakes here are seen late or by somebody else: the next
 * operation, a reader, the sender who repeats.
 *
 * Bugs of segments and of the memory of message ids are told by the checker of homes, which reads the objects by the
 * published layout, whether or not somebody asked for the turn in that run: a reader meets the object seldom, and by then
 * it may be pruned. How history is cut is drawn for each run, so that some runs have a block for each turn and others
 * blocks of several segments; a bug that needs one of them is seen in that part of the runs only.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const MOVES: readonly PlantedBug[] = [
  // The move to history. A turn is in one place or both, never in none; these open a window in which it is
  // in none, or looks so to one kind of reader.
  {
    name: "turn-dropped-unwritten",
    catalogue: "B43, B77",
    file: "src/documents/history.ts",
    find: "return withoutMoved(instance, through, {",
    replace:
      "return withoutMoved(instance, through > 0 ? (unmovedTurns(instance).at(-1)?.number ?? 0) : 0, {",
    about:
      "The identity drops every turn that has finished by then, also those that this move did not write.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "moved-turn-not-found",
    catalogue: "B43, B49",
    file: "src/engine/reads.ts",
    find: "if (isInHistory(instance, number)) {",
    replace: "if (isInHistory(instance, number) && number < instance.history_through) {",
    about: "The turn that moved to history last is not found by its number.",
    caughtBy: ["I21-absence-proof", "I24-linearizable"],
  },
  {
    name: "unmoved-turns-not-listed",
    catalogue: "B18, B25",
    file: "src/engine/reads.ts",
    find: "const finishedThrough = instance.history_through + unmoved.length;",
    replace:
      "const finishedThrough = Math.min(instance.history_through + unmoved.length, instance.history_through);",
    about: "A page of history leaves out the finished turns that have not moved yet, and looks like its end.",
    caughtBy: ["I24-linearizable"],
  },
  // Repeats that come after the move, or in the middle of it. They need a message that is sent again at
  // just that time, so they are among the rare ones.
  {
    name: "oldest-page-not-asked",
    catalogue: "B69, B70",
    file: "src/protocol/message-ids.ts",
    find: "let page = runFirst(instance.history_pruned_through + 1, size);",
    replace: "let page = runFirst(instance.history_pruned_through + 1, size) + size;",
    about: "A message id is not looked for on the page with the oldest turns that are kept.",
    caughtBy: ["I06-one-turn-per-message", "I16-horizon", "I24-linearizable"],
  },
  {
    name: "moved-completion-not-recognised",
    catalogue: "B69, B70",
    file: "src/engine/attempts.ts",
    find: "if (!isInHistory(instance, request.turn))",
    replace: "if (request.turn > 0)",
    about: "A completion that is sent again after its turn moved to history is told that it lost its turn.",
    caughtBy: ["I16-horizon"],
  },
  {
    name: "message-looked-up-once",
    catalogue: "B69, B73",
    file: "src/engine/messages.ts",
    find: "const moved = await this.#history.turnOfMessage(instance, request.id);",
    replace: "const moved = await (request.found ??= this.#history.turnOfMessage(instance, request.id));",
    about:
      "The memory of message ids is asked once and not again for the version that is written in the end.",
    caughtBy: ["I06-one-turn-per-message"],
  },
  // Segments, and the marks of message ids. Each of these makes an object that cannot be trusted, or trusts one too
  // far. A second mover with another view is rare where nothing goes wrong: it comes with writes that are given up and
  // land late, which the scenario of a history that is behind has most of.
  {
    name: "segment-written-twice",
    catalogue: "B18, B77",
    file: "src/documents/segments.ts",
    find: "segmentCodec.encode({ workflow_id, incarnation, turns: left }),",
    replace: 'segmentCodec.encode({ workflow_id, incarnation, turns: left }),\n        { kind: "none" },',
    about: "A mover writes its segment over the one that another mover has written with other turns.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "segment-with-a-hole",
    catalogue: "B43, B77",
    file: "src/documents/record-codecs.ts",
    find: "turns.map(turnText).join",
    replace: 'turns.filter(({ status }) => status === "completed").map(turnText).join',
    about: "Turns that were cancelled or skipped are left out of their segment.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "segment-across-blocks",
    catalogue: "B43, B77",
    file: "src/protocol/history-move.ts",
    find: "if (first !== block) segments.push([]);",
    replace: "if (block === 0) segments.push([]);",
    about: "A segment goes on behind the end of its block, where nobody looks for its turns.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "segment-taken-over-unread",
    catalogue: "B06, B43",
    file: "src/documents/segments.ts",
    find: "if (written.value === null) return",
    replace: "if (written.ok) return",
    about: "A mover that finds a segment takes it to have all of its own turns.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "marks-out-of-order",
    catalogue: "B69, B70",
    file: "src/protocol/message-ids.ts",
    find: "moved.map((turn) => markOf(turn.message_id))",
    replace: "moved.toReversed().map((turn) => markOf(turn.message_id))",
    about: "Message ids of turns that move together are remembered at the places of other turns.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "marks-forget-cancelled-messages",
    catalogue: "B69, B70",
    file: "src/protocol/message-ids.ts",
    find: "moved.map((turn) => markOf(turn.message_id)).join",
    replace: 'moved.map((turn) => (turn.status === "cancelled" ? "----" : markOf(turn.message_id))).join',
    about: "The message ids of turns that were cancelled are not remembered once the turns have moved.",
    caughtBy: ["I13-one-home", "I06-one-turn-per-message"],
  },
  {
    name: "page-dropped-unwritten",
    catalogue: "B43, B77",
    file: "src/documents/history.ts",
    find: "const there = await this.#objects.pages.write(instance, page);",
    replace: "const there = ok(null);\n      void this.#objects.pages.write(instance, page);",
    about: "The identity drops the marks of a page without waiting for its object.",
    caughtBy: ["I13-one-home"],
  },
  {
    name: "reply-waits-for-its-block",
    catalogue: "B43, B77",
    file: "src/protocol/history-move.ts",
    find: "if (finished.some(owesReply) || ",
    replace: "if (",
    about: "The end of a child's work is told only when a block of its turns is full.",
    caughtBy: ["I13-one-home", "I12-child-replies", "I11-progress"],
  },
  // Identity of messages and turns.
  {
    name: "continuation-id-repeated",
    catalogue: "B65, B66",
    file: "src/protocol/complete.ts",
    find: "{turn.number}`;\n  const origin",
    replace: "{turn.attempt}`;\n  const origin",
    about: "Two continuations of one instance get the same message id.",
    caughtBy: ["I06-one-turn-per-message", "crash", "I13-one-home"],
  },
  {
    name: "failed-turn-taken-for-finished",
    catalogue: "B74",
    file: "src/vocabulary/turn.ts",
    find: 'turn.status === "cancelled" || turn.skipped;',
    replace: 'turn.status === "cancelled" || turn.status === "failed";',
    about: "A turn that failed for good is moved out of the way instead of blocking the inbox.",
    caughtBy: ["crash", "I07-turn-numbers", "I05-no-lost-update"],
  },
  // Keys and the scheduling index. The index is a hint that anybody may find wrong; what must not happen is
  // that it goes back, or that nobody mends it.
  {
    name: "turn-keys-unpadded",
    catalogue: "B26",
    file: "src/documents/keys.ts",
    find: 'String(turn).padStart(TURN_DIGITS, "0")',
    replace: 'String(turn).padStart(1, "0")',
    about: "Turn numbers in keys have no fixed width, so that turn 10 is listed before turn 2.",
    caughtBy: ["I13-one-home", "I15-gc-safe"],
  },
  {
    name: "older-index-entry-accepted",
    catalogue: "B33, B77",
    file: "src/documents/index-mends.ts",
    find: "if (stored !== undefined) return stored.sequence < sequence;",
    replace: "if (stored !== undefined) return stored.sequence !== sequence;",
    about: "An entry made from an older version of its identity replaces a newer one.",
    caughtBy: ["I14-index-derived"],
  },
  {
    name: "listing-mends-nothing",
    catalogue: "B26, B53",
    file: "src/engine/sweeper.ts",
    find: "const mended = await this.#index.mend(entries, gone);",
    replace:
      'const mended = await this.#index.mend(new Map([...entries].filter(([, entry]) => entry.status === "idle")));',
    about: "The periodic listing repairs only entries of instances that have nothing to do.",
    caughtBy: ["I14-index-converges"],
  },
  // The periodic listing, which finishes what others left behind.
  {
    name: "listing-finishes-no-move",
    catalogue: "B43, B77",
    file: "src/engine/sweeper.ts",
    find: "const moved = await this.#history.move(value);",
    replace: "const moved = { ok: true };",
    about: "The periodic listing leaves interrupted moves to history as they are.",
    caughtBy: ["I13-one-home"],
  },
  // One instance that cannot be read must not be everybody's trouble. Nothing but a scenario with a damaged
  // object shows these.
  {
    name: "listing-stops-at-damage",
    catalogue: "B16, B74",
    file: "src/engine/sweeper.ts",
    find: "unread += 1;",
    replace: 'if (!looked.ok && looked.error.kind === "corrupt") return looked;\n        unread += 1;',
    about: "One damaged object ends the periodic listing for all instances.",
    caughtBy: ["I14-index-converges", "I13-one-home", "I18-blast-radius"],
  },
  {
    name: "claim-stops-at-damage",
    catalogue: "B16, B73, B74",
    file: "src/engine/claims.ts",
    find: 'if (claimed.ok ? claimed.value !== null : claimed.error.kind === "unknown-outcome") return claimed;',
    replace: "if (!claimed.ok || claimed.value !== null) return claimed;",
    about: "One instance that cannot be claimed keeps a claim from looking at the others.",
    caughtBy: ["I18-blast-radius", "I11-progress"],
  },
  {
    name: "claim-goes-on-after-unknown",
    catalogue: "B02, B06",
    file: "src/engine/claims.ts",
    find: 'if (claimed.ok ? claimed.value !== null : claimed.error.kind === "unknown-outcome") return claimed;',
    replace: "if (claimed.ok && claimed.value !== null) return claimed;",
    about: "A claim whose outcome is unknown is followed by another one, and the worker hears only of that.",
    caughtBy: ["I01-honest-refusals", "I24-linearizable"],
  },
];
