/**
 * Claims: a message whose handler always fails is left out after its attempts when its instance says so, and the ones
 * behind it are done.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const poisonSkipped = buildScenario({
  name: "poison-skipped",
  claim:
    "a message whose handler always fails is left out after its attempts when its instance says so, and the ones behind it are done",
  faults: {
    rates: { "D03-poison": 500, "F01-lost-answer": 10, "H02-lost-reply": 10, "N01-crash": 2 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [1, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, instances: 3, messages: 4, retryable: 2, fatal: true, skips: true },
});
