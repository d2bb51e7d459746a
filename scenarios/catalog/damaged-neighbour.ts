/**
 * Claims: beside an instance whose object is damaged and which the index says to have work, and beside messages that
 * fail for good, every other instance is served as if they were not there.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const damagedNeighbour = buildScenario({
  name: "damaged-neighbour",
  claim: "beside a damaged instance and messages that fail for good, every other instance is served",
  faults: { ...NO_FAULTS, rates: { "F01-lost-answer": 10, "F02-lost-request": 10 } },
  nodes: [1, 2],
  workers: [1, 2],
  reader: true,
  damage: true,
  hazards: { death: 30, stall: 20 },
  aim: { at: "index-update", permille: 200 },
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, instances: 3, fatal: true, attempts: [20, 3] },
});
