/**
 * What a real run asks of the system: a drawn workload that lasts as long as the faults do.
 *
 *   L1  instances are bounded, because the scheduling index is one object: a longer run has more messages for each.
 *   L2  leases are short, so that freezes outlast them in a run of a minute; no step is longer than two thirds of one.
 *   L3  messages carry every kind of act, signals, repeats and controls that the simulation's `whole-life` has.
 *   L4  instances begin at different times, so that as much is asked for at the end of the run as at its beginning.
 */
import type { ChoiceSource } from "../../sim/index.ts";
import { drawWorkload } from "../workloads/draw-workload.ts";
import {
  type InstancePlan,
  NO_WAITS,
  PLAIN_SHAPE,
  type Workload,
  type WorkloadShape,
} from "../workloads/workload.ts";

/** What a store and its machine can bear. */
export interface Pace {
  /** Instances for each second of faults. */
  readonly instancesPerSecond: number;
  readonly leasesMs: readonly number[];
  /** Between two messages of one instance, on average. */
  readonly betweenMessagesMs: number;
}

/** A store on this machine's disk. */
export const FAST: Pace = {
  instancesPerSecond: 0.5,
  leasesMs: [3_000, 2_000, 5_000],
  betweenMessagesMs: 5_000,
};
/** A gateway, where a turn takes dozens of requests of up to a second each. */
export const SLOW: Pace = {
  instancesPerSecond: 0.25,
  leasesMs: [10_000, 8_000, 15_000],
  betweenMessagesMs: 10_000,
};

const FEWEST_INSTANCES = 4;
const MOST_INSTANCES = 80;
const MOST_MESSAGES = 20;

const SHAPE: WorkloadShape = {
  ...PLAIN_SHAPE,
  steps: 4,
  depth: 1,
  retryable: 1,
  fatal: true,
  duplicates: 2,
  attempts: [20, 20, 4],
  stepThirds: [0, 0, 0, 0, 0, 1, 2],
  skips: true,
  versions: ["v1", "v2"],
  waits: {
    ...NO_WAITS,
    acts: ["step", "step", "step", "sleep", "wait", "operate"],
    sleepsMs: [500, 0, 2_000],
    waitsMs: [1_000, 3_000],
    limitsMs: [5_000, 2_000],
    hangs: 1,
    turnedAway: 1,
    signals: 2,
    names: ["paid", "packed"],
    strays: true,
    repeats: 2,
    repeatMs: 2_000,
    actions: ["pause", "resume", "wake", "retry", "skip", "cancel_turn"],
    controls: 1,
    afterMs: 2_000,
    aimed: true,
  },
};

/** `forMs`: how long faults strike. */
export function chaosWorkload(choices: ChoiceSource, forMs: number, pace: Pace = FAST): Workload {
  const { instancesPerSecond, leasesMs, betweenMessagesMs } = pace;
  const wanted = Math.round((forMs / 1_000) * instancesPerSecond);
  const count = Math.min(MOST_INSTANCES, Math.max(FEWEST_INSTANCES, wanted));
  const messages = Math.min(MOST_MESSAGES, Math.max(2, Math.round(forMs / betweenMessagesMs)));
  const spreadMs = 50 * Math.round((2 * forMs) / messages / 50);
  const shape: WorkloadShape = { ...SHAPE, leasesMs, instances: count, messages, spreadMs };
  // L1: as many instances as were asked for, and not up to as many.
  const choose = (n: number, label: string): number =>
    label === "workload-instances" ? n - 1 : choices.choose(n, label);
  const { instances } = drawWorkload({ choose }, shape);
  return { instances: instances.map((plan) => moved(plan, choices, forMs)) };
}

/** L4: begins somewhere in the time that its messages leave of the run. */
function moved(plan: InstancePlan, choices: ChoiceSource, forMs: number): InstancePlan {
  const freeMs = Math.max(1, forMs - (plan.messages.at(-1)?.sendAtMs ?? 0));
  const laterMs = choices.choose(freeMs, "chaos-begins");
  const messages = plan.messages.map((message) => ({ ...message, sendAtMs: message.sendAtMs + laterMs }));
  return { ...plan, messages };
}
