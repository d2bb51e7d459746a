/**
 * A switch that ends a wait: what an `AbortController` does, without the event and the error, which cost more than the wait.
 *
 * For waits of our own. What users and platforms are given is an `AbortSignal`, which fits `Abortable`, too.
 */

/** What is asked of a signal. */
export interface Abortable {
  readonly aborted: boolean;
  addEventListener(kind: "abort", listener: () => void): void;
  removeEventListener(kind: "abort", listener: () => void): void;
}

export class Cancel implements Abortable {
  readonly #listeners = new Set<() => void>();
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_: "abort", listener: () => void): void {
    if (!this.#aborted) this.#listeners.add(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  /** Once; later calls do nothing. */
  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
