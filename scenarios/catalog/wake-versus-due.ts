/**
 * Claims: a person who wakes a turn as it becomes due, or wakes one that waits for something else, ends at most that
 * one wait.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const wakeVersusDue = buildScenario({
  name: "wake-versus-due",
  claim:
    "a person who wakes a turn as it becomes due, or wakes one that waits for something else, ends at most that one wait",
  faults: {
    rates: { "D01-duplicate-request": 20, "H02-lost-reply": 10 },
    lateByMs: 0,
    skewMs: 3_000,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    // Messages come together, so that somebody wakes a turn while the one in front of it waits.
    spreadMs: 500,
    messages: 4,
    steps: 2,
    depth: 0,
    waits: {
      ...NO_WAITS,
      acts: ["step", "sleep", "wait"],
      turnedAway: 4,
      actions: ["wake", "wake", "resume"],
      controls: 2,
      repeats: 2,
      repeatMs: 3_000,
      aimed: true,
    },
  },
});
