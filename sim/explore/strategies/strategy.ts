/**
 * What a search strategy is: for each seed, a source of choices and a policy that picks the next event.
 *
 *   E1  A strategy and a seed make one run, again and again, whatever was run before.
 *   E2  Every pick is a recorded draw, `tie`: its value is the place of the event in the line, 0 the earliest (K2).
 *       So a run of any strategy is replayed from its draws and its slack alone, without the strategy, and a
 *       shrinker that puts 0 for a pick takes away a switch.
 *   E3  Picks come from a random stream of the strategy's own. All other draws (latencies, faults, the workload) are
 *       those of the seed, so strategies differ in schedules only.
 *   E4  No event is put off beyond the slack: when it is the earliest, nothing later than that much after it may
 *       come first, so time cannot pass it by further.
 */
import { assert } from "../../../src/std/assert.ts";
import { type Candidate, type ChoiceSource, type SchedulePolicy, SeedSource } from "../../kernel/index.ts";
import { streamOf } from "./stream.ts";

/** What makes one run. */
export interface Attempt {
  readonly source: ChoiceSource;
  readonly policy: SchedulePolicy;
}

export interface Strategy {
  readonly name: string;
  /** How it searches, in one sentence. */
  readonly about: string;
  /** Fresh for each run. */
  begin(seed: number): Attempt;
}

/** How a strategy picks; sees every choice between two events or more. */
export interface Picker {
  /** The index of the event to take next. */
  pick(candidates: readonly Candidate[], count: number): number;
}

/** A source that answers one draw with a value that was decided before, all others from another source. */
class SteeredSource implements ChoiceSource {
  readonly #inner: ChoiceSource;
  #decided = -1;

  constructor(inner: ChoiceSource) {
    this.#inner = inner;
  }

  decide(value: number): void {
    this.#decided = value;
  }

  choose(n: number, label: string): number {
    if (this.#decided < 0) return this.#inner.choose(n, label);
    const value = this.#decided;
    this.#decided = -1;
    return value;
  }
}

/** A run whose picks are made by the picker (E2), and whose other draws come from the source. */
function steered(inner: ChoiceSource, slackMs: number, picker: Picker): Attempt {
  const source = new SteeredSource(inner);
  const pick: SchedulePolicy["pick"] = (candidates, count, choices) => {
    source.decide(picker.pick(candidates, count));
    return choices.choose(count, "tie");
  };
  return { source, policy: { slackMs, pick } };
}

/** Slacks to draw from, milliseconds: from a few latencies to that of a machine that hesitates. */
const SLACKS_MS = [2, 5, 10, 25, 100];

/** A strategy of one picker. */
export function strategyOf(name: string, about: string, picker: (random: ChoiceSource) => Picker): Strategy {
  return {
    name,
    about,
    begin(seed) {
      const random = streamOf(name, seed);
      const slackMs = SLACKS_MS[random.choose(SLACKS_MS.length, "slack")];
      assert(slackMs !== undefined, "a slack is drawn from the list");
      return steered(new SeedSource(seed), slackMs, picker(random));
    },
  };
}
