/**
 * A run's draws sorted by label: for each label the values in the order in which they were drawn.
 *
 * The k-th value of a label keeps its meaning when other code asks more or less than before, which a place in the
 * whole sequence does not. Replays of changed code and the shrinker both work on this form.
 *
 *   D1  Streams and the draws that they are made of say the same for code that asks as recorded.
 *   D2  What a stream does not hold is 0, the plainest alternative: zeroes at its end may be left out.
 */
import type { Draw } from "../kernel/choice.ts";

export type Streams = ReadonlyMap<string, readonly number[]>;

/** One draw by its label and its place among the draws of that label. */
export interface Place {
  readonly label: string;
  readonly index: number;
  readonly value: number;
  readonly n: number;
}

export function streamsOf(draws: readonly Draw[]): Streams {
  const streams = new Map<string, number[]>();
  for (const { label, value } of draws) {
    const values = streams.get(label);
    if (values === undefined) streams.set(label, [value]);
    else values.push(value);
  }
  return streams;
}

/** The draws that are not the plainest alternative, in the order of the run. */
export function placesOf(draws: readonly Draw[]): readonly Place[] {
  const places: Place[] = [];
  const counts = new Map<string, number>();
  for (const { label, value, n } of draws) {
    const index = counts.get(label) ?? 0;
    counts.set(label, index + 1);
    if (value !== 0) places.push({ label, index, value, n });
  }
  return places;
}

/** The streams with this value at these places. */
export function withValues(streams: Streams, places: readonly Place[], value: number): Streams {
  const changed = new Map<string, number[]>();
  for (const { label, index } of places) {
    const values = changed.get(label) ?? [...(streams.get(label) ?? [])];
    while (values.length < index) values.push(0);
    values[index] = value;
    changed.set(label, values);
  }
  return new Map([...streams, ...changed]);
}

/** The streams with `count` values of one label taken out from `from` on; what follows moves up. */
export function withoutValues(streams: Streams, label: string, from: number, count: number): Streams {
  const values = streams.get(label) ?? [];
  return new Map([...streams, [label, values.toSpliced(from, count)]]);
}
