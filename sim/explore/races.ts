/**
 * Which events may be swapped without a difference, as far as it can be seen before they happen.
 *
 *   R1  two requests to the store race when they touch the same key and one of them writes; a list touches every
 *       key that begins with its prefix;
 *   R2  two events that run code of the same process race: its memory is theirs. A request to the store counts for
 *       its sender, which is answered with it, a call for the process that it reaches;
 *   R3  an event of which nothing is known (the harness's own, such as a restart) races with nothing.
 *
 * Not covered: what the code that runs in an event does next to other processes. `search/footprint.ts` sees that,
 * after the event.
 */
import type { Candidate, Touch } from "../kernel/index.ts";

/** The process whose code an event runs or whose request it carries; null: the harness. */
export function actorOf(event: Candidate): string | null {
  return event.owner?.name ?? event.touches?.process ?? null;
}

/** Whether the order of the two can matter. */
export function race(a: Candidate, b: Candidate): boolean {
  const actor = actorOf(a);
  if (actor !== null && actor === actorOf(b)) return true;
  return a.touches !== null && b.touches !== null && conflict(a.touches, b.touches);
}

/** R1. */
export function conflict(a: Touch, b: Touch): boolean {
  if (a.kind === "call" || b.kind === "call") return false;
  if (!writes(a) && !writes(b)) return false;
  if (a.kind === "list") return b.key.startsWith(a.key);
  if (b.kind === "list") return a.key.startsWith(b.key);
  return a.key === b.key;
}

function writes(touch: Touch): boolean {
  return touch.kind === "put" || touch.kind === "delete";
}
