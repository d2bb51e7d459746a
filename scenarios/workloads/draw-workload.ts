/**
 * Draws a workload from the run's choices.
 *
 *   L1  a source of zeroes draws the smallest workload: one instance, one message, one step, nothing goes wrong.
 *   L2  ids are positions (`order-1`, `order-1-message-2`), so a smaller workload keeps the names of a larger one.
 */
import type { ChoiceSource } from "../../sim/index.ts";
import { drawWaits, pick } from "./draw-waits.ts";
import type { InstancePlan, MessagePlan, Workload, WorkloadShape } from "./workload.ts";

/** What the surroundings of a run say about its workload. */
export interface Circumstances {
  /** Whether the next instance gets a message whose handler always fails (D03). Asked once for each. */
  readonly poisons: () => boolean;
  /** No lease is shorter: a turn takes several writes to one key, and some stores take one a second. */
  readonly leastLeaseMs: number;
}

const PLAIN: Circumstances = { poisons: () => false, leastLeaseMs: 0 };
/** Attempts at a poisonous message: enough to see that they end. */
const POISON_ATTEMPTS = 3;

export function drawWorkload(
  choices: ChoiceSource,
  shape: WorkloadShape,
  circumstances: Circumstances = PLAIN,
): Workload {
  const instances: InstancePlan[] = [];
  const count = 1 + choices.choose(shape.instances, "workload-instances");
  for (let i = 1; i <= count; i++) {
    const drawn = drawInstance(choices, shape, `order-${i}`, circumstances.leastLeaseMs);
    instances.push(circumstances.poisons() ? poisoned(drawn) : drawn);
  }
  return { instances };
}

/** The instance with a first message that fails in every attempt, until there are no more. */
function poisoned(instance: InstancePlan): InstancePlan {
  const max_attempts = Math.min(instance.max_attempts, POISON_ATTEMPTS);
  const [first, ...others] = instance.messages;
  if (first === undefined) return instance;
  return { ...instance, max_attempts, messages: [{ ...first, retryable: max_attempts }, ...others] };
}

function drawInstance(
  choices: ChoiceSource,
  shape: WorkloadShape,
  id: string,
  leastLeaseMs: number,
): InstancePlan {
  const lease_ms = Math.max(leastLeaseMs, pick(choices, shape.leasesMs, "workload-lease"));
  const max_attempts = pick(choices, shape.attempts, "workload-attempts");
  const version = pick(choices, shape.versions ?? ["v1"], "workload-version");
  const skips = shape.skips === true && choices.choose(2, "workload-skips") === 1;
  const initialCount = choices.choose(3, "workload-initial-count");
  const messages: MessagePlan[] = [];
  const count = 1 + choices.choose(shape.messages, "workload-messages");
  let sendAtMs = 0;
  for (let i = 1; i <= count; i++) {
    if (shape.spreadMs > 0) sendAtMs += 50 * choices.choose(1 + shape.spreadMs / 50, "workload-spread");
    const message = drawMessage(choices, shape, `${id}-message-${i}`, sendAtMs, lease_ms);
    const waits = shape.waits && drawWaits(choices, shape.waits, message.id, message.steps, leastLeaseMs);
    messages.push({ ...message, ...waits });
  }
  const drawn = { id, workflow_type: "order", version, initialCount, max_attempts, lease_ms, messages };
  const plan: InstancePlan = shape.crowded === true ? { ...drawn, crowded: true } : drawn;
  return skips ? { ...plan, on_exhausted: "skip" } : plan;
}

function drawMessage(
  choices: ChoiceSource,
  shape: WorkloadShape,
  id: string,
  sendAtMs: number,
  leaseMs: number,
): MessagePlan {
  const steps = 1 + choices.choose(shape.steps, "workload-steps");
  const thirds = pick(choices, shape.stepThirds, "workload-step-thirds");
  const depth = choices.choose(1 + shape.depth, "workload-depth");
  // One message in four fails; which attempts do is a second draw, so that zero still means none.
  const fails = shape.retryable > 0 && choices.choose(4, "workload-fails") === 3;
  const retryable = fails ? 1 + choices.choose(shape.retryable, "workload-retryable") : 0;
  const fatal = shape.fatal && choices.choose(8, "workload-fatal") === 7;
  const duplicates = shape.duplicates > 0 ? choices.choose(1 + shape.duplicates, "workload-duplicates") : 0;
  const duplicateAfterMs = duplicates > 0 ? 500 * choices.choose(7, "workload-duplicate-after") : 0;
  return {
    id,
    steps,
    stepMs: Math.trunc((leaseMs * thirds) / 3),
    depth,
    retryable,
    fatal,
    duplicates,
    duplicateAfterMs,
    sendAtMs,
  };
}
