/**
 * Claims: refused, throttled and lost requests, to the store and to the nodes, and a store out of reach for seconds,
 * delay the work and change nothing.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const failedOperations = buildScenario({
  name: "failed-operations",
  claim: "refused, throttled and lost requests to store and nodes delay the work and change nothing",
  faults: {
    rates: {
      "F02-lost-request": 20,
      "F05-conflict-409": 30,
      "F06-throttle": 30,
      "H01-lost-call": 20,
      "H02-lost-reply": 20,
    },
    lateByMs: 0,
    skewMs: 0,
    downMs: 0,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: { at: "outage", permille: 10 },
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, fatal: true, attempts: [20, 3] },
});
