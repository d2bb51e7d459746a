/**
 * The world outside the engine: the effects that workers perform on it, and whether there is still work to do.
 *
 * It survives every crash, as a payment provider or a mail server would, and keeps what was asked of it. It does
 * not refuse a repeated effect id: whether repeats are right is for the checkers.
 */

/** One performance of a step's effect. */
export interface Effect {
  readonly effectId: string;
  readonly workflowId: string;
  readonly turn: number;
  /** The step's key. */
  readonly key: string;
  readonly worker: string;
  /** The attempt that performed it. */
  readonly token: string;
  readonly atMs: number;
}

export class Outside {
  readonly effects: Effect[] = [];
  /** Messages and instances that senders have still to bring in. */
  unsent = 0;
  /** Set when the workload is done: workers claim no more. */
  closed = false;

  /** How often the worker of each turn was turned away. */
  readonly #away = new Map<string, number>();

  /** Whether the worker of this turn is turned away now, as it is so many times in all. */
  turnsAway(workflowId: string, turn: number, times: number): boolean {
    const name = `${workflowId} ${turn}`;
    const before = this.#away.get(name) ?? 0;
    if (before >= times) return false;
    this.#away.set(name, before + 1);
    return true;
  }

  /** Turns whose first step was seen to be saved; true: their code has changed since. */
  readonly changed = new Map<string, boolean>();

  /** Whether the code of the turn has changed; `draw` decides each time as long as it has not. */
  changesCode(workflowId: string, turn: number, draw: () => boolean): boolean {
    const name = `${workflowId} ${turn}`;
    const changed = this.changed.get(name) === true || draw();
    this.changed.set(name, changed);
    return changed;
  }

  perform(effect: Effect): void {
    this.effects.push(effect);
  }
}
