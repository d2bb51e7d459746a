/**
 * Claims: when requests arrive twice and each of the two has to try again and again, because the store loses what they
 * ask of the identities, a message is still one turn, also when the second try comes after that turn has moved.
 */
import { buildScenario } from "../build-scenario.ts";
import { PLAIN_SHAPE } from "../workloads/workload.ts";

export const repeatsOnABadStore = buildScenario({
  name: "repeats-on-a-bad-store",
  claim: "requests that arrive twice, while the store loses what each of them asks, still count once",
  faults: {
    rates: { "D01-duplicate-request": 600 },
    rules: [{ kind: "F02-lost-request", permille: 120, key: "/instances/" }],
    lateByMs: 0,
    skewMs: 0,
    downMs: 0,
  },
  nodes: [1, 2],
  workers: [2, 3],
  reader: true,
  hazards: { death: 5, stall: 5 },
  aim: null,
  downMs: 5_000,
  shape: { ...PLAIN_SHAPE, instances: 1, messages: 8, steps: 1, stepThirds: [0], spreadMs: 2_000 },
});
