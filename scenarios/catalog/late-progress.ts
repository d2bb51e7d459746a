/**
 * Claims: a report of progress that comes after its step was saved, again, or out of its order changes nothing.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const lateProgress = buildScenario({
  name: "late-progress",
  claim:
    "a report of progress that comes after its step was saved, again, or out of its order changes nothing",
  faults: {
    rates: { "F03-late-write": 30, "H02-lost-reply": 20, "D01-duplicate-request": 20, "F01-lost-answer": 15 },
    lateByMs: 4_000,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 30, stall: 15 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, depth: 0, waits: { ...NO_WAITS, acts: ["operate", "step"] } },
});
