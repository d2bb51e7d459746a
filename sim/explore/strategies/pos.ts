/**
 * POS: partial-order sampling. Each pending event has a random priority and the highest is taken; those that race
 * with it draw anew, so that an event which lost one race is not likelier to lose the next (Yuan et al., CAV 2018).
 *
 *   O1  an event draws its priority when it is first among those that may come next;
 *   O2  after an event is taken, exactly the others on offer that race with it (`explore/races.ts`) draw anew.
 *
 * An event that nobody competes with is taken unseen; it has no rival whose priority could change.
 */
import type { Candidate, ChoiceSource } from "../../kernel/index.ts";
import { race } from "../races.ts";
import { type Picker, strategyOf } from "./strategy.ts";

const GRAIN = 0x1_0000_0000;

export class PosPicker implements Picker {
  readonly #random: ChoiceSource;
  /** Of the events that were on offer at the last pick, by their number. */
  #priorities = new Map<number, number>();

  constructor(random: ChoiceSource) {
    this.#random = random;
  }

  pick(candidates: readonly Candidate[], count: number): number {
    const line = candidates.slice(0, count);
    const priorities = line.map((event) => this.#priorities.get(event.seq) ?? this.#draw());
    let best = 0;
    for (let i = 1; i < count; i++) if ((priorities[i] ?? 0) > (priorities[best] ?? 0)) best = i;
    const taken = line[best];
    // What is gone is forgotten, so that the map stays as short as the line.
    this.#priorities = new Map();
    line.forEach((event, i) => {
      if (taken === undefined || event === taken) return;
      this.#priorities.set(event.seq, race(taken, event) ? this.#draw() : (priorities[i] ?? 0));
    });
    return best;
  }

  #draw(): number {
    return this.#random.choose(GRAIN, "priority");
  }
}

export const POS = strategyOf(
  "pos",
  "a random priority for each event, drawn anew for those that race with the one taken",
  (random) => new PosPicker(random),
);
