/**
 * What the user wants to see of a run: which keys, which processes, which kinds of events, how large.
 *
 *   V1  An empty choice of keys or processes means all of them.
 *   V2  Keys choose among store operations only; calls and incidents stay, so that one sees who asked for what.
 */
import type { Item, Kind } from "./items.ts";
import { KINDS } from "./items.ts";

export interface View {
  /** Whole keys: their numbers differ from run to run. */
  readonly keys: ReadonlySet<string>;
  readonly processes: ReadonlySet<string>;
  readonly kinds: ReadonlySet<Kind>;
  /** Index into `ROW_HEIGHTS`. */
  readonly zoom: number;
}

/** Pixels that one row of events takes, smallest first. */
export const ROW_HEIGHTS = [5, 8, 12, 17, 24] as const;
/** Rows lower than this have no room for words. */
export const WORDS_FROM_PX = 12;

export const START_VIEW: View = { keys: new Set(), processes: new Set(), kinds: new Set(KINDS), zoom: 3 };

export function rowHeight(view: View): number {
  return ROW_HEIGHTS[view.zoom] ?? ROW_HEIGHTS[2];
}

/** `keys` is the run's table of keys. */
export function isShown(item: Item, view: View, keys: readonly string[]): boolean {
  if (!view.kinds.has(item.kind)) return false;
  if (item.type === "operation" && view.keys.size > 0 && !view.keys.has(keys[item.op.key] ?? ""))
    return false;
  const about = processesOf(item);
  return view.processes.size === 0 || about.length === 0 || about.some((name) => view.processes.has(name));
}

/** The processes that the item is about; nothing in particular is about all of them. */
export function processesOf(item: Item): readonly string[] {
  switch (item.type) {
    case "operation":
      return [item.op.process];
    case "call":
      return [item.call.from, item.call.to];
    case "incident":
      return item.incident.process === null ? [] : [item.incident.process];
  }
}

/** The set with the member taken out or put in. */
export function toggled<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const changed = new Set(set);
  if (!changed.delete(member)) changed.add(member);
  return changed;
}
