/**
 * Planted bugs of conditional writes and reads: what an answer of the store means, and what a write is made from.
 *
 * Several promises are kept twice here (write ids in lineages, commands that recognise their repeats), so that some
 * plausible mistakes break nothing; those are not in the list.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const WRITES: readonly PlantedBug[] = [
  // What an own write is told by.
  {
    name: "write-id-repeated",
    catalogue: "B07, B08",
    file: "src/documents/conditional-write.ts",
    find: "nextStamp(base?.stamp ?? null, sequence, this.#ports.ids.next())",
    replace:
      "nextStamp(base?.stamp ?? null, sequence, this.#unsettled[0]?.stamp.write_id ?? this.#ports.ids.next())",
    about: "A write that is tried again keeps its id, so a barrier is taken for the write that it rules out.",
    caughtBy: [
      "I01-honest-refusals",
      "I14-index-derived",
      "I19-attempt-fence",
      "I05-acknowledged",
      "I24-linearizable",
    ],
  },
  {
    name: "own-refusal-told-as-conflict",
    catalogue: "B01, B03, B04",
    file: "src/documents/conditional-write.ts",
    find: "this.#refusals += 1;",
    replace:
      'this.#refusals += 1;\n    if (this.#refusals > 0) return this.#done(err(failure("conflict", "write_conflict", "another write came first")));',
    about: "A 412 is told as a lost race without looking whether the own write is there.",
    caughtBy: ["I01-honest-refusals", "I24-linearizable"],
  },
  // What a write is conditional on.
  {
    name: "decision-made-once",
    catalogue: "B37, B30",
    file: "src/documents/conditional-write.ts",
    find: "this.#decide = decide;",
    replace:
      "let made: ReturnType<typeof decide> | null = null;\n    this.#decide = (current, moment) => (made ??= decide(current, moment));",
    about: "After a lost race the document decided on before is written over the new one.",
    caughtBy: ["I04-single-holder", "I05-no-lost-update", "I24-linearizable"],
  },
  {
    name: "created-without-condition",
    catalogue: "B18, B21, B48",
    file: "src/documents/conditional-write.ts",
    find: "const condition = base === null ? IF_ABSENT : ifMatch(base.etag);",
    replace: 'const condition = base === null ? ({ kind: "none" } as const) : ifMatch(base.etag);',
    about: "An object that was not there when it was read is written without a condition.",
    caughtBy: ["I05-no-lost-update", "I02-write-order", "I14-index-derived"],
  },
  // What a read may be taken for.
  {
    name: "unanswered-read-taken-for-absence",
    catalogue: "B11, B25",
    file: "src/documents/read.ts",
    find: 'case "unknown-outcome":\n      return { kind: "unread", waitMs: 0 };',
    replace: 'case "unknown-outcome":\n      return { kind: "absent" };',
    about: "A read without an answer counts as: there is no such object.",
    caughtBy: ["I21-absence-proof", "I24-linearizable", "I06-one-turn-per-message"],
  },
  {
    name: "reads-from-memory",
    catalogue: "B58, B72",
    file: "src/documents/instances.ts",
    find: "    return ok({ stamp: read.value.stamp, value: instance });",
    replace:
      "    const seen = (this.seen ??= new Map());\n    const kept = seen.get(id);\n    if (kept !== undefined && kept.atMs + 2_000 > this.#ports.clock.monotonicMs()) return ok(kept.value);\n    seen.set(id, { atMs: this.#ports.clock.monotonicMs(), value: { stamp: read.value.stamp, value: instance } });\n    return ok({ stamp: read.value.stamp, value: instance });",
    about: "A node answers reads from an identity that it has read before and that may have changed since.",
    caughtBy: ["I24-linearizable"],
  },
  // Repeats that carry the same id.
  {
    name: "repeated-creation-starts-anew",
    catalogue: "B18, B48",
    file: "src/protocol/create.ts",
    find: "if (identity.initial_digest === digest) return answer(identity);",
    replace: "if (identity.initial_digest === digest) return create(null, request, incarnation, moment);",
    about: "A creation that is sent again starts the instance anew.",
    caughtBy: ["I05-no-lost-update"],
  },
  {
    name: "changed-message-accepted",
    catalogue: "B69, B70",
    file: "src/protocol/send.ts",
    find: "if (sameJson(earlier.message, request.message)) return answer(earlier);",
    replace: "if (earlier.message_id === request.id) return answer(earlier);",
    about: "Another payload under a known message id is answered as if it had been admitted.",
    caughtBy: ["I16-horizon", "I05-acknowledged", "I24-linearizable"],
  },
];
