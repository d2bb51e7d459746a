/**
 * Claims: a write that was applied and is then answered with a refusal, because a layer below sent it again, is
 * recognised as one's own and made once.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const appliedThenConflict = buildScenario({
  name: "applied-then-conflict",
  claim: "a write that was applied and then answered with a refusal is recognised as one's own and made once",
  faults: { rates: { "F04-hidden-retry": 80 }, lateByMs: 0, skewMs: 0, downMs: 0 },
  nodes: [2, 3],
  workers: [2, 3],
  reader: false,
  hazards: { death: 5, stall: 10 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, retryable: 2 },
});
