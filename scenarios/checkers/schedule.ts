/**
 * What the scheduling index has to say of an instance, computed from its identity.
 */
import type { IndexEntry, Instance } from "../../src/index.ts";
import { isOver } from "./kinds.ts";
import { limitOf } from "./limits.ts";

/** The entry for this version of the identity. */
export function entryFor(instance: Instance, sequence: number): IndexEntry {
  const { workflow_type, version } = instance;
  const { status, ready_at_ms } = scheduleFor(instance);
  return { workflow_type, version, sequence, status, ready_at_ms };
}

type Schedule = Pick<IndexEntry, "status" | "ready_at_ms">;

function scheduleFor(instance: Instance): Schedule {
  if (instance.paused) return { status: "paused", ready_at_ms: null };
  const head = instance.turns.find((turn) => !isOver(turn));
  if (head === undefined) return emptyInbox(instance);
  const end = limitOf(head);
  if (end !== null) return { status: "running", ready_at_ms: end.atMs };
  if (head.status === "failed") return { status: "failed", ready_at_ms: null };
  return { status: head.status === "waiting" ? "waiting" : "queued", ready_at_ms: head.ready_at_ms };
}

/** Without a turn there is work when the first deferred message is due. */
function emptyInbox({ deferred }: Instance): Schedule {
  if (deferred.length === 0) return { status: "idle", ready_at_ms: null };
  return { status: "waiting", ready_at_ms: Math.min(...deferred.map((one) => one.due_at_ms)) };
}

/** Whether two entries say the same about when and for whom there is work. */
export function sayTheSame(a: IndexEntry, b: IndexEntry): boolean {
  return (
    a.status === b.status &&
    a.ready_at_ms === b.ready_at_ms &&
    a.workflow_type === b.workflow_type &&
    a.version === b.version
  );
}

/** Whether a claim that trusts `entry` overlooks, for a time, work that is ready at `readyAtMs` (null: none is). */
export function hides(entry: IndexEntry | undefined, readyAtMs: number | null): boolean {
  if (readyAtMs === null) return false;
  return entry === undefined || entry.ready_at_ms === null || entry.ready_at_ms > readyAtMs;
}
