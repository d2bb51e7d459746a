/**
 * Whether a history of overlapping operations can be put in one order that a sequential model accepts.
 *
 * The search of Wing and Gong with Lowe's memory of dead ends. It knows no model: an operation brings its own step.
 *
 *   L1  an operation may come next when no operation that is still to come was answered before it was invoked; equal
 *       times count as overlapping.
 *   L2  an open operation, whose outcome nobody learned, may take effect at any time after its sending, or never. It
 *       is tried only where no answered operation fits, so it costs nothing in a history that does not need it.
 *   L3  a pair of placed operations and model state that led nowhere is not entered again.
 *   L4  after `mostSteps` attempts to place an operation the answer is `undecided`: neither for nor against.
 *
 * States are values that JSON can tell apart; their text is made only on the way back from a dead end.
 */

export interface Operation<State> {
  readonly invokedMs: number;
  /** Infinity: open. */
  readonly answeredMs: number;
  /**
   * The state after the operation, or null when it cannot come next: its answer contradicts the state, or it is
   * open and would change nothing. `latestMs` is the last moment at which it can happen here.
   */
  step(state: State, latestMs: number): State | null;
}

export type Verdict<State> =
  | { readonly kind: "linearizable" }
  | { readonly kind: "undecided" }
  /** No order exists; after the longest one found, `stuck` are the operations of which one had to come next. */
  | { readonly kind: "not-linearizable"; readonly stuck: readonly Operation<State>[]; readonly state: State };

export function linearize<State>(
  operations: readonly Operation<State>[],
  initial: State,
  mostSteps: number,
): Verdict<State> {
  return new Search(operations, mostSteps).run(initial);
}

class Search<State> {
  readonly #answered: readonly Operation<State>[];
  readonly #open: readonly Operation<State>[];
  /** By index: whether it has its place. Answered operations first, then open ones. */
  readonly #placed: Uint8Array;
  readonly #deadEnds = new Set<string>();
  /** States are immutable and met again: each is put into words once. */
  readonly #texts = new Map<State, string>();
  #left: number;
  #stepsLeft: number;
  #fewestLeft = Number.POSITIVE_INFINITY;
  #stuck: readonly Operation<State>[] = [];
  #stuckState: State | null = null;

  constructor(operations: readonly Operation<State>[], mostSteps: number) {
    const ordered = [...operations].sort((a, b) => a.invokedMs - b.invokedMs);
    this.#answered = ordered.filter(({ answeredMs }) => answeredMs !== Number.POSITIVE_INFINITY);
    this.#open = ordered.filter(({ answeredMs }) => answeredMs === Number.POSITIVE_INFINITY);
    this.#placed = new Uint8Array(ordered.length);
    this.#left = this.#answered.length;
    this.#stepsLeft = mostSteps;
  }

  run(initial: State): Verdict<State> {
    if (this.#extend(initial, 0)) return { kind: "linearizable" };
    if (this.#stepsLeft <= 0) return { kind: "undecided" };
    return { kind: "not-linearizable", stuck: this.#stuck, state: this.#stuckState ?? initial };
  }

  /** Whether the rest can be placed after what is placed; all answered operations before `from` are. */
  #extend(state: State, from: number): boolean {
    if (this.#left === 0) return true;
    if (this.#stepsLeft <= 0) return false;
    if (this.#deadEnds.size > 0 && this.#deadEnds.has(this.#name(state))) return false;
    let first = from;
    while (this.#placed[first] === 1) first++;
    const latestMs = this.#latest(first);
    if (this.#tryAnswered(state, first, latestMs)) return true;
    if (this.#left < this.#fewestLeft) this.#noteStuck(state, first, latestMs);
    if (this.#tryOpen(state, first, latestMs)) return true;
    if (this.#stepsLeft > 0) this.#deadEnds.add(this.#name(state));
    return false;
  }

  /** L1: the earliest answer of what is not placed; what was invoked later cannot come next. */
  #latest(first: number): number {
    let latestMs = Number.POSITIVE_INFINITY;
    for (let i = first; i < this.#answered.length; i++) {
      const operation = this.#answered[i];
      if (operation === undefined || operation.invokedMs > latestMs) break;
      if (this.#placed[i] === 0) latestMs = Math.min(latestMs, operation.answeredMs);
    }
    return latestMs;
  }

  #tryAnswered(state: State, first: number, latestMs: number): boolean {
    for (let i = first; i < this.#answered.length; i++) {
      const operation = this.#answered[i];
      if (operation === undefined || operation.invokedMs > latestMs) break;
      if (this.#placed[i] === 1) continue;
      const next = this.#step(operation, state, latestMs);
      if (next === null) continue;
      this.#placed[i] = 1;
      this.#left--;
      if (this.#extend(next, first)) return true;
      this.#placed[i] = 0;
      this.#left++;
    }
    return false;
  }

  /** L2. */
  #tryOpen(state: State, first: number, latestMs: number): boolean {
    const base = this.#answered.length;
    for (let i = 0; i < this.#open.length; i++) {
      const operation = this.#open[i];
      if (operation === undefined || operation.invokedMs > latestMs) break;
      if (this.#placed[base + i] === 1) continue;
      const next = this.#step(operation, state, latestMs);
      if (next === null) continue;
      this.#placed[base + i] = 1;
      if (this.#extend(next, first)) return true;
      this.#placed[base + i] = 0;
    }
    return false;
  }

  #step(operation: Operation<State>, state: State, latestMs: number): State | null {
    this.#stepsLeft--;
    return this.#stepsLeft < 0 ? null : operation.step(state, latestMs);
  }

  #noteStuck(state: State, first: number, latestMs: number): void {
    this.#fewestLeft = this.#left;
    this.#stuckState = state;
    this.#stuck = this.#answered.filter(
      (operation, i) => i >= first && this.#placed[i] === 0 && operation.invokedMs <= latestMs,
    );
  }

  #name(state: State): string {
    let text = this.#texts.get(state);
    if (text === undefined) {
      text = JSON.stringify(state);
      this.#texts.set(state, text);
    }
    return Buffer.from(this.#placed.buffer).toString("latin1") + text;
  }
}
