/**
 * Claims: workers that die or stall at any point cost attempts; a turn is finished or fails for good after its last
 * attempt, and no step is saved twice.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const workerDeaths = buildScenario({
  name: "worker-deaths",
  claim:
    "workers that die or stall at any point cost attempts, never a step, a turn or the order of messages",
  faults: NO_FAULTS,
  nodes: [2, 3],
  workers: [2, 4],
  reader: false,
  hazards: { death: 100, stall: 60 },
  aim: null,
  downMs: 8_000,
  shape: { ...PLAIN_SHAPE, steps: 5, retryable: 2, fatal: true, attempts: [20, 2, 4] },
});
