/**
 * How soon the scheduling index has to hear of a change: from what its stored entry tells everybody else. Pure.
 *
 *   soon   it hides work that can be claimed, or work that it promised was taken and other work has come since
 *   held   it hides work that a worker holds: told long before that lease ends
 *   lazy   it promises work too early, which costs others a look; a promise for a later time stands until then
 *   never  it says the same: told with whatever else is written
 */
import { sameSchedule } from "../protocol/schedule.ts";
import type { IndexEntry } from "../vocabulary/index-entry.ts";

export interface Urgency {
  readonly kind: "soon" | "held" | "lazy" | "never";
  readonly withinMs: number;
}

export const SOON_MS = 200;
const LAZY_MS = 10_000;
const NEVER: Urgency = { kind: "never", withinMs: Number.POSITIVE_INFINITY };

/** `stored`: what the index says as far as the node knows; `nowMs` by the wall clock. */
export function urgencyOf(entry: IndexEntry, stored: IndexEntry | undefined, nowMs: number): Urgency {
  if (stored === undefined || stored.version !== entry.version) return { kind: "soon", withinMs: SOON_MS };
  if (sameSchedule(stored, entry)) return NEVER;
  const { ready_at_ms: readyMs } = entry;
  const toldMs = stored.ready_at_ms;
  if (readyMs !== null && entry.status !== "running") return { kind: "soon", withinMs: SOON_MS };
  if (readyMs !== null && (toldMs === null || toldMs > readyMs))
    return { kind: "held", withinMs: Math.max(SOON_MS, Math.ceil((readyMs - nowMs) / 3)) };
  return toldMs === null ? NEVER : { kind: "lazy", withinMs: Math.max(LAZY_MS, toldMs - nowMs - LAZY_MS) };
}
