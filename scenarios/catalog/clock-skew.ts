/**
 * Claims: clocks that differ by more than a lease, in both directions, cost attempts and time, never a turn, a step
 * or a second holder.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const clockSkew = buildScenario({
  name: "clock-skew",
  claim: "clocks that differ by more than a lease, in both directions, cost attempts and time, nothing else",
  faults: { rates: { "F01-lost-answer": 5, "N02-pause": 4 }, lateByMs: 0, skewMs: 30_000, downMs: 5_000 },
  nodes: [2, 4],
  workers: [2, 3],
  reader: true,
  hazards: { death: 15, stall: 30 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, attempts: [100], leasesMs: [5_000, 2_000], stepThirds: [0, 2, 4] },
});
