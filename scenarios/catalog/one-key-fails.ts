/**
 * Claims: while most requests to one instance's object get no answer, whether they arrive or not, everybody is told
 * the truth about it, and all other instances are served as if nothing were wrong.
 */
import { NO_FAULTS } from "../../sim/index.ts";
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

const KEY = "/instances/order-1.json";

export const oneKeyFails = buildScenario({
  name: "one-key-fails",
  claim:
    "while requests to one instance's object get no answers, nobody is told wrong and no other one waits",
  faults: {
    ...NO_FAULTS,
    rules: [
      { kind: "F01-lost-answer", permille: 400, key: KEY },
      { kind: "F02-lost-request", permille: 200, key: KEY },
    ],
  },
  nodes: [1, 2],
  workers: [2, 3],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, instances: 3, steps: 2, attempts: [100], spreadMs: 500 },
});
