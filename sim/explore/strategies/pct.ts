/**
 * PCT: probabilistic concurrency testing. Each process has a random priority; of the events that may come next one
 * of the highest process is taken, and at a few random points the process that is on loses its priority.
 *
 * A bug that needs d events in a certain order is met with a chance that falls with the length of the run to the
 * power of d - 1 only, because a process runs on until a change point (Burckhardt et al., ASPLOS 2010).
 *
 *   P1  a process gets its priority when its first event is met; all orders of the processes are equally likely;
 *   P2  of one process the earliest event is taken: its own order is that of time;
 *   P3  at a change point the process that was to be taken falls below all others, and the next highest is taken;
 *   P4  there are 0 to 4 change points, at picks drawn evenly from the first 16, 64, 256, 1,024 or 4,096.
 *
 * The harness's own events (restarts, ends of pauses) count as one process. A request under way belongs to its
 * sender, a call to the process that it reaches.
 */
import type { Candidate, ChoiceSource } from "../../kernel/index.ts";
import { actorOf } from "../races.ts";
import { type Picker, strategyOf } from "./strategy.ts";

const MOST_CHANGES = 4;
const SPANS = [16, 64, 256, 1_024, 4_096];
/** Fractions of priorities: enough that two processes hardly ever have the same. */
const GRAIN = 0x1_0000_0000;
const HARNESS = "";

export class PctPicker implements Picker {
  readonly #random: ChoiceSource;
  readonly #changes: ReadonlySet<number>;
  readonly #priorities = new Map<string, number>();
  #picks = 0;
  /** Falls with each change: the lowest priority given so far. */
  #lowest = 0;

  constructor(random: ChoiceSource, changes: Iterable<number>) {
    this.#random = random;
    this.#changes = new Set(changes);
  }

  pick(candidates: readonly Candidate[], count: number): number {
    const highest = this.#highest(candidates, count);
    if (!this.#changes.has(this.#picks++)) return highest;
    const fallen = candidates[highest];
    if (fallen !== undefined) this.#priorities.set(actorOf(fallen) ?? HARNESS, --this.#lowest);
    return this.#highest(candidates, count);
  }

  /** The first of those with the highest priority (P2). */
  #highest(candidates: readonly Candidate[], count: number): number {
    let [best, bestPriority] = [0, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < count; i++) {
      const candidate = candidates[i];
      if (candidate === undefined) break;
      const priority = this.#priorityOf(actorOf(candidate) ?? HARNESS);
      if (priority > bestPriority) [best, bestPriority] = [i, priority];
    }
    return best;
  }

  #priorityOf(actor: string): number {
    const known = this.#priorities.get(actor);
    if (known !== undefined) return known;
    const drawn = this.#random.choose(GRAIN, "priority");
    this.#priorities.set(actor, drawn);
    return drawn;
  }
}

export const PCT = strategyOf(
  "pct",
  "a random priority for each process, taken away at up to four random points",
  (random) => {
    const changes = random.choose(MOST_CHANGES + 1, "changes");
    const span = SPANS[random.choose(SPANS.length, "span")] ?? 1;
    const points = Array.from({ length: changes }, () => random.choose(span, "change-point"));
    return new PctPicker(random, points);
  },
);
