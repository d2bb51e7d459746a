/**
 * Claims: a node that loses what it remembers between two claims, and sweeps that do not take place, cost time alone.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const lossyMemory = buildScenario({
  name: "lossy-memory",
  claim: "a node that loses what it remembers, and sweeps that do not take place, cost time alone",
  faults: {
    rates: { "N07-drop-hint": 200, "F01-lost-answer": 10 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: { at: "index-update", permille: 200 },
  downMs: 5_000,
  shape: PLAIN_SHAPE,
});
