/**
 * An attempt's time in the exact model: when it ends by itself, what becomes of its turn then, and how it lets go.
 *
 *   S2   two limits that end at the same moment: the lease counts before the operation.
 *   S3   an operation that ran out of time failed: the turn waits for a back-off from the moment when somebody notices. A
 *        lease that ran out spends its attempt without a further wait.
 *
 * Source: seed 000 "LLM runs, signals and progress" (limits of a step), "Message API" (attempts and back-off).
 */
import { OWN_WORDS } from "./expectation.ts";
import { type Instance, type Last, type Turn, touch, type World } from "./world.ts";

const BACKOFF_FIRST_MS = 1_000;
const BACKOFF_LAST_MS = 60_000;

/** When the attempt that holds the turn is over, and whether its lease is what ends (S2). */
export function endOf(turn: Turn): { readonly atMs: number; readonly byLease: boolean } | null {
  const { holder, operation } = turn;
  if (holder === null) return null;
  const lease = { atMs: holder.deadline_ms, byLease: true };
  if (operation?.token !== holder.token) return lease;
  const silentMs =
    operation.heartbeat_timeout_ms === null
      ? Number.POSITIVE_INFINITY
      : operation.last_heartbeat_ms + operation.heartbeat_timeout_ms;
  const atMs = Math.min(operation.deadline_ms, silentMs);
  return atMs < lease.atMs ? { atMs, byLease: false } : lease;
}

/** Whether the turn's attempt is over, whoever has noticed. */
export function isOver(world: World, turn: Turn): boolean {
  const end = endOf(turn);
  return end !== null && end.atMs <= world.nowMs;
}

/** Whether the attempt that holds the turn, or held it last, was the last that it may have. */
export function isSpent(instance: Instance, turn: Turn): boolean {
  return turn.attempt - turn.forgiven >= instance.max_attempts;
}

export function backoffMs(turn: Turn): number {
  const failures = turn.attempt - turn.forgiven;
  return Math.min(BACKOFF_LAST_MS, BACKOFF_FIRST_MS * 2 ** (failures - 1));
}

/** Whether the next claim goes on with the attempt. */
export function goesOn({ last, holder }: Turn): boolean {
  return holder === null && (last?.end === "suspended" || last?.end === "deferred");
}

/** The attempt lets go of its turn. */
export function letGo(turn: Turn, end: Last["end"]): void {
  const { holder } = turn;
  if (holder !== null) turn.last = { worker: holder.worker, token: holder.token, end };
  turn.holder = null;
}

/** Takes the turn from an attempt that is over (S3). Answers whether the turn failed for good by it. */
export function expire(world: World, instance: Instance, turn: Turn): boolean {
  const end = endOf(turn);
  letGo(turn, "expired");
  turn.status = "queued";
  turn.error = OWN_WORDS;
  if (end !== null && !end.byLease) turn.ready_at_ms = world.nowMs + backoffMs(turn);
  touch(world, instance, turn);
  if (!isSpent(instance, turn)) return false;
  failForGood(world, instance, turn);
  return true;
}

export function failForGood(world: World, instance: Instance, turn: Turn): void {
  turn.status = "failed";
  turn.waiting_for = null;
  turn.finished_at_ms = world.nowMs;
  if (instance.on_exhausted === "skip") {
    turn.skipped = true;
    instance.finished += 1;
  }
  touch(world, instance, turn);
}
