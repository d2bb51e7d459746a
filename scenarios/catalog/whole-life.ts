/**
 * Claims: with every fault at once, turns that sleep, wait, run operations, are put off, and are paused, woken,
 * retried, skipped and cancelled keep every promise.
 *
 * What `everything` is for plain turns. It takes longer than any other run and is the least likely to say at once what is
 * wrong, but it alone lets a sleep meet a skip, or a late report a cancellation.
 */
import { STANDARD_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const wholeLife = buildScenario({
  name: "whole-life",
  claim:
    "with every fault at once, turns that sleep, wait, run operations, are put off, and are paused, woken, retried, skipped and cancelled keep every promise",
  faults: STANDARD_FAULTS,
  nodes: [2, 4],
  workers: [2, 4],
  reader: true,
  hazards: { death: 10, stall: 10 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    retryable: 2,
    fatal: true,
    skips: true,
    attempts: [20, 3],
    versions: ["v1", "v2"],
    waits: {
      ...NO_WAITS,
      acts: ["step", "sleep", "wait", "operate"],
      sleepsMs: [1_000, 0, 5_000],
      limitsMs: [10_000, 2_000],
      hangs: 1,
      turnedAway: 2,
      signals: 2,
      names: ["paid", "packed"],
      strays: true,
      repeats: 2,
      repeatMs: 3_000,
      actions: ["pause", "resume", "wake", "retry", "skip", "cancel_turn"],
      controls: 2,
      aimed: true,
    },
  },
});
