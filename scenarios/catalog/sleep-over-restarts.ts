/**
 * Claims: a durable sleep ends at its time, neither before nor never, while all nodes and workers come and go.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const sleepOverRestarts = buildScenario({
  name: "sleep-over-restarts",
  claim:
    "a durable sleep ends at its time, neither before nor never, while all nodes and workers come and go",
  faults: {
    rates: { "N01-crash": 12, "N07-drop-hint": 100, "F02-lost-request": 10 },
    lateByMs: 0,
    skewMs: 3_000,
    downMs: 4_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 20, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    waits: { ...NO_WAITS, acts: ["sleep", "step"], sleepsMs: [1_000, 0, 10_000, 20_000] },
  },
});
