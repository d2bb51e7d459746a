/**
 * Claims: a message whose handler always fails ends after its attempts and stops its own inbox, nobody else's.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const poisonMessage = buildScenario({
  name: "poison-message",
  claim:
    "a message whose handler always fails ends after its attempts and stops its own inbox, nobody else's",
  faults: {
    rates: { "D03-poison": 500, "F01-lost-answer": 10, "H02-lost-reply": 10 },
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
  shape: { ...PLAIN_SHAPE, instances: 3, retryable: 2 },
});
