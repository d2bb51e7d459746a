/**
 * Claims: with every fault at once, on two to five nodes, the system does exactly what it was asked, once.
 */
import { STANDARD_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const everything = buildScenario({
  name: "everything",
  claim: "with every fault at once, on two to five nodes, the system does exactly what it was asked, once",
  faults: STANDARD_FAULTS,
  nodes: [2, 5],
  workers: [2, 4],
  reader: true,
  hazards: { death: 10, stall: 10 },
  aim: null,
  downMs: 5_000,
  shape: {
    ...PLAIN_SHAPE,
    instances: 3,
    steps: 5,
    depth: 2,
    retryable: 2,
    fatal: true,
    duplicates: 2,
    attempts: [20, 3],
  },
});
