/**
 * The lanes of a page from left to right: callers, the processes that use the store, keys.
 *
 * Owns which lanes there are and where they stand. Calls then run in the left half, requests to the store in the
 * right one.
 *
 *   L1  Only what an item that is shown touches has a lane; processes that live but do nothing have one as well.
 *   L2  At most `MOST_KEYS` keys have lanes of their own: those that a finding names first, then the most written
 *       ones. The others share one lane. Keys that the user chose always have their own.
 */
import type { RunData } from "../report-data.ts";
import { type Item, keyLane, processLane } from "./items.ts";
import type { RunIndex } from "./run-index.ts";
import { processesOf, type View } from "./view.ts";

const MOST_KEYS = 6;
const PROCESS_PX = 112;
const KEY_PX = 138;
/** Where in a key's lane its line stands: arcs take the room on the left, words that on the right. */
const KEY_LINE_PX = 46;
const PROCESS_LINE_PX = 34;

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

export function lanesOf(run: RunIndex, items: readonly Item[], view: View, first: number | null): Lanes {
  const processes = processNames(run.data, items, view);
  const { own, folded } = shareOut(run, items, view, first);
  const all: Lane[] = [];
  let left = 0;
  const add = (lane: Pick<Lane, "id" | "kind" | "title" | "subtitle" | "full">): void => {
    const [width, line] = lane.kind === "process" ? [PROCESS_PX, PROCESS_LINE_PX] : [KEY_PX, KEY_LINE_PX];
    all.push({ ...lane, left, width, x: left + line });
    left += width;
  };
  for (const name of processes) {
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
    add({ id: "other keys", kind: "other-keys", title, subtitle: "choose one to see it apart", full });
  }
  return new Lanes(all, new Set(folded.map(keyLane)));
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
  const most = view.keys.size > 0 || keys.length === MOST_KEYS + 1 ? keys.length : MOST_KEYS;
  return { own: keys.slice(0, most), folded: keys.slice(most) };
}

/** How far the process's clock is off, in words; empty: it is right. */
export function clockOf(data: RunData, process: string): string {
  const skews = data.incidents.filter((one) => one.kind === "skew" && one.process === process);
  const ms = Number.parseInt(skews.at(-1)?.detail ?? "0", 10);
  if (ms === 0 || Number.isNaN(ms)) return "";
  const size = Math.abs(ms);
  const text = size < 1_000 ? `${size} ms` : `${(size / 1_000).toFixed(1)} s`;
  return `clock ${text} ${ms > 0 ? "fast" : "slow"}`;
}

/** By name, numbers in it by size. */
export function compare(a: string, b: string): number {
  const pad = (text: string): string => text.replace(/\d+/g, (digits) => digits.padStart(12, "0"));
  const [left, right] = [pad(a), pad(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}
