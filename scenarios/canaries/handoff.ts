/**
 * Planted bugs of what one write does for several: steps that a completion saves, and the turn that it grants.
 *
 * What is saved, and who may have the next turn, is decided by the same functions as without the fold; so each mistake
 * here is at the seam, where one command's outcome becomes the next one's document, or where a repeat is answered.
 *
 * The turn that goes with an admission has one seam more: who waits on the node is told apart from who sends, so a write
 * has to be settled before either is answered, for just one that waits.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const HANDOFF: readonly PlantedBug[] = [
  // Steps that were held back.
  {
    name: "fold-loses-a-step",
    catalogue: "B67, B72",
    file: "src/protocol/fold.ts",
    find: "for (const given of request.steps ?? []) {",
    replace: "for (const given of request.steps?.slice(1) ?? []) {",
    about: "The first step that a completion saves is left out when there is nothing to be placed before it.",
    caughtBy: ["I04-no-foreign-write", "I05-acknowledged"],
  },
  {
    name: "fold-saves-a-step-twice",
    catalogue: "B69, B72",
    file: "src/protocol/fold.ts",
    find: "next = saving(next, stepOf(step, moment));",
    replace:
      "next = saving(saving(next, stepOf(step, moment)), stepOf({ ...step, key: step.key + 'x' }, moment));",
    about: "A step that a completion saves stands in the turn a second time, at another position.",
    caughtBy: ["I04-no-foreign-write", "I06-steps-once", "I08-replay"],
  },
  // The turn that is claimed with a completion.
  {
    name: "grant-while-paused",
    catalogue: "B67",
    file: "src/protocol/claim.ts",
    find: "if (instance.paused || !isClaimable(head, moment.now_ms)) return nothing(null);",
    replace:
      "if ((instance.paused && command.granted_by === undefined) || !isClaimable(head, moment.now_ms)) return nothing(null);",
    about: "A completion claims the next turn although a person has paused the instance.",
    caughtBy: ["I09-controls", "I24-linearizable"],
  },
  {
    name: "grant-for-another-version",
    catalogue: "B58, B60",
    file: "src/protocol/complete-and-claim.ts",
    find: "const command = { worker, workflows, token: token(), granted_by: turn.number };",
    replace:
      "const command = { worker, workflows: [...workflows, after], token: token(), granted_by: turn.number };",
    about: "A completion claims the next turn for code of a version that its worker does not name.",
    caughtBy: ["I04-no-foreign-write", "I24-linearizable"],
  },
  {
    name: "grant-repeated-under-another-token",
    catalogue: "B07, B32",
    file: "src/protocol/complete-and-claim.ts",
    find: "return isOwn ? head : null;",
    replace: "return isOwn ? { ...head, holder: { ...head.holder, token: head.holder.token + 'x' } } : null;",
    about: "A completion that is sent again hands out a second token for the turn that it granted.",
    caughtBy: ["I03-tokens-unique", "I19-attempt-fence", "I24-linearizable"],
  },
  {
    name: "grant-answered-unwritten",
    catalogue: "B45, B49",
    file: "src/protocol/complete-and-claim.ts",
    find: "return write(claimed.next, { turn, next: claimed.reply });",
    replace: "return write(after, { turn, next: claimed.reply });",
    about: "A completion answers a task whose claim is not in the document that it writes.",
    caughtBy: ["I19-attempt-fence", "I24-linearizable"],
  },
  // The turn that is claimed with an admission.
  {
    name: "one-waiter-offered-twice",
    catalogue: "B06, B47",
    file: "src/engine/handing.ts",
    find: "this.#offer.end(ok(claimedTask(value, reply.claimed ?? reply.turn, this.#effectScope)));",
    replace:
      "const task = ok(claimedTask(value, reply.claimed ?? reply.turn, this.#effectScope));\n      this.#offer.end(task);\n      this.#waits.offer(value)?.end(task);",
    about: "The turn that was claimed with its admission is handed to two claims that wait.",
    caughtBy: ["I03-tokens-unique", "I24-linearizable"],
  },
  {
    name: "turn-handed-although-refused",
    catalogue: "B45, B49",
    file: "src/engine/handing.ts",
    find: 'if (decision.kind === "write" && decision.reply.claimed !== null) this.#promised = true;',
    replace:
      'if (decision.kind === "write" && decision.reply.claimed !== null)\n      this.#offer.end(ok(claimedTask(decision.next, decision.reply.claimed, this.#effectScope)));',
    about:
      "A claim that waits is handed the turn as soon as that is decided, also when the write is refused.",
    caughtBy: ["I19-attempt-fence", "I24-linearizable"],
  },
  {
    name: "turn-handed-to-another-version",
    catalogue: "B58, B60",
    file: "src/engine/waits.ts",
    find: "if (!isFree(waiter) || !serves(waiter, work)) continue;\n      if (waiter.untilMs <= nowMs || this.#isOver(waiter.gone)) continue;\n      waiter.promised = true;\n      return {\n        request: waiter.request,",
    replace:
      "if (!isFree(waiter) || waiter.untilMs <= nowMs || this.#isOver(waiter.gone)) continue;\n      waiter.promised = true;\n      return {\n        request: { ...waiter.request, workflows: [work] },",
    about: "A turn is handed to whoever waits longest, whatever code that claim named.",
    caughtBy: ["I04-no-foreign-write", "I24-linearizable"],
  },
  {
    name: "turn-handed-while-paused",
    catalogue: "B67",
    file: "src/protocol/admit-and-claim.ts",
    find: 'claim(next, command, moment);\n  if (claimed?.kind !== "write" || claimed.reply === null) return write(next, { turn, claimed: null });\n  return write(claimed.next,',
    replace:
      'claim({ ...next, paused: false }, command, moment);\n  if (claimed?.kind !== "write" || claimed.reply === null) return write(next, { turn, claimed: null });\n  return write({ ...claimed.next, paused: next.paused },',
    about: "A message to a paused instance is claimed for the claim that waits.",
    caughtBy: ["I09-controls", "I24-linearizable"],
  },
  {
    name: "handed-turn-told-as-nothing",
    catalogue: "B45, B75",
    file: "src/engine/handing.ts",
    find: "this.#offer.end(this.#promised && unsure ? err(UNKNOWN) : null);",
    replace: "this.#offer.end(this.#promised && unsure ? ok(null) : null);",
    about: "A claim is told that there is no work although a turn may have been claimed for it.",
    caughtBy: ["I01-honest-refusals", "I24-linearizable"],
  },
];
