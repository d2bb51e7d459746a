/**
 * What a real run asks of the system: a drawn workload that lasts as long as the faults do.
 *
 *   L1  instances are bounded, because the scheduling index is one object: a longer run has more messages for each.
 *   L2  leases are short, so that freezes outlast them in a run of a minute; no step is longer than two thirds of one.
 *   L3  messages carry every kind of act, signals, repeats and controls that the simulation's `whole-life` has.
 */
import type { ChoiceSource } from "../../sim/index.ts";
import { drawWorkload } from "../workloads/draw-workload.ts";
import { NO_WAITS, PLAIN_SHAPE, type Workload, type WorkloadShape } from "../workloads/workload.ts";

/** Instances for each second, and the most. */
const INSTANCES_PER_SECOND = 0.5;
const FEWEST_INSTANCES = 4;
const MOST_INSTANCES = 100;
/** Between two messages of one instance on average, milliseconds. */
const BETWEEN_MESSAGES_MS = 3_000;
const MOST_MESSAGES = 40;

export const SHAPE: WorkloadShape = {
  ...PLAIN_SHAPE,
  steps: 4,
  depth: 1,
  retryable: 1,
  fatal: true,
  duplicates: 2,
  leasesMs: [3_000, 2_000, 5_000],
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
export function chaosWorkload(choices: ChoiceSource, forMs: number): Workload {
  const wanted = Math.round((forMs / 1_000) * INSTANCES_PER_SECOND);
  const count = Math.min(MOST_INSTANCES, Math.max(FEWEST_INSTANCES, wanted));
  const messages = Math.min(MOST_MESSAGES, Math.max(2, Math.round(forMs / BETWEEN_MESSAGES_MS)));
  const spreadMs = 50 * Math.round((2 * forMs) / messages / 50);
  const shape: WorkloadShape = { ...SHAPE, instances: count, messages, spreadMs };
  // L1: as many instances as were asked for, and not up to as many.
  const choose = (n: number, label: string): number =>
    label === "workload-instances" ? n - 1 : choices.choose(n, label);
  return drawWorkload({ choose }, shape);
}
