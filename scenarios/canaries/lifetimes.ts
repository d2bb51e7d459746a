/**
 * Planted bugs of lifetimes: deletion and new lives, retention, blobs.
 *
 * Nearly all of them are a thing removed too early, or a key used again: nothing looks wrong until a write that was on its
 * way lands, or somebody asks for what is gone. So most of them are caught by the checker that holds each removal against
 * what allowed it, whether or not somebody missed the object in that run.
 *
 * Each names the checkers that see it, the plainest first: a run may be red for several, because what is gone is missed by
 * workers and readers, too. In which scenario and run it is seen at once stands in `seen-in.ts`.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const LIFETIMES: readonly PlantedBug[] = [
  // Deletion. The order is everything: tombstone, erasure, note, next life; and each life has keys of its own.
  {
    name: "key-reused-across-lives",
    catalogue: "B31, B49",
    file: "src/documents/keys.ts",
    find: "this.#history + lifeOf(owner)",
    replace: "this.#history + lifeOf({ ...owner, life: 1 })",
    about: "A later life of an id has the history keys of the one before.",
    caughtBy: ["I25-lives", "I13-one-home", "I15-gc-safe", "I02-write-order"],
  },
  {
    name: "tombstone-removed",
    catalogue: "B18, B31, B48",
    file: "src/documents/erasure.ts",
    find: "return this.#note(id, { life, through: turns_through, all: true });",
    replace: "return removeObjects(this.#ports, [this.#keys.instance(id)]);",
    about: "The tombstone is removed once everything else is gone, so that the next life is the first again.",
    caughtBy: ["I15-gc-safe", "I25-lives", "I02-write-order"],
  },
  {
    name: "erasure-before-tombstone",
    catalogue: "B48, B77",
    file: "src/documents/instances.ts",
    find: "return over ? deletion(current, moment) : refuse(told.error);",
    replace:
      'void this.#ports.store.delete(this.#keys.segment(instance, 1), { kind: "none" });\n      return over ? deletion(current, moment) : refuse(told.error);',
    about:
      "History begins to go before the tombstone is written, while the deletion may still come to nothing.",
    caughtBy: ["I15-gc-safe"],
  },
  {
    name: "life-begins-over-unfinished-erasure",
    catalogue: "B31, B77",
    file: "src/documents/instances.ts",
    find: "if (current !== null && isTombstone(current) && !current.erased) return refuse(UNERASED);",
    replace:
      "if (current !== null && isTombstone(current) && !current.erased)\n          return decide({ ...current, erased: true }, moment);",
    about: "An id is created again while the deletion before is not finished, and what was left of it stays.",
    caughtBy: ["I25-lives"],
  },
  {
    name: "deletion-acknowledged-to-all",
    catalogue: "B01, B48",
    file: "src/protocol/deletion.ts",
    find: "if (isTombstone(identity)) return nothing(false);",
    replace: "if (isTombstone(identity)) return nothing(true);",
    about: "Each call that finds an instance deleted is told that it was this very call.",
    caughtBy: ["I25-lives"],
  },
  {
    name: "blobs-outlive-their-life",
    catalogue: "B43, B77",
    file: "src/documents/erasure.ts",
    find: "for (const prefix of [this.#keys.history(tombstone), this.#keys.blobs(tombstone)]) {",
    replace: "for (const prefix of [this.#keys.history(tombstone)]) {",
    about: "A deleted instance leaves its blobs behind.",
    caughtBy: ["I25-lives"],
  },
  {
    name: "index-entry-of-the-old-life",
    catalogue: "B33, B49",
    file: "src/documents/index-mends.ts",
    find: "return (removed.get(id) ?? 0) < sequence;\n}\n\n/** Nothing",
    replace: "return removed.size >= 0 || sequence > 0;\n}\n\n/** Nothing",
    about: "The index takes an entry that was made before its instance was deleted.",
    caughtBy: ["I25-lives"],
  },
  // Retention. What is kept is told by turn numbers, and objects hold several turns: so a bound that is off by a part of a
  // block or a page takes what is kept along. The identity says first what is pruned; segments and pages follow, whole ones only.
  {
    name: "pruned-turn-answered",
    catalogue: "B69, B70",
    file: "src/documents/history.ts",
    find: "if (number <= instance.history_pruned_through) continue;",
    replace: "if (number <= 0) continue;",
    about: "A message id whose turn was pruned is answered with that turn instead of being new.",
    caughtBy: ["I16-horizon", "I25-lives", "I11-progress"],
  },
  {
    name: "page-erased-while-kept",
    catalogue: "B69, B70",
    file: "src/documents/id-pages.ts",
    find: "first + size - 1 <= through; first += size)",
    replace: "first <= through; first += size)",
    about: "A page of message ids is removed while turns of it are kept.",
    caughtBy: ["I15-gc-safe"],
  },
  {
    name: "kept-turn-erased",
    catalogue: "B11, B47",
    file: "src/documents/history.ts",
    find: "const through = Math.min(erasableThrough(instance), ",
    replace: "const through = Math.min(runsThrough(instance.history_through, layout.segment_turns), ",
    about: "Segments of turns that have moved go before the identity says that they are pruned.",
    caughtBy: ["I15-gc-safe", "crash"],
  },
  {
    name: "block-erased-in-part",
    catalogue: "B11, B47",
    file: "src/protocol/retention.ts",
    find: "return runsThrough(history_pruned_through, history_layout.segment_turns);",
    replace: "return history_layout.segment_turns > 0 ? history_pruned_through : 0;",
    about: "A block is erased when its first turns are pruned although later ones are kept.",
    caughtBy: ["I15-gc-safe", "crash"],
  },
  // Blobs. What may be swept may not be named any more, and the other way round: one rule, asked from two sides.
  {
    name: "named-blob-swept",
    catalogue: "B11, B31",
    file: "src/documents/blob-objects.ts",
    find: "return blob !== null && mayBeSwept(now, blob);",
    replace: "return blob !== null && blob.tag <= now.history_pruned_through;",
    about: "A blob goes when its tag was pruned although the state still names it.",
    caughtBy: ["I15-gc-safe", "I15-blobs"],
  },
  {
    name: "given-up-blob-named",
    catalogue: "B31, B47",
    file: "src/protocol/blob-names.ts",
    find: "return !mayBeSwept(instance, blob);",
    replace: "return blob.tag >= 0 || !mayBeSwept(instance, blob);",
    about: "A message may name a blob that was given up and swept.",
    caughtBy: ["I15-blobs"],
  },
  // Graphs. The head first, then the instances, then the note; a creation looks at the head before it answers.
  {
    name: "epoch-begins-over-unfinished-erasure",
    catalogue: "B31, B49",
    file: "src/documents/graph-head.ts",
    find: "return head !== null && !head.live && !head.erased ? refuse(UNERASED_GRAPH) : createGraph(head);",
    replace: "return createGraph(head === null ? null : { ...head, erased: true });",
    about: "A graph is made again while instances of its last epoch still take writes.",
    caughtBy: ["I25-graphs"],
  },
  {
    name: "epoch-repeated",
    catalogue: "B32, B49",
    file: "src/protocol/graph.ts",
    find: "return write({ epoch: 1 + (head?.epoch ?? 0), live: true, erased: false }, true);",
    replace: "return write({ epoch: Math.max(1, head?.epoch ?? 0), live: true, erased: false }, true);",
    about: "A graph that is made again has the epoch of the one before.",
    caughtBy: ["I25-graphs"],
  },
];
