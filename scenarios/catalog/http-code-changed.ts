/**
 * Claims: a turn whose code changes between two attempts fails for good where the new code differs from what is saved.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const httpCodeChanged = buildScenario({
  name: "http-code-changed",
  claim:
    "a turn whose code changes between two attempts fails for good where the new code differs from what is saved",
  faults: {
    rates: { "H01-lost-call": 10, "H02-lost-reply": 10 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 4_000,
  },
  nodes: [1, 2],
  workers: [1, 2],
  reader: false,
  hazards: { death: 60, stall: 20 },
  aim: null,
  downMs: 5_000,
  http: { concurrency: [1], stops: false, drainMs: 3_000, changes: true },
  shape: { ...PLAIN_SHAPE, retryable: 2, depth: 0, skips: true },
});
