/**
 * Planted bugs of controls: what a person does to an instance, or to one turn of it, and what a version is pinned for.
 *
 * A person acts on what was on the screen some time ago, and presses the button again when nothing seems to happen. So
 * most of these are a control that acts on more, or on something later, than it names; a scenario has to repeat it,
 * and to send it late, before they show.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const CONTROLS: readonly PlantedBug[] = [
  // Instance by instance. A pause is seen by claims in two places, the index and the identity: without the second one it
  // holds nearly always, and the scenario has to keep the index behind.
  {
    name: "paused-instance-claimed",
    catalogue: "B34, B67",
    file: "src/protocol/claim.ts",
    find: "if (instance.paused || !isClaimable(head, moment.now_ms)) return nothing(null);",
    replace: "if (!isClaimable(head, moment.now_ms)) return nothing(null);",
    about: "A claim that was on its way when its instance was paused takes the turn.",
    caughtBy: ["I09-controls", "I24-linearizable"],
  },
  {
    name: "wake-ends-any-wait",
    catalogue: "B54, B67",
    file: "src/protocol/control.ts",
    find: 'if (head.waiting_for !== "retry" && head.waiting_for !== "capacity") return null;',
    replace: "if (head.waiting_for === null) return null;",
    about: "Waking a turn ends its sleep, too.",
    caughtBy: ["I05-no-lost-update", "I10-no-early-attempt", "I24-linearizable"],
  },
  // Turn by turn. Each control names its turn, and a turn ends once.
  {
    name: "cancel-takes-the-head",
    catalogue: "B67",
    file: "src/protocol/control.ts",
    find: "return turnWritten(instance, cancelled(stored, moment), moment);",
    replace: "return turnWritten(instance, cancelled(inboxHead(instance) ?? stored, moment), moment);",
    about: "A cancellation ends the turn at the head, whichever it names.",
    caughtBy: ["I04-no-foreign-write", "I09-controls", "I24-linearizable"],
  },
  {
    name: "cancellation-comes-too-late",
    catalogue: "B58, B67",
    file: "src/protocol/control.ts",
    find: 'const done = request.action === "skip" ? turn.skipped : turn.status === "cancelled";',
    replace: 'const done = request.action === "skip" ? turn.skipped : turn.finished_at_ms !== null;',
    about: "A turn that completed and moved to history is told to be cancelled.",
    caughtBy: ["I09-controls", "I24-linearizable"],
  },
  // Failed turns: what is left of their attempts, and who decides that they are left out.
  {
    name: "retry-forgives-nothing",
    catalogue: "B74",
    file: "src/protocol/control.ts",
    find: "forgiven_attempts: turn.attempt,",
    replace: "forgiven_attempts: turn.forgiven_attempts,",
    about: "A turn that a person retries has no attempt left.",
    caughtBy: ["I09-controls", "I24-linearizable"],
  },
  {
    name: "retry-repeated-on-a-running-turn",
    catalogue: "B67, B69",
    file: "src/protocol/control.ts",
    find: 'if (turn.status !== "failed" || (turn.skipped && action === "retry"))',
    replace: 'if ((turn.status !== "failed" && turn.attempt === 0) || (turn.skipped && action === "retry"))',
    about: "A retry acts on a turn that has not failed.",
    caughtBy: ["I05-no-lost-update", "I04-single-holder", "I09-controls", "I24-linearizable", "crash"],
  },
  {
    name: "exhausted-turn-not-skipped",
    catalogue: "B73, B74",
    file: "src/protocol/attempt.ts",
    find: 'skipped: instance.on_exhausted === "skip",',
    replace: "skipped: false,",
    about: "A turn that fails for good blocks its inbox although the instance says that it is to be skipped.",
    caughtBy: ["I04-no-foreign-write", "I24-linearizable"],
  },
  // Versions. A replay is for the code that made the steps.
  {
    name: "version-not-looked-at",
    catalogue: "B61, B60",
    file: "src/protocol/claim.ts",
    find: "if (ofType.some((one) => one.version === work.version)) return work.version;",
    replace: "if (ofType.length > 0) return work.version;",
    about: "A worker of another version gets the turn.",
    caughtBy: ["I04-no-foreign-write", "I24-linearizable"],
  },
  // A control, and a signal, for one turn and no other.
  {
    name: "wake-of-another-turn",
    catalogue: "B67",
    file: "src/protocol/control.ts",
    find: "if (head === null || (number !== null && number !== head.number)) return null;",
    replace: "if (head === null) return null;",
    about: "A wake that names a turn which has gone ends the wait of its successor.",
    caughtBy: ["I04-no-foreign-write", "I24-linearizable"],
  },
  {
    name: "signal-to-a-cancelled-turn",
    catalogue: "B63",
    file: "src/protocol/signal.ts",
    find: "if (!isFinished(turn)) return null;",
    replace: 'if (turn.status !== "completed") return null;',
    about: "A cancelled turn that has not moved yet receives a signal.",
    caughtBy: ["I05-no-lost-update", "I13-one-home", "I24-linearizable"],
  },
];
