/**
 * Claims: an update of the scheduling index that is lost costs at most the reconcile interval, never work.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const lostIndexUpdate = buildScenario({
  name: "lost-index-update",
  claim: "an update of the scheduling index that is lost costs at most the reconcile interval, never work",
  faults: NO_FAULTS,
  nodes: [2, 3],
  workers: [2, 2],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: { at: "index-update", permille: 500 },
  downMs: 5_000,
  shape: PLAIN_SHAPE,
});
