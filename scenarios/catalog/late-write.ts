/**
 * Claims: a write that lands long after its sender gave up or died is either the one that counts or is refused.
 *
 * Leases hardly longer than steps and a lost answer take, no renewals, and few workers: so a node often has to refuse
 * a call while its own write may still land, and nobody else's write makes that impossible.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const lateWrite = buildScenario({
  name: "late-write",
  claim: "a write that lands long after its sender gave up or died either counts or is refused",
  faults: {
    rates: { "F03-late-write": 160, "N01-crash": 3 },
    lateByMs: 6_000,
    skewMs: 0,
    downMs: 5_000,
  },
  nodes: [2, 3],
  workers: [1, 2],
  reader: false,
  hazards: { death: 10, stall: 10 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, leasesMs: [1_000, 2_000], attempts: [100], steps: 4, stepThirds: [0, 1, 1] },
});
