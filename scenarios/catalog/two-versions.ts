/**
 * Claims: a turn goes only to a worker of the version that its instance is pinned to.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const twoVersions = buildScenario({
  name: "two-versions",
  claim: "a turn goes only to a worker of the version that its instance is pinned to",
  faults: {
    rates: { "F01-lost-answer": 10, "H02-lost-reply": 10, "N01-crash": 3 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 4],
  reader: false,
  hazards: { death: 20, stall: 20 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, instances: 4, versions: ["v1", "v2"] },
});
