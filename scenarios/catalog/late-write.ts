/**
 * Claims: a write that lands long after its sender gave up or died is either the one that counts or is refused.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const lateWrite = buildScenario({
  name: "late-write",
  claim: "a write that lands long after its sender gave up or died either counts or is refused",
  faults: {
    rates: { "F03-late-write": 50, "N01-crash": 3 },
    lateByMs: 20_000,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [2, 3],
  hazards: { death: 10, stall: 10 },
  aim: null,
  downMs: 5_000,
  shape: PLAIN_SHAPE,
});
