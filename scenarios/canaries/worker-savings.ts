/**
 * Planted bugs of what a worker saves itself: steps that it holds back, starts that it records late, and turns that come
 * with a completion.
 *
 * A step that is held back is in nobody's hands but the worker's: when it is forgotten the turn goes on, completes or fails
 * as it should, and only who looks at what was done and what was sent can tell. A turn that comes with a completion is
 * held before anybody has asked for it in so many words, so a worker that stops must not overlook it.
 *
 * `caughtBy` names the invariant that speaks of the mistake itself. The other bugs of the worker are in `worker.ts`; those
 * of the engine's part, which saves the steps and grants the turn, in `handoff.ts`.
 */
import type { PlantedBug } from "../../sim/index.ts";

export const WORKER_SAVINGS: readonly PlantedBug[] = [
  // Steps that are held back: forgotten, saved too late, at another place, or twice.
  {
    name: "held-step-lost-with-a-failure",
    catalogue: "B60, B72",
    file: "src/workflow/turn-run.ts",
    find: "      await this.#saveHeld();\n",
    replace: "",
    about: "A finished step is forgotten when its handler throws, and done again by the next attempt.",
    caughtBy: ["I28-steps"],
  },
  {
    name: "held-step-lost-with-a-release",
    catalogue: "B44, B72",
    file: "src/workflow/turn-run.ts",
    find: "if (checkpoint !== null && lease.isHeld) {",
    replace: "if (checkpoint !== null && !lease.isHeld) {",
    about: "A finished step is forgotten when a stopping worker gives the turn back.",
    caughtBy: ["I28-steps"],
  },
  {
    name: "held-step-saved-behind-the-next",
    catalogue: "B60, B67",
    file: "src/workflow/step-run.ts",
    find: "  await held.save();\n  const watch",
    replace: "  void held.save().catch(() => undefined);\n  const watch",
    about: "The next step begins while the one before is still on its way to be saved.",
    caughtBy: ["I28-steps"],
  },
  {
    name: "fold-moves-a-step",
    catalogue: "B67, B72",
    file: "src/workflow/completion.ts",
    find: "(steps.length === 0 ? {} : { steps })",
    replace:
      "(steps.length === 0 ? {} : { steps: steps.map((step) => ({ ...step, position: step.position + 1 })) })",
    about: "A completion names another place for its step than the one where it was done.",
    caughtBy: ["I28-steps"],
  },
  {
    name: "fold-saves-a-saved-step",
    catalogue: "B69",
    file: "src/workflow/held-step.ts",
    find: "    this.#step = null;\n    this.#saving = this.#calls",
    replace: "    this.#saving = this.#calls",
    about: "A step that was saved at a renewal goes with the completion once more.",
    caughtBy: ["I28-steps"],
  },
  // Starts: what outlives a renewal, or has a limit of its own, is known to the engine.
  {
    name: "long-step-never-recorded",
    catalogue: "B37",
    file: "src/workflow/step-run.ts",
    find: "const unwatch = lease.onRenewed(() => start.recordLate());",
    replace: "const unwatch = lease.onRenewed(() => undefined);",
    about:
      "The start of a step that outlives a renewal is recorded by nobody, and its limits are not watched.",
    caughtBy: ["I28-steps"],
  },
  {
    name: "limited-step-recorded-late",
    catalogue: "B37",
    file: "src/workflow/step-run.ts",
    find: 'return savings.recordOperations === "long" && timeoutMs',
    replace: 'return savings.recordOperations === "long" || timeoutMs',
    about: "A step with a limit of its own begins before anybody knows of the limit.",
    caughtBy: ["I28-steps"],
  },
  // The turn that comes with a completion: it is the worker's from the write on, and a stop is a stop for it, too.
  {
    name: "next-turn-run-after-the-stop",
    catalogue: "B44",
    file: "src/workflow/worker.ts",
    find: "if (workflow === undefined || this.#stopped) run.release",
    replace: "if (workflow === undefined) run.release",
    about: "A worker that was told to stop runs the turn that came with its last completion.",
    caughtBy: ["I28-drain"],
  },
  {
    name: "next-turn-dropped-at-the-stop",
    catalogue: "B41, B44",
    file: "src/workflow/worker.ts",
    find: "      return run.next;\n",
    replace: "      return this.#stopped ? null : run.next;\n",
    about: "A worker that stops keeps quiet about the turn that came with its last completion.",
    caughtBy: ["I28-drain"],
  },
  {
    name: "next-turn-asked-for-after-the-stop",
    catalogue: "B44",
    file: "src/workflow/worker.ts",
    find: "next: () => (mayAsk() && !this.#stopped ?",
    replace: "next: () => (mayAsk() ?",
    about: "A worker that was told to stop asks for another turn with each completion.",
    caughtBy: ["I28-drain"],
  },
  {
    name: "lease-of-the-next-turn-counted-from-its-answer",
    catalogue: "B35, B40",
    file: "src/workflow/completion.ts",
    find: "return task && { task, claimedAtMs };",
    replace: "return task && { task, claimedAtMs: clock.monotonicMs() };",
    about: "The lease of a turn that came with a completion is believed to begin when the answer came.",
    caughtBy: ["I28-lease-watched"],
  },
];
