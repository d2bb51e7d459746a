/**
 * Claims: a worker that is told to stop, once or twice and at any point, claims no more, ends in time, and leaves each
 * turn to others with nothing lost and no attempt spent.
 */
import { buildScenario } from "../build-scenario.ts";
import { NO_WAITS, PLAIN_SHAPE } from "../workloads/workload.ts";

export const httpWorkerDrain = buildScenario({
  name: "http-worker-drain",
  claim:
    "a worker that is told to stop, once or twice, claims no more, ends in time and leaves each turn to others with nothing lost",
  faults: {
    rates: { "H01-lost-call": 10, "H02-lost-reply": 10, "N04-stop": 3 },
    lateByMs: 0,
    skewMs: 0,
    downMs: 4_000,
  },
  nodes: [2, 2],
  workers: [1, 2],
  reader: false,
  hazards: { death: 0, stall: 0 },
  aim: null,
  downMs: 5_000,
  http: { concurrency: [1, 2], stops: true, drainMs: 3_000, changes: false },
  shape: {
    ...PLAIN_SHAPE,
    messages: 4,
    stepThirds: [2, 6, 0],
    spreadMs: 10_000,
    waits: { ...NO_WAITS, acts: ["step", "operate", "wait"], signals: 1 },
  },
});
