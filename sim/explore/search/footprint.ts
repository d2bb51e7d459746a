/**
 * One step of a searched run, and when two steps depend on each other. A step is an event whose place in the order is
 * searched, with everything that follows from it at once: answers that arrive, code that runs, requests that are sent.
 *
 *   F1  steps depend on each other in which code of one process ran, or that touch one key of which one writes it
 *       (`explore/races.ts`). All others commute: swapped, they lead to the same state, but for the names of ids and
 *       as many milliseconds as there are steps.
 *   F2  a request counts for its sender also without an answer; a late write does not, its sender has given up on it.
 *   F3  time passes when only late writes are under way, so it depends on everything but late writes.
 *   F4  a write that the store refused counts as a read: who leaves a key as it was finds the same in either order.
 *   F5  the step that settles the matter depends on all others: what came before it and what did not are two things.
 */
import type { Touch } from "../../kernel/index.ts";
import { conflict } from "../races.ts";

export interface Footprint {
  /** What the event acts on; null: time passes. */
  readonly touch: Touch | null;
  readonly late: boolean;
  /** Whose code ran; grows until the step is over. */
  readonly processes: string[];
  /** Whether the key has another version after it; known when the step is over. */
  changed: boolean;
  settles: boolean;
}

export interface Step extends Footprint {
  /** Names the event in every order in which it can occur: its sender and how many that one has sent before. */
  readonly id: string;
  /** The number of the step in which it was sent; -1: before the first. */
  readonly sentIn: number;
}

/** F1, F3 to F5. */
export function dependent(a: Footprint, b: Footprint): boolean {
  if (a.settles || b.settles) return true;
  if (a.touch === null || b.touch === null) return !a.late && !b.late;
  for (const process of a.processes) if (b.processes.includes(process)) return true;
  return (a.changed || b.changed) && conflict(a.touch, b.touch);
}
