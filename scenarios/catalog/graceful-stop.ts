/**
 * Claims: a node that is told to stop at any point, also while it claims, renews or completes, and is given more or
 * less time than its work takes, leaves nothing behind that the others cannot go on with.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const gracefulStop = buildScenario({
  name: "graceful-stop",
  claim: "a node that is told to stop at any point leaves nothing behind that the others cannot go on with",
  faults: {
    rates: { "N04-stop": 20, "F01-lost-answer": 10, "F03-late-write": 5 },
    lateByMs: 3_000,
    skewMs: 0,
    downMs: 4_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, stepThirds: [0, 2] },
});
