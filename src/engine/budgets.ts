/**
 * What a node knows of its graph's budget: the index as it saw it last.
 *
 *   U1  no request is made for the budget's sake while the graph is less than half full as far as the node knows: every
 *       creation and every pass of the listing shows it the index anyway. From half on, what it knows is not older than
 *       `poll_ms`.
 *   U2  a node that has seen some shards of the index counts those, and from half on reads all of them. One that has not
 *       seen the index yet knows of what it has created itself, and refuses for no more than that; its
 *       first write of the index shows it the rest.
 *   U3  a read that fails refuses nothing more than what was known before.
 */
import type { IndexObject } from "../documents/scheduling-index.ts";
import type { Clock } from "../ports/clock.ts";
import {
  type Budget,
  type Usage,
  unlessClosed,
  unlessFull,
  usageOf,
  withinBudget,
} from "../protocol/budget.ts";
import type { Decision } from "../protocol/decision.ts";
import type { SchedulingIndex } from "../vocabulary/index-entry.ts";
import type { Instance } from "../vocabulary/instance.ts";

/** The budget as it stands for one call. */
export interface Room {
  /** For a creation (P47). */
  toCreate<Reply>(decision: Decision<Instance, Reply>): Decision<Instance, Reply>;
  /** For a message, a signal, what a turn sends back (P48). */
  toAdmit<Reply>(decision: Decision<Instance, Reply>): Decision<Instance, Reply>;
  /** For what a running turn saves (P48). */
  toGrow<Reply>(decision: Decision<Instance, Reply>): Decision<Instance, Reply>;
}

export class Budgets {
  readonly #index: IndexObject;
  readonly #clock: Clock;
  readonly #budget: Budget;
  readonly #pollMs: number;
  #counted: { readonly index: SchedulingIndex; readonly usage: Usage } | null = null;

  constructor(index: IndexObject, clock: Clock, budget: Budget, pollMs: number) {
    this.#index = index;
    this.#clock = clock;
    this.#budget = budget;
    this.#pollMs = pollMs;
  }

  async room(): Promise<Room> {
    const used = await this.#used();
    return {
      toCreate: (decision) => withinBudget(decision, used, this.#budget),
      toAdmit: (decision) => unlessClosed(decision, used, this.#budget),
      toGrow: (decision) => unlessFull(decision, used, this.#budget),
    };
  }

  async #used(): Promise<Usage> {
    const { seen } = this.#index;
    const known = seen?.index ?? this.#index.known;
    if (known === null) return usageOf(this.#index.noted);
    const usage = this.#count(known);
    if (this.#isFar(usage)) return usage;
    if (seen !== null && this.#clock.monotonicMs() - seen.atMs < this.#pollMs) return usage;
    const read = await this.#index.read();
    return read.ok ? this.#count(read.value) : usage;
  }

  /** U1. */
  #isFar({ instances, bytes }: Usage): boolean {
    const { max_instances, max_state_bytes } = this.#budget;
    return instances * 2 < max_instances && bytes * 2 < max_state_bytes;
  }

  #count(index: SchedulingIndex): Usage {
    if (this.#counted?.index !== index) this.#counted = { index, usage: usageOf(index) };
    return this.#counted.usage;
  }
}
