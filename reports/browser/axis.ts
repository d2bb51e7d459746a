/**
 * The time axis: a row for each thing that happens, and a marked gap where nothing does for a while.
 *
 * Owns the height of every stop. Virtual time jumps over minutes and then puts ten events into one millisecond, so
 * heights follow the order of events; the time is written beside them.
 *
 *   A1  Heights rise with time: a later stop is never above an earlier one.
 *   A2  Stops share a row when they are of the same time and on different lanes.
 *   A3  A pause of `GAP_MS` or more has a gap of its own, which says how long it is.
 */
import type { Item, Stop } from "./items.ts";

const GAP_MS = 100;
const GAP_PX = 26;
const MARGIN_PX = 18;

export interface Row {
  readonly y: number;
  readonly atMs: number;
}
export interface Gap {
  readonly y: number;
  readonly ms: number;
}

export class Axis {
  readonly rows: readonly Row[];
  readonly gaps: readonly Gap[];
  readonly height: number;
  readonly #heights: ReadonlyMap<Stop, number>;

  constructor(rows: readonly Row[], gaps: readonly Gap[], heights: ReadonlyMap<Stop, number>) {
    this.rows = rows;
    this.gaps = gaps;
    this.#heights = heights;
    this.height = (rows.at(-1)?.y ?? 0) + MARGIN_PX;
  }

  /** The height of a stop of an item that is shown. */
  of(stop: Stop): number {
    return this.#heights.get(stop) ?? this.at(stop.atMs);
  }

  /** The height of a moment: that of the last row which is not after it. */
  at(ms: number): number {
    const { rows } = this;
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rows[middle]?.atMs ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    return rows[low - 1]?.y ?? MARGIN_PX;
  }
}

/** The axis of these items; `drawnOn` says on which lane's place a lane is drawn. */
export function axisOf(items: readonly Item[], rowPx: number, drawnOn: (lane: string) => string): Axis {
  const stops = items.flatMap((item) => item.stops);
  stops.sort((a, b) => a.atMs - b.atMs || a.phase - b.phase || a.order - b.order);
  const rows: Row[] = [];
  const gaps: Gap[] = [];
  const heights = new Map<Stop, number>();
  const taken = new Set<string>();
  let [y, atMs] = [MARGIN_PX - rowPx, 0];
  for (const stop of stops) {
    const passedMs = stop.atMs - atMs;
    const wholeRow = stop.lanes.length === 0;
    if (
      rows.length === 0 ||
      passedMs > 0 ||
      wholeRow ||
      stop.lanes.some((lane) => taken.has(drawnOn(lane)))
    ) {
      taken.clear();
      y += rowPx;
      if (passedMs >= GAP_MS) {
        gaps.push({ y: y + (GAP_PX - rowPx) / 2, ms: passedMs });
        y += GAP_PX;
      }
      atMs = stop.atMs;
      rows.push({ y, atMs });
    }
    for (const lane of stop.lanes) taken.add(drawnOn(lane));
    heights.set(stop, y);
  }
  return new Axis(rows, gaps, heights);
}
