/**
 * A tombstone: what an identity object holds after its instance was deleted. It is never removed.
 *
 * It holds no payload. Late writes to the deleted instance fail on it, and it knows what is still to be erased, so
 * whoever meets an unfinished erasure can finish it. Source: seed 000 "Storage, recovery and erasure" (scrubbed
 * barriers); catalogue B31, B48.
 */
import type { HistoryLayout } from "./history-layout.ts";
import type { Instance } from "./instance.ts";

export interface Tombstone {
  readonly id: string;
  /** The life that ended. The next one gets the number after it. */
  readonly life: number;
  readonly deleted_at_ms: number;
  /** The turns of that life had the numbers 1 to this. */
  readonly turns_through: number;
  /** The segments of turns 1 to this are known to be gone. */
  readonly erased_through: number;
  /** How the history of that life was cut into objects. */
  readonly history_layout: HistoryLayout;
  /** Nothing that belonged to that life is left. */
  readonly erased: boolean;
}

/** What an identity object holds. */
export type Identity = Instance | Tombstone;

export function isTombstone(identity: Identity): identity is Tombstone {
  return "deleted_at_ms" in identity;
}
