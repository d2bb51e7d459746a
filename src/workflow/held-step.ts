/**
 * The last finished step of an attempt, while its checkpoint is held back.
 *
 *   J1  at most one step is held: it is saved before the next one begins, and before anything else is saved or said of
 *       the turn. What goes with it in the same call is the completion alone.
 *   J2  it is saved at the next renewal of the lease, if nothing came before: an idle handler keeps no step to itself.
 *   J3  a checkpoint that was begun is waited for; one that was refused fails whatever comes next.
 *
 * When the attempt is over it is lost with it, and the next attempt does the step again under the same effect id. Does
 * not own whether a step may be held (`step-run.ts`).
 */
import type { CheckpointRequest, FoldedStep } from "../vocabulary/requests.ts";
import type { TurnCalls } from "./turn-calls.ts";

export class HeldStep {
  readonly #calls: TurnCalls;
  #step: FoldedStep | null = null;
  #saving: Promise<void> = Promise.resolve();

  constructor(calls: TurnCalls) {
    this.#calls = calls;
    calls.lease.onRenewed(() => void this.save().catch(() => undefined));
  }

  /** The checkpoint of the step that is held and not on its way; null: there is none. */
  get checkpoint(): CheckpointRequest | null {
    return this.#step && { ...this.#calls.lease.request, ...this.#step, kind: "step" };
  }

  hold(step: FoldedStep): void {
    this.#step = step;
  }

  /** Resolves when nothing is held any more (J3). */
  save(): Promise<void> {
    const { checkpoint } = this;
    if (checkpoint === null) return this.#saving;
    this.#step = null;
    this.#saving = this.#calls
      .send((turns, signal) => turns.checkpoint(checkpoint, signal))
      .then(() => undefined);
    return this.#saving;
  }

  /** What the completion takes along: resolves when no checkpoint is under way (J3). */
  async forCompletion(): Promise<readonly FoldedStep[]> {
    await this.#saving;
    return this.#step === null ? [] : [this.#step];
  }

  /** It was saved with the completion. */
  saved(): void {
    this.#step = null;
  }
}
