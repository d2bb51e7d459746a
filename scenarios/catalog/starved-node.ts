/**
 * Claims: a node whose timers and answers come late by more than a lease, while its requests go on landing, neither
 * holds what others have taken nor loses what it has said.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const starvedNode = buildScenario({
  name: "starved-node",
  claim:
    "a node whose timers and answers come late by more than a lease does nothing that it may not do any more",
  faults: {
    rates: { "N03-starve": 15, "N02-pause": 4, "F01-lost-answer": 5 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
    starveMs: 8_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, leasesMs: [2_000, 5_000], attempts: [100], stepThirds: [0, 2] },
});
