/**
 * One step of a searched run, and when two steps depend on each other.
 *
 * A step is an event whose place in the order is searched (a request as the store decides it, a call that reaches
 * its process, time that passes), together with everything that follows from it at once: answers that arrive, code
 * that runs on them, requests that are sent.
 *
 *   F1  two steps depend on each other when code of one process ran in both, or when they touch the same key of the
 *       store and one of them writes (`explore/races.ts`). All others commute: swapped, they lead to the same state.
 *   F2  a request counts for its sender even when no answer reached it. A late write does not: its sender has given
 *       up on it.
 *   F3  time passes only when nothing but late writes is under way, so it depends on everything but late writes.
 *   F4  a write that the store refused, or that never reached it, counts as a read: two steps that both left a key
 *       as it was find the same there in either order.
 *   F5  the step that settles the matter of a scenario depends on every other: what came before it and what did not
 *       are two things.
 *
 * States count as the same when they differ only in the names that ids have and in time stamps by as many
 * milliseconds as there are steps: both depend on the order of steps that commute.
 */
import type { Touch } from "../../kernel/index.ts";
import { conflict } from "../races.ts";

export interface Footprint {
  /** What the event acts on; null: time passes. */
  readonly touch: Touch | null;
  readonly late: boolean;
  /** The processes whose code ran; grows until the step is over. */
  readonly processes: string[];
  /** Whether the key has another version after it; known when the step is over. */
  changed: boolean;
  /** Whether the search ends with it. */
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
