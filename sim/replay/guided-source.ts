/**
 * A recorded run as a guide for code that asks otherwise than it did: for pinned runs, whose bug has been mended
 * since, and for the shrinker, which changes the record itself.
 *
 * A bug that was mended makes other requests than the run that showed it, so a strict replay would stop there and
 * say nothing about what follows. The guide answers each draw with the next recorded value of the same label, so
 * the faults strike as they did as far as that can be said, and goes on where the record ends.
 *
 *   P6  For code that asks as recorded, the guide answers as recorded.
 *   P7  A value too large for its draw becomes the last alternative; a label whose record is used up answers 0,
 *       the plainest alternative (K2).
 *
 * Not covered: that the same bug, brought back, is met again; beside each pinned run stands a test or a scenario.
 */
import type { ChoiceSource } from "../kernel/choice.ts";
import type { Streams } from "./streams.ts";

export class GuidedSource implements ChoiceSource {
  readonly #streams: Streams;
  readonly #used = new Map<string, number>();

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  choose(n: number, label: string): number {
    const index = this.#used.get(label) ?? 0;
    this.#used.set(label, index + 1);
    const value = this.#streams.get(label)?.[index] ?? 0;
    return Math.min(value, n - 1);
  }
}
