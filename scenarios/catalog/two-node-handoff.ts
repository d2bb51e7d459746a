/**
 * Claims: a turn whose worker dies or stalls at one node is finished through the other, with its saved steps, and
 * the one that lost it can change nothing any more.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const twoNodeHandoff = buildScenario({
  name: "two-node-handoff",
  claim: "a turn whose worker dies or stalls at one node is finished through the other, with its saved steps",
  faults: NO_FAULTS,
  nodes: [2, 2],
  workers: [2, 3],
  reader: false,
  hazards: { death: 60, stall: 90 },
  aim: null,
  downMs: 8_000,
  shape: { ...PLAIN_SHAPE, instances: 1, messages: 2, steps: 2, leasesMs: [2_000, 5_000], spreadMs: 1_000 },
});
