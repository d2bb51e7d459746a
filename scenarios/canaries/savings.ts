/**
 * Planted bugs of what a node saves itself: reads of versions that it remembers, writes that several callers share, and
 * notes that the scheduling index is told later.
 *
 * Each of these is off in a quarter of the runs, so a bug here is hunted in the other ones. What is only lost, and found
 * again by the next listing, is no bug by the promise of the index; such edits (a note that is lost, or never written)
 * are not in the list. Bugs of segments, of marks and of the order of notes are in `moves.ts`, of turns that are handed
 * over in `handoff.ts`.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const SAVINGS: readonly PlantedBug[] = [
  // Versions that a node remembers.
  {
    name: "remembered-version-answered",
    catalogue: "B58, B72",
    file: "src/documents/conditional-write.ts",
    find: 'if (remembered !== null && decision.kind !== "write") {',
    replace: 'if (remembered !== null && decision.kind === "nothing") {',
    about: "What is refused or answered without a write is decided on a version that the node remembers.",
    caughtBy: ["I01-honest-refusals", "I24-linearizable", "I16-horizon"],
  },
  {
    name: "remembered-version-believed-after-refusal",
    catalogue: "B30, B37",
    file: "src/documents/conditional-write.ts",
    find: "const current = loadedFrom(read);",
    replace:
      "const fresh = loadedFrom(read);\n    const old = this.#unsettled[0]?.base ?? null;\n    const current = fresh !== null && old !== null && this.#refusals === 0 ? { ...fresh, value: old.value } : fresh;",
    about:
      "After a refused write the node reads the new version's etag, and goes on with what it remembered.",
    caughtBy: ["I05-no-lost-update", "I04-single-holder", "I24-linearizable"],
  },
  // Writes that several callers share.
  {
    name: "group-answers-the-wrong-caller",
    catalogue: "B29, B49",
    file: "src/documents/group-commit.ts",
    find: "waiting.push(memberOf(company, question, resolve, reject));",
    replace:
      'const to = { resolve };\n        const before = waiting.at(-1);\n        if (company === "shared" && before?.to !== undefined) [to.resolve, before.to.resolve] = [before.to.resolve, resolve];\n        const member = memberOf(company, question, (result) => to.resolve(result), reject);\n        if (company === "shared") member.to = to;\n        waiting.push(member);',
    about: "Two callers whose commands share a write are each told what became of the other's.",
    caughtBy: ["I05-acknowledged", "I06-one-turn-per-message", "I24-linearizable"],
  },
  {
    name: "group-member-blind-to-the-earlier",
    catalogue: "B37, B29",
    file: "src/documents/group-commit.ts",
    find: "const decision = await member.decide(current, { ...moment, sequence });",
    replace: "const decision = await member.decide(stored, { ...moment, sequence });",
    about:
      "Each command of a group is decided on what was stored, so that the last one takes the others' place.",
    caughtBy: ["I02-write-order", "I05-acknowledged", "I24-linearizable"],
  },
  {
    name: "group-has-one-sequence",
    catalogue: "B29",
    file: "src/documents/group-commit.ts",
    find: "const sequence = moment.sequence + writes;",
    replace: "const sequence = moment.sequence;",
    about: "The changes that a group makes in one write all have the same sequence.",
    caughtBy: ["I02-write-order", "I24-linearizable"],
  },
  {
    name: "unknown-group-told-as-refused",
    catalogue: "B45, B49",
    file: "src/documents/group-commit.ts",
    find: "else for (const member of members) member.fail(settled.error);",
    replace: "else for (const member of members) member.refuse();",
    about: "When it is not known whether a group was written, its callers are told that they were refused.",
    caughtBy: ["I01-honest-refusals", "I24-linearizable"],
  },
  // Notes that the scheduling index is told later.
  {
    name: "idle-entries-trimmed",
    catalogue: "B43",
    file: "src/documents/index-mends.ts",
    find: "const entries = new Map([...stored.entries, ...news]);",
    replace:
      'const entries = new Map([...[...stored.entries].filter(([, { status }]) => status !== "idle"), ...news]);',
    about: "A write of the index drops the entries of instances that have nothing to do.",
    caughtBy: ["I14-index-converges", "I14-index-derived", "I27-budget"],
  },
];
