/**
 * The lanes of a page from left to right: callers, the processes that use the store, keys.
 *
 * Owns which lanes there are and where they stand. Calls then run in the left half, requests to the store in the
 * right one.
 *
 *   L1  Only what an item that is shown touches has a lane; processes that live but do nothing have one as well.
 *   L2  At most `MOST_KEYS` keys have lanes of their own: the one that a finding names, then the most written ones.
 *       Keys that were written once at most share one lane with the rest, unless there are `FEW_KEYS` or less. Keys
 *       that the user chose always have their own.
 */
import type { RunData } from "../report-data.ts";
import { type Item, keyLane, processLane } from "./items.ts";
import type { RunIndex } from "./run-index.ts";
import { clockOffset } from "./sentences.ts";
import { processesOf, type View } from "./view.ts";

const MOST_KEYS = 6;
const FEW_KEYS = 4;
/** Widths: as wide as the window allows between these two. */
const PROCESS_PX = { least: 50, most: 98, line: 0.28 };
/** Arcs take the room at the left of a key's line, words that at the right. */
const KEY_PX = { least: 100, most: 136, line: 0.34 };
/** Its words hold the keys' names as well. */
const OTHER_KEYS_PX = { least: 150, most: 190, line: 0.16 };
const SIZES = { process: PROCESS_PX, key: KEY_PX, "other-keys": OTHER_KEYS_PX };

export interface Lane {
  readonly id: string;
  readonly kind: "process" | "key" | "other-keys";
  readonly title: string;
  /** A second line: folders of a key, the clock of a process. */
  readonly subtitle: string;
  /** The whole name, for a tooltip. */
  readonly full: string;
  readonly left: number;
  readonly width: number;
  /** Where its line stands. */
  readonly x: number;
}

export class Lanes {
  readonly all: readonly Lane[];
  readonly width: number;
  readonly #places: ReadonlyMap<string, Lane>;

  constructor(all: readonly Lane[], folded: ReadonlySet<string>) {
    this.all = all;
    const last = all.at(-1);
    this.width = last === undefined ? 0 : last.left + last.width;
    const places = new Map(all.map((lane) => [lane.id, lane]));
    if (last?.kind === "other-keys") for (const id of folded) places.set(id, last);
    this.#places = places;
  }

  /** The lane that this one is drawn on; null: it is not shown. */
  of(id: string): Lane | null {
    return this.#places.get(id) ?? null;
  }
}

/** The lanes in a window of `roomPx`; `first` is the key that a finding names. */
export function lanesOf(
  run: RunIndex,
  items: readonly Item[],
  view: View,
  first: number | null,
  roomPx: number,
): Lanes {
  const { own, folded } = shareOut(run, items, view, first);
  const lanes: NamedLane[] = [];
  const add = (lane: NamedLane): void => void lanes.push(lane);
  for (const name of processNames(run.data, items, view)) {
    const subtitle = clockOf(run.data, name);
    add({ id: processLane(name), kind: "process", title: name, subtitle, full: name });
  }
  for (const key of own) {
    const { name, folder, full } = run.names.of(key);
    add({ id: keyLane(key), kind: "key", title: name, subtitle: folder, full });
  }
  if (folded.length > 0) {
    const title = `${folded.length} other keys`;
    const full = folded.map((key) => run.names.of(key).full).join("\n");
    add({ id: "other keys", kind: "other-keys", title, subtitle: "written once or rarely", full });
  }
  return new Lanes(placed(lanes, roomPx), new Set(folded.map(keyLane)));
}

type NamedLane = Pick<Lane, "id" | "kind" | "title" | "subtitle" | "full">;

function placed(lanes: readonly NamedLane[], roomPx: number): readonly Lane[] {
  const sizes = lanes.map(({ kind }) => SIZES[kind]);
  const least = sizes.reduce((sum, size) => sum + size.least, 0);
  const most = sizes.reduce((sum, size) => sum + size.most, 0);
  const share = most === least ? 0 : Math.max(0, Math.min(1, (roomPx - least) / (most - least)));
  let left = 0;
  return lanes.map((lane, i) => {
    const { least, most, line } = sizes[i] ?? KEY_PX;
    const width = Math.floor(least + share * (most - least));
    const at = left;
    left += width;
    return { ...lane, left: at, width, x: at + Math.round(line * width) };
  });
}

/** Callers first, then those that send to the store; each group by name. */
function processNames(data: RunData, items: readonly Item[], view: View): readonly string[] {
  const useStore = new Set(data.operations.map((op) => op.process));
  const names = new Set<string>();
  for (const item of items) for (const name of processesOf(item)) names.add(name);
  for (const { process } of data.incidents) {
    if (process !== null && (view.processes.size === 0 || view.processes.has(process))) names.add(process);
  }
  const rank = (name: string): number => (useStore.has(name) ? 1 : 0);
  return [...names].sort((a, b) => rank(a) - rank(b) || compare(a, b));
}

/** L2. */
function shareOut(run: RunIndex, items: readonly Item[], view: View, first: number | null) {
  const touched = new Map<number, number>();
  for (const item of items) {
    if (item.type !== "operation" || item.op.kind === "list") continue;
    touched.set(item.op.key, (touched.get(item.op.key) ?? 0) + 1);
  }
  const weight = (key: number): number => run.chainOf(key).length * 1_000 + (touched.get(key) ?? 0);
  const rank = (key: number): number => (key === first ? 0 : 1);
  const keys = [...touched.keys()].sort((a, b) => rank(a) - rank(b) || weight(b) - weight(a) || a - b);
  if (view.keys.size > 0 || keys.length <= FEW_KEYS) return { own: keys, folded: [] };
  const busy = keys.filter((key) => key === first || run.chainOf(key).length > 1).slice(0, MOST_KEYS);
  const own = busy.length === keys.length - 1 ? keys : busy;
  return { own, folded: keys.filter((key) => !own.includes(key)) };
}

/** How far the process's clock is off; empty: it is right. */
function clockOf(data: RunData, process: string): string {
  const skew = data.incidents.findLast((one) => one.kind === "skew" && one.process === process);
  return skew === undefined || skew.detail.startsWith("0 ") ? "" : clockOffset(skew.detail);
}

/** By name, numbers in it by size. */
export function compare(a: string, b: string): number {
  const pad = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(12, "0"));
  const [left, right] = [pad(a), pad(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
