/**
 * The scheduling index: what each instance waits for, as a hint for claims.
 *
 * It may lag behind the identities and may be wrong; a claim decides on the identity and corrects the entry. The
 * periodic listing repairs what was missed. Source: seed 000 "Storage, recovery and erasure".
 */
import type { InstanceStatus } from "./instance.ts";

/** What an instance waits for. */
export interface Schedule {
  readonly status: InstanceStatus;
  /** When it may next be claimed (of a running one: when its lease ends), wall milliseconds; null: nothing to claim. */
  readonly ready_at_ms: number | null;
}

export interface IndexEntry extends Schedule {
  readonly workflow_type: string;
  readonly version: string;
  /** The sequence of the identity version this was made from: an older one never replaces a newer one. */
  readonly sequence: number;
  /** What that version took of the graph's budget, UTF-8 bytes; absent: not known, counts as none. */
  readonly bytes?: number;
}

/** Entries by instance id. A map, because `__proto__` is a valid id. */
export type SchedulingIndex = ReadonlyMap<string, IndexEntry>;
