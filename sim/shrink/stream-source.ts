/**
 * The guide of a shrinking: answers each draw from the streams of a run, by label alone or by process and label.
 *
 * By process a draw keeps its value when other processes ask more or less than before; by label alone it may move
 * from one process to another, which is what a run with fewer processes needs. So the shrinker uses both in turn.
 *
 *   G1  Notes which process made each draw, so that the draws can be sorted either way.
 *   G2  A draw outside every process is sorted by its label alone.
 *   G3  A value too large for its draw becomes the last alternative; what a stream does not hold is 0.
 */
import type { ChoiceSource, Draw } from "../kernel/index.ts";
import type { Streams } from "../replay/streams.ts";

export type Sorting = "by-process" | "by-label";

export class StreamSource implements ChoiceSource {
  /** Who made each draw, in the order of the run. */
  readonly makers: (string | null)[] = [];
  readonly #streams: Streams;
  readonly #sorting: Sorting;
  readonly #used = new Map<string, number>();
  #acting: () => string | null = () => null;

  constructor(streams: Streams, sorting: Sorting) {
    this.#streams = streams;
    this.#sorting = sorting;
  }

  attach(acting: () => string | null): void {
    this.#acting = acting;
  }

  choose(n: number, label: string): number {
    const maker = this.#acting();
    this.makers.push(maker);
    const name = streamName(this.#sorting, label, maker);
    const index = this.#used.get(name) ?? 0;
    this.#used.set(name, index + 1);
    const value = this.#streams.get(name)?.[index] ?? 0;
    return Math.min(value, n - 1);
  }
}

/** The draws with the names of their streams as labels. */
export function sorted(
  sorting: Sorting,
  draws: readonly Draw[],
  makers: readonly (string | null)[],
): readonly Draw[] {
  if (sorting === "by-label") return draws;
  return draws.map((draw, i) => ({ ...draw, label: streamName(sorting, draw.label, makers[i] ?? null) }));
}

function streamName(sorting: Sorting, label: string, maker: string | null): string {
  return sorting === "by-label" || maker === null ? label : `${maker} ${label}`;
}
