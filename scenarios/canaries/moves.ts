/**
 * Planted bugs of what follows a commit: history, the message-ID index, the scheduling index and the listing.
 *
 * All of it comes after the answer was decided, so mistakes here are seen late or by somebody else: the next
 * operation, a reader, the sender who repeats.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const MOVES: readonly PlantedBug[] = [
  // The move to history. A turn is in one place or both, never in none; these open a window in which it is
  // in none, or looks so to one kind of reader.
  {
    name: "turn-dropped-unwritten",
    catalogue: "B43, B77",
    file: "src/documents/history.ts",
    find: "dropMoved(now, through, upkeep)",
    replace: "dropMoved(now, now.history_through + unmovedTurns(now).length, upkeep)",
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
    name: "interrupted-move-believed",
    catalogue: "B43, B77",
    file: "src/engine/messages.ts",
    find: "if (moved.value === null || moved.value > instance.history_through)",
    replace: "if (moved.value === null)",
    about: "A record in the message-ID index is believed although its turn has not moved.",
    caughtBy: ["I16-horizon"],
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
    replace: "const moved = await (own.found ??= this.#history.turnOfMessage(instance, request.id));",
    about: "The message-ID index is asked once and not again for the version that is written in the end.",
    caughtBy: ["I06-one-turn-per-message"],
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
    find: 'String(number).padStart(TURN_DIGITS, "0")',
    replace: 'String(number).padStart(1, "0")',
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
    find: "await this.#history.move(value);",
    replace: "",
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
