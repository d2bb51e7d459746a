/**
 * Claims: an operation that hangs while its worker lives, or reports no progress in time, ends its attempt; the next
 * one goes on from the last checkpoint.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const hangingOperation = buildScenario({
  name: "hanging-operation",
  claim:
    "an operation that hangs while its worker lives, or reports no progress in time, ends its attempt; the next one goes on from the last checkpoint",
  faults: { rates: { "F01-lost-answer": 10, "H02-lost-reply": 10 }, lateByMs: 0, skewMs: 0, downMs: 5_000 },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    leasesMs: [5_000, 10_000],
    waits: { ...NO_WAITS, acts: ["operate", "step"], limitsMs: [3_000, 1_000, 8_000], hangs: 1 },
  },
});
