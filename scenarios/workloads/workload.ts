/**
 * A workload as plain data: which instances there are, which messages they get and what is to go wrong with each.
 *
 * Owns the shapes only. A workload never says what the system answers; `handler.ts` says what a message does to a
 * state, so that anybody can compute what must come out.
 */

import type { ControlAction } from "../../src/index.ts";
import { type Act, actMs } from "./acts.ts";

/** A signal to the turn of a message. */
export interface SignalPlan {
  readonly id: string;
  readonly name: string;
  readonly value: number | null;
  /** How long after the message was acknowledged, milliseconds. */
  readonly afterMs: number;
  /** How many times it is sent again after the first answer; of two or more, the last has another value. */
  readonly repeats: number;
  readonly repeatAfterMs: number;
  /** Instead of the message's turn: the turn behind it, or one that is not there. */
  readonly stray: "no" | "next" | "missing";
  /** Sent as close as can be to the end of a wait of its turn, instead of after a fixed time. */
  readonly aimed: boolean;
}

/** What a person does about the turn of a message, or its instance. */
export interface ControlPlan {
  readonly action: ControlAction;
  readonly afterMs: number;
  readonly repeats: number;
  readonly repeatAfterMs: number;
  /** Done as close as can be to the end of a wait that counts no attempt, instead of after a fixed time. */
  readonly aimed: boolean;
}

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
  /** What its handler does at each place; absent: plain steps. */
  readonly acts?: readonly Act[];
  /** How many times a worker is turned away before the last place, and for how long; absent: never. */
  readonly turnedAway?: TurnedAway;
  readonly signals?: readonly SignalPlan[];
  readonly controls?: readonly ControlPlan[];
}

/** A worker that is turned away asks for a later time and spends no attempt. */
export interface TurnedAway {
  readonly times: number;
  readonly ms: number;
  /** Whether the system is called busy. */
  readonly busy: boolean;
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
  /** Absent: a turn that fails for good blocks the inbox. */
  readonly on_exhausted?: "skip";
  /** Whether each message has a sender of its own, so that none waits for the answer to the one before; absent: not. */
  readonly crowded?: true;
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
  /** Whether each message has a sender of its own; absent: not. */
  readonly crowded?: true;
  /** Versions that instances are pinned to; absent: `v1`. */
  readonly versions?: readonly string[];
  /** Whether a turn that fails for good may be skipped by itself. */
  readonly skips?: boolean;
  /** What turns do beside plain steps, and what people do about them; absent: nothing. */
  readonly waits?: WaitShape;
}

/** Sleeps, signals, operations and controls; each number is the largest. */
export interface WaitShape {
  /** The acts to choose from; the first is the plainest. */
  readonly acts: readonly Act["kind"][];
  /** Lengths of sleeps and of waits, milliseconds; the first is the plainest. */
  readonly sleepsMs: readonly number[];
  readonly waitsMs: readonly number[];
  /** Execution limits of operations, milliseconds; the first is the plainest. */
  readonly limitsMs: readonly number[];
  /** Attempts that hang in an operation. */
  readonly hangs: number;
  /** Times that a worker is turned away. */
  readonly turnedAway: number;
  /** Signals of one message, and names that they have. */
  readonly signals: number;
  readonly names: readonly string[];
  /** Whether signals go to wrong turns, too. */
  readonly strays: boolean;
  /** Repeats of a signal or a control, and the longest time before each, milliseconds. */
  readonly repeats: number;
  readonly repeatMs: number;
  /** What people do, the first is the plainest; and how much of it for one message. */
  readonly actions: readonly ControlAction[];
  readonly controls: number;
  /** Longest time after a message at which a signal or a control follows, milliseconds. */
  readonly afterMs: number;
  /** Whether signals and controls are aimed at the ends of waits. */
  readonly aimed: boolean;
}

/** Nothing but plain steps: what a shape of waits starts from. */
export const NO_WAITS: WaitShape = {
  acts: ["step"],
  sleepsMs: [1_000],
  waitsMs: [3_000],
  limitsMs: [10_000],
  hangs: 0,
  turnedAway: 0,
  signals: 0,
  names: ["paid"],
  strays: false,
  repeats: 0,
  repeatMs: 0,
  actions: ["pause"],
  controls: 0,
  afterMs: 4_000,
  aimed: false,
};

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

/** The longest back-off after an attempt that hung, and its lease, milliseconds. */
const HANG_MS = 90_000;

/** How much longer a message's turn may take, and what is sent about it, because of waits, milliseconds. */
export function waitsMs(message: MessagePlan): number {
  let totalMs = 0;
  for (const act of message.acts ?? []) {
    totalMs += actMs(act);
    // A hanging attempt fails as any other does.
    if (act.kind === "operate") totalMs += act.hangs * HANG_MS;
  }
  const { times, ms } = message.turnedAway ?? { times: 0, ms: 0 };
  totalMs += times * ms;
  for (const { afterMs, repeats, repeatAfterMs } of [...(message.signals ?? []), ...(message.controls ?? [])])
    totalMs += afterMs + repeats * repeatAfterMs;
  return totalMs;
}

/** Whether a person may end turns of the instance, or they are skipped, so that fewer follow than planned. */
export function mayBeCut({ on_exhausted, messages }: InstancePlan): boolean {
  return on_exhausted === "skip" || messages.some(({ controls = [] }) => controls.length > 0);
}

/** How many turns an instance gets when nothing fails for good. */
export function plannedTurns(instance: InstancePlan): number {
  let turns = 0;
  for (const message of instance.messages) turns += 1 + message.depth;
  return turns;
}
