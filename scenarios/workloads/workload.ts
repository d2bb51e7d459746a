/**
 * A workload as plain data: which instances there are, which messages they get and what is to go wrong with each.
 *
 * Owns the shapes only. A workload never says what the system answers; `handler.ts` says what a message does to a
 * state, so that anybody can compute what must come out.
 */

/** One message: how its handler behaves, and how it is sent. */
export interface MessagePlan {
  /** The message id, unique in the workload. */
  readonly id: string;
  /** Steps of its turn, 1 to 5. */
  readonly steps: number;
  /** How long each step takes, milliseconds. */
  readonly stepMs: number;
  /** How many turns follow it by continuation. */
  readonly depth: number;
  /** The first attempts that fail and may be tried again. */
  readonly retryable: number;
  /** Whether the attempt after those fails for good. */
  readonly fatal: boolean;
  /** How many times it is sent again after the first answer. */
  readonly duplicates: number;
  /** How long after the first answer each of them follows, milliseconds. */
  readonly duplicateAfterMs: number;
  /** When it is sent, virtual milliseconds since the sender's start. */
  readonly sendAtMs: number;
}

/** One instance and its messages, in the order of their sending. */
export interface InstancePlan {
  readonly id: string;
  readonly workflow_type: string;
  readonly version: string;
  /** The count its state starts with. */
  readonly initialCount: number;
  readonly max_attempts: number;
  readonly lease_ms: number;
  readonly messages: readonly MessagePlan[];
}

export interface Workload {
  readonly instances: readonly InstancePlan[];
}

/** What a scenario allows a workload to be; each number is the largest. */
export interface WorkloadShape {
  readonly instances: number;
  /** Messages of one instance. */
  readonly messages: number;
  readonly steps: number;
  readonly depth: number;
  readonly retryable: number;
  /** Whether handlers may fail for good. */
  readonly fatal: boolean;
  readonly duplicates: number;
  /** Leases to choose from, milliseconds; the first is the plainest. */
  readonly leasesMs: readonly number[];
  /** Attempts to choose from; the first is the plainest. */
  readonly attempts: readonly number[];
  /** Durations of a step in thirds of the lease; the first is the plainest. */
  readonly stepThirds: readonly number[];
  /** Longest wait before each next message, milliseconds. */
  readonly spreadMs: number;
}

/** A shape with a little of everything that a healthy system sees. */
export const PLAIN_SHAPE: WorkloadShape = {
  instances: 2,
  messages: 3,
  steps: 3,
  depth: 1,
  retryable: 1,
  fatal: false,
  duplicates: 1,
  leasesMs: [5_000, 2_000, 10_000],
  attempts: [20],
  stepThirds: [0, 0, 2],
  spreadMs: 2_000,
};

/** How many turns an instance gets when nothing fails for good. */
export function plannedTurns(instance: InstancePlan): number {
  let turns = 0;
  for (const message of instance.messages) turns += 1 + message.depth;
  return turns;
}
