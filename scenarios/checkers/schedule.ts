/**
 * What the scheduling index has to say of an instance, computed from its identity.
 */
import type { IndexEntry, Instance } from "../../src/index.ts";

/** The entry for this version of the identity. */
export function entryFor(instance: Instance, sequence: number): IndexEntry {
  const { workflow_type, version, turns } = instance;
  const head = turns.find(({ status }) => status !== "completed" && status !== "cancelled");
  const base = { workflow_type, version, sequence };
  if (head === undefined) return { ...base, status: "idle", ready_at_ms: null };
  if (head.holder !== null) return { ...base, status: "running", ready_at_ms: head.holder.deadline_ms };
  if (head.status === "failed") return { ...base, status: "failed", ready_at_ms: null };
  return { ...base, status: head.status === "waiting" ? "waiting" : "queued", ready_at_ms: head.ready_at_ms };
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
