/**
 * The ways in which a failing run is made smaller, from the coarse to the fine.
 *
 *   S1  A pass only proposes; what it proposes is kept when it fails in the same way and is smaller (`shrinker.ts`).
 *   S2  Passes know of no label's meaning. They use that 0 is the plainest alternative (K2), and that what strikes
 *       rarely is drawn at the top of its range, so low values of such a label can all go at once.
 *   S3  The order of candidates is a function of the run: labels by their first draw, places in the order of the run.
 */
import type { Draw } from "../kernel/index.ts";
import { type Place, type Streams, withoutValues, withValues } from "../replay/streams.ts";
import type { Shrinker } from "./shrinker.ts";

const MOST_FOR_PAIRS = 30;
/** So few choices that a person can follow them as they are. */
const FEW = 10;
/** How far what strikes is moved, in draws of its label. */
const FURTHEST_SLIDE = 40;
/** A range of so many alternatives is one of chances. */
const WIDE = 100;
const OFTEN = 20;

/** Answers whether it made the run smaller. */
export type Pass = (shrinker: Shrinker) => Promise<boolean>;

/** Nothing but the plainest alternatives. */
export const plainest: Pass = (shrinker) => shrinker.attempt(new Map());

/** Fewer nodes than the scenario has, or than the user asked for. */
export const fewerNodes: Pass = async (shrinker) => {
  const { nodes } = shrinker.best.options;
  for (let fewer = 1; fewer < (nodes ?? 2); fewer++) {
    if (await shrinker.attempt(shrinker.best.streams, { ...shrinker.best.options, nodes: fewer }))
      return true;
  }
  return false;
};

/**
 * Strictly by time, where a strategy let later events come first: with the picks that there were, and with none. The
 * one pass that knows a label, for a pick means something else when other events are offered.
 */
export const byTime: Pass = async (shrinker) => {
  const { slackMs, ...others } = shrinker.best.options;
  if (slackMs === undefined) return false;
  const { streams } = shrinker.best;
  const unpicked = new Map([...streams].filter(([name]) => !/(^| )tie$/.test(name)));
  return (await shrinker.attempt(unpicked, others)) || shrinker.attempt(streams, others);
};

/** All draws of one label, those with the most draws first. */
export const wholeLabels: Pass = async (shrinker) => {
  let changed = false;
  for (const label of labelsByCount(shrinker.best.places)) {
    const places = shrinker.best.places.filter((place) => place.label === label);
    if (places.length > 1 && (await attemptZero(shrinker, places))) changed = true;
  }
  return changed;
};

/** The low values of one label: those that strike nothing (S2). */
export const lowValues: Pass = async (shrinker) => {
  let changed = false;
  for (const label of labelsByCount(shrinker.best.places)) {
    for (const share of [0.999, 0.99, 0.95, 0.75, 0.5]) {
      const places = shrinker.best.places.filter((p) => p.label === label && p.value < share * (p.n - 1));
      if (places.length < 2) continue;
      if (!(await attemptZero(shrinker, places))) continue;
      changed = true;
      break;
    }
  }
  return changed;
};

/** Everything after some point of the run, as early as possible. */
export const endings: Pass = async (shrinker) => {
  let changed = false;
  for (let kept = 0; kept < shrinker.best.places.length; kept = Math.max(kept + 1, kept * 2)) {
    if (!(await attemptZero(shrinker, shrinker.best.places.slice(kept)))) continue;
    changed = true;
    break;
  }
  return changed;
};

/** Blocks of neighbouring draws, first halves, then ever smaller blocks down to single draws; the late ones first. */
export const blocks: Pass = async (shrinker) => {
  let changed = false;
  let size = Math.ceil(shrinker.best.places.length / 2);
  while (size >= 1 && !shrinker.over) {
    for (let end = shrinker.best.places.length; end > 0 && !shrinker.over; ) {
      const from = Math.max(0, end - size);
      if (await attemptZero(shrinker, shrinker.best.places.slice(from, end))) changed = true;
      end = Math.min(from, shrinker.best.places.length);
    }
    size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return changed;
};

/** Takes draws out, so that later ones of the label come earlier: an earlier message, request or process goes. */
export const moveUp: Pass = async (shrinker) => {
  let changed = false;
  for (const label of labelsByCount(shrinker.best.places)) {
    for (let size = 64; size >= 1; size = Math.trunc(size / 2)) {
      for (let nth = 0; !shrinker.over; nth++) {
        const place = shrinker.best.places.filter((p) => p.label === label)[nth];
        if (place === undefined) break;
        if (place.index < size) continue;
        const without = withoutValues(shrinker.best.streams, label, place.index - size, size);
        if (await shrinker.attempt(without)) changed = true;
      }
    }
  }
  return changed;
};

/**
 * All the draws that are made often and strike nothing (latencies, picks) at once, while what strikes rarely is tried a
 * little earlier or later: without the former the run is shorter, and the same request has another place.
 */
export const slide: Pass = async (shrinker) => {
  const { places, draws } = shrinker.best;
  if (places.length <= FEW) return false;
  const strikes = places.filter(isStrike);
  const quiet = frequentLabels(draws).filter(
    (label) => !strikes.some((place) => sameLabel(place.label, label)),
  );
  const noise = places.filter((place) => quiet.some((label) => sameLabel(place.label, label)));
  if (noise.length === 0) return false;
  for (let by = 0; by <= FURTHEST_SLIDE && !shrinker.over; by++) {
    for (const shift of by === 0 ? [0] : [-by, by]) {
      const calm = withValues(shrinker.best.streams, [...noise, ...strikes], 0);
      if (await shrinker.attempt(moved(calm, strikes, shift))) return true;
    }
  }
  return false;
};

/** Each value as low as it goes. */
export const lowerValues: Pass = async (shrinker) => {
  let changed = false;
  for (let nth = 0; nth < shrinker.best.places.length && !shrinker.over; nth++) {
    let low = 0;
    for (;;) {
      const place = shrinker.best.places[nth];
      if (place === undefined || place.value - low <= 1 || shrinker.over) break;
      const middle = low + Math.trunc((place.value - low) / 2);
      if (await shrinker.attempt(withValues(shrinker.best.streams, [place], middle))) changed = true;
      else low = middle;
    }
  }
  return changed;
};

/** Two draws at once, where one alone is needed only because of the other. There must be few: all pairs are tried. */
export const pairs: Pass = async (shrinker) => {
  if (shrinker.best.places.length > MOST_FOR_PAIRS) return false;
  let changed = false;
  for (let i = shrinker.best.places.length - 1; i > 0 && !shrinker.over; i--) {
    for (let j = Math.min(i, shrinker.best.places.length) - 1; j >= 0 && !shrinker.over; j--) {
      const [a, b] = [shrinker.best.places[i], shrinker.best.places[j]];
      if (a === undefined || b === undefined) break;
      if (await attemptZero(shrinker, [a, b])) changed = true;
    }
  }
  return changed;
};

/** Drawn at the top of a wide range: what happens rarely. */
function isStrike({ value, n }: Place): boolean {
  return n >= WIDE && value >= 0.4 * (n - 1);
}

/** The labels of more than a handful of draws. */
function frequentLabels(draws: readonly Draw[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { label } of draws) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= OFTEN).map(([label]) => label);
}

/** Whether a stream is one of this label, whoever draws it. */
function sameLabel(stream: string, label: string): boolean {
  return stream === label || stream.endsWith(` ${label}`);
}

/** The streams with these places' values so many draws later. */
function moved(streams: Streams, places: readonly Place[], by: number): Streams {
  let made = streams;
  for (const place of places) {
    const index = Math.max(0, place.index + by);
    made = withValues(made, [{ ...place, index }], place.value);
  }
  return made;
}

function attemptZero(shrinker: Shrinker, places: readonly Place[]): Promise<boolean> {
  return places.length === 0
    ? Promise.resolve(false)
    : shrinker.attempt(withValues(shrinker.best.streams, places, 0));
}

/** Labels with places, the most frequent first; of two equal ones the first drawn. */
function labelsByCount(places: readonly Place[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { label } of places) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([label]) => label);
}
