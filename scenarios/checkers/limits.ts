/**
 * When an attempt is over by itself, computed from its turn: with its lease, with its operation's execution limit, or
 * when the operation has been silent for too long. An operation of an earlier attempt limits nobody.
 */
import type { Turn } from "../../src/index.ts";

export type Limit = "lease" | "operation" | "progress";

/** The first of the limits that is reached, wall milliseconds; null: nobody holds the turn. */
export function limitOf({
  holder,
  operation,
}: Turn): { readonly atMs: number; readonly limit: Limit } | null {
  if (holder === null) return null;
  const limits: { atMs: number; limit: Limit }[] = [{ atMs: holder.deadline_ms, limit: "lease" }];
  if (operation !== null && operation.token === holder.token) {
    limits.push({ atMs: operation.deadline_ms, limit: "operation" });
    if (operation.heartbeat_timeout_ms !== null)
      limits.push({ atMs: operation.last_heartbeat_ms + operation.heartbeat_timeout_ms, limit: "progress" });
  }
  return limits.reduce((first, one) => (one.atMs < first.atMs ? one : first));
}

/** How long a turn waits after its attempts, the forgiven ones apart, milliseconds. */
export function backOffMs({ attempt, forgiven_attempts }: Turn): number {
  return Math.min(LAST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - forgiven_attempts - 1));
}
const FIRST_BACKOFF_MS = 1_000;
const LAST_BACKOFF_MS = 60_000;
