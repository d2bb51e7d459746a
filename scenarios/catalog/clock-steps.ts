/**
 * Claims: clocks that step by minutes, tick in seconds, drift, and are behind after a restart, cost attempts and time,
 * never a turn, a step or a second holder.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const clockSteps = buildScenario({
  name: "clock-steps",
  claim:
    "clocks that step, tick in seconds, drift or are behind after a restart cost attempts and time, nothing else",
  faults: {
    rates: { "N01-crash": 6, "N05-clock-back": 500, "F01-lost-answer": 5 },
    lateByMs: 0,
    skewMs: 30_000,
    downMs: 5_000,
    stepMs: 60_000,
    tickMs: 1_000,
    driftPpm: 20_000,
  },
  nodes: [2, 4],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, leasesMs: [5_000, 2_000], attempts: [100], stepThirds: [0, 2] },
});
