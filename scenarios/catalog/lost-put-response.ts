/**
 * Claims: a write whose answer is lost counts exactly once, whether it was applied or not.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const lostPutResponse = buildScenario({
  name: "lost-put-response",
  claim: "a write whose answer is lost counts exactly once, whether it was applied or not",
  faults: {
    rates: { "F01-lost-answer": 50, "F02-lost-request": 30 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 0,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: PLAIN_SHAPE,
});
