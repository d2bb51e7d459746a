/**
 * Claims: two lives of one node side by side, under one name and on one machine, are two nodes: neither takes the
 * other's writes for its own.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const twinNodes = buildScenario({
  name: "twin-nodes",
  claim:
    "two lives of one node under one name are two nodes, and neither takes the other's writes for its own",
  faults: {
    rates: { "N06-twin": 12, "N02-pause": 4, "F01-lost-answer": 15, "F03-late-write": 10 },
    lateByMs: 6_000,
    skewMs: 0,
    downMs: 15_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, retryable: 2 },
});
