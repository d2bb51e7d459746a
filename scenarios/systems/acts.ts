/**
 * What an attempt does at a place that is no plain step: sleeps, waits for signals, runs an operation, or is turned away.
 *
 *   Y5  a sleep or a wait that suspends its turn ends the work on it: another claim goes on. Its exact repeat is sent
 *       now and then, as after a lost answer, and half of the time so late that another attempt may go on by then.
 *   Y6  a wait that took a signal at once goes on, but only while the answer shows the turn running with this worker.
 *   Y7  an operation begins only when the lease still lasts by this worker's own monotonic clock when the answer to
 *       the start comes: a late answer authorises nothing. Without enough time left the lease is renewed first.
 *   Y8  an operation goes on from the checkpoint that it was handed, and reports after each portion. The last report is
 *       under way while the step is saved, and one more follows afterwards: both may come too late.
 *   Y9  a worker that is turned away asks for a later time by its own wall clock. Now and then it says afterwards that it
 *       failed, in the same words: by then its attempt has let go.
 *   Y11 an old report is sent again now and then, as a request that was on its way for long.
 */
import type { LeaseRequest, Task, TurnView } from "../../src/index.ts";
import { isJsonObject, type Json } from "../../src/std/json.ts";
import type { Operate } from "../workloads/acts.ts";
import type { Lease } from "./lease.ts";
import type { Workshop } from "./workshop.ts";

/** The attempt goes on with an output, or is over: by its own word (true) or because it was lost (false). */
export type Acted = { readonly output: Json } | boolean;

const TRIES = 4;
/** One suspension in so many is sent again, and so are reports. */
const REPEATED = 4;
/** Of a late repeat. */
const LATE_MS = 2_000;

/** Where the attempt is in its turn. */
export interface Place {
  readonly task: Task;
  readonly lease: Lease;
  readonly position: number;
  readonly key: string;
}

/** Y5. */
export async function sleep(
  { lease, position, key }: Place,
  delay_ms: number,
  shop: Workshop,
): Promise<Acted> {
  const request = { ...lease.request, position, key, kind: "sleep", delay_ms } as const;
  const ask = () => shop.client.checkpoint(request);
  const saved = await shop.client.repeat(TRIES, ask);
  if (saved.ok) await perhapsAgain(shop, ask, delay_ms);
  return saved.ok;
}

/** Y5, Y6. */
export async function wait(place: Place, name: string, timeout_ms: number, shop: Workshop): Promise<Acted> {
  const { lease, position, key } = place;
  const request = { ...lease.request, position, key, name, timeout_ms };
  const ask = () => shop.client.waitSignal(request);
  const waited = await shop.client.repeat(TRIES, ask);
  if (!waited.ok) return false;
  const { status, worker, steps } = waited.value;
  const output = steps[position]?.output ?? null;
  if (output !== null && status === "running" && worker === shop.context.name) return { output };
  await perhapsAgain(shop, ask, timeout_ms);
  return true;
}

/** The suspension once more, with the token that it took away; or what else is heard late. */
async function perhapsAgain(shop: Workshop, ask: () => Promise<unknown>, afterMs = 0): Promise<void> {
  const { random, clock } = shop.context;
  if (random.below(REPEATED, "worker-repeats") < REPEATED - 1) return;
  if (afterMs > 0 && random.below(2, "worker-repeats-late") === 1)
    await clock.sleep(Math.min(afterMs, LATE_MS) + random.below(LATE_MS, "worker-repeats-after"));
  await ask();
}

/** Y9; null when the time that it asked for was too near for the node. */
export async function askForLater(
  request: LeaseRequest,
  ms: number,
  busy: boolean,
  shop: Workshop,
): Promise<boolean | null> {
  const retry_at_ms = shop.context.clock.wallMs() + ms;
  const later = {
    ...request,
    error: "come back later",
    retry_at_ms,
    ...(busy ? { reason: "capacity" as const } : {}),
  };
  const asked = await shop.client.repeat(TRIES, () => shop.client.fail(later));
  if (!asked.ok && asked.error.code === "retry_too_soon") return null;
  const { error } = later;
  if (asked.ok) await perhapsAgain(shop, () => shop.client.fail({ ...request, error }));
  return asked.ok;
}

/** Runs the operation up to its end; whether the attempt may still save its step. */
export async function operate(place: Place, act: Operate, shop: Workshop): Promise<boolean> {
  const { task, lease, position, key } = place;
  if (!(await lease.atLeastHalf(shop))) return false;
  const { limit_ms: timeout_ms, silence_ms: heartbeat_timeout_ms } = act;
  const start = { ...lease.request, position, key, kind: "tool", timeout_ms, heartbeat_timeout_ms } as const;
  const started = await shop.client.repeat(TRIES, () => shop.client.operation(start));
  // Y7: whatever the answer says, it says nothing about now.
  if (!started.ok || !lease.lasts(shop)) return false;
  if (task.turn.attempt <= act.hangs) return hang(act, lease, shop);
  let { done, sequence } = resumed(started.value);
  for (; done < act.portions; done++) {
    if (!(await lease.work(act.portion_ms, shop))) return false;
    sequence++;
    const report = reportOf(place, sequence, done + 1, act.portions);
    if (done + 1 === act.portions) {
      // Y8.
      void shop.client.progress(report);
      break;
    }
    const told = await shop.client.repeat(TRIES, () => shop.client.progress(report));
    if (!told.ok) return false;
    // Y11.
    if (done > 0)
      await perhapsAgain(shop, () => shop.client.progress(reportOf(place, sequence - 1, done, act.portions)));
  }
  return lease.lasts(shop);
}

/** Y8: one more report, after its step was saved. */
export async function reportTooLate(place: Place, act: Operate, shop: Workshop): Promise<void> {
  await shop.client.progress(reportOf(place, act.portions + 2, act.portions, act.portions));
}

function reportOf({ lease, key }: Place, sequence: number, done: number, total: number) {
  const details = { phase: "packing", done, total, unit: "parts" };
  return { ...lease.request, key, sequence, details, checkpoint: { done } };
}

/** Where an operation goes on, as its start answered. */
function resumed({ operation }: TurnView): { done: number; sequence: number } {
  const checkpoint = operation?.checkpoint ?? null;
  const done = isJsonObject(checkpoint) && typeof checkpoint.done === "number" ? checkpoint.done : 0;
  return { done, sequence: operation?.sequence ?? 0 };
}

/** Renews the lease and does nothing else, for longer than the operation may take. */
async function hang({ limit_ms }: Operate, lease: Lease, shop: Workshop): Promise<boolean> {
  await lease.work(2 * limit_ms + lease.leaseMs, shop);
  return false;
}
