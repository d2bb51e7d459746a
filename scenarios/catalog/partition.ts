/**
 * Claims: a node that cannot reach the store, or reaches it and hears nothing, for longer than a lease, delays work and
 * changes nothing; others go on meanwhile.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const partition = buildScenario({
  name: "partition",
  claim:
    "a node that cannot reach the store, or hears nothing of it, for longer than a lease delays work and changes nothing",
  faults: {
    rates: { "F13-partition": 12, "F01-lost-answer": 5, "N01-crash": 2 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 5_000,
    partitionMs: 15_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, leasesMs: [5_000, 2_000] },
});
